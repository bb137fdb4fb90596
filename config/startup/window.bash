# Overline in every terminal: replaces an interactive bash with a window, in which a new bash runs. The last line of ~/.bashrc:
#
#   [[ ! -e ~/.local/share/overline/startup/window.bash ]] || source ~/.local/share/overline/startup/window.bash
#
# program.sh starts the program first. If it does not run here, this shell stays, and a line says why. Scripts, `bash -c`, `ssh host command`,
# tmux and shells inside a window stay as they are; so do a shell with other options than -i and -l, which a new one would not have, and
# each shell with OVERLINE_WINDOW=none.

__overline_window() {
  [[ $- == *i* && -t 0 && -t 1 && -z ${TMUX-}${OVERLINE_WINDOW-}${BASH_EXECUTION_STRING-} ]] || return 0
  local argument
  # After the shell's name. kitty starts bash with --posix, and its integration ends that mode again.
  {
    IFS= read -rd '' argument
    while IFS= read -rd '' argument; do
      [[ $argument == @(-l|-i|-il|-li|--login|--posix) ]] || return 0
    done
  } 2>/dev/null </proc/$$/cmdline
  local program
  program=$(command sh "${BASH_SOURCE[0]%/*}/program.sh") || return 0
  # Without a free descriptor bash sets an empty value, and calls that a success.
  [[ -n $program ]] || return 0
  # The rest of ~/.profile is not read after this: the new shell reads all of it.
  local login=
  ! shopt -q login_shell || login=--login
  # kitty's integration is in this shell and not in the next one, which loads it below. This is the user's setting for it.
  [[ -z ${ksi_val-} ]] || export KITTY_SHELL_INTEGRATION=$ksi_val
  exec "$program" run --shell "$BASH" $login
}
__overline_window
unset -f __overline_window
if [[ $- == *i* && -n ${OVERLINE_WINDOW-} && -n ${KITTY_SHELL_INTEGRATION-} && -r ${KITTY_INSTALLATION_DIR-}/shell-integration/bash/kitty.bash ]]; then
  source "$KITTY_INSTALLATION_DIR/shell-integration/bash/kitty.bash"
fi
