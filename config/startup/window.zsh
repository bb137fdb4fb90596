# Overline in every terminal: replaces an interactive zsh with a window, in which a new zsh runs. The last line of ~/.zshrc:
#
#   [[ ! -e ~/.local/share/overline/startup/window.zsh ]] || source ~/.local/share/overline/startup/window.zsh
#
# program.sh starts the program first. If it does not run here, this shell stays, and a line says why. Scripts, `zsh -c`, `ssh host command`,
# tmux and shells inside a window stay as they are; so does each shell with OVERLINE_WINDOW=none.

() {
  emulate -L zsh
  [[ -o interactive && -t 0 && -t 1 && -z $TMUX$OVERLINE_WINDOW$ZSH_EXECUTION_STRING ]] || return 0
  local program
  program=$(command sh "${${(%):-%x}:h}/program.sh") || return 0
  # ~/.zlogin is not read after this: the new shell reads it.
  local login=
  [[ ! -o login ]] || login=--login
  exec "$program" run $login
}
