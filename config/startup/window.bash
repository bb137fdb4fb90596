# Overline in every terminal: replaces an interactive bash with a window, in which a new bash runs. The last line of ~/.bashrc:
#
#   [[ ! -e ~/.local/share/overline/startup/window.bash ]] || source ~/.local/share/overline/startup/window.bash
#
# program.sh starts the program first. If it does not run here, this shell stays, and a line says why. Scripts, `bash -c`, `ssh host command`,
# tmux and shells inside a window stay as they are; so does each shell with OVERLINE_WINDOW=none.

__overline_window() {
  [[ $- == *i* && -t 0 && -t 1 && -z ${TMUX-}${OVERLINE_WINDOW-}${BASH_EXECUTION_STRING-} ]] || return 0
  local program
  program=$(command sh "${BASH_SOURCE[0]%/*}/program.sh") || return 0
  # The rest of ~/.profile is not read after this: the new shell reads all of it.
  local login=
  ! shopt -q login_shell || login=--login
  exec "$program" run $login
}
__overline_window
unset -f __overline_window
