# Overline in every terminal: replaces an interactive zsh with a window, in which a new zsh runs. The last line of ~/.zshrc:
#
#   [[ ! -e ~/.local/share/overline/startup/window.zsh ]] || source ~/.local/share/overline/startup/window.zsh
#
# program.sh starts the program first. If it does not run here, this shell stays, and a line says why. Scripts, `zsh -c`, `ssh host command`,
# tmux and shells inside a window stay as they are; so do a shell with other options than -i and -l, which a new one would not have, and
# each shell with OVERLINE_WINDOW=none.

() {
  emulate -L zsh
  # kitty's integration is in the shell that kitty has started; the one in a window loads it here.
  local integration=${KITTY_INSTALLATION_DIR-}/shell-integration/zsh/kitty-integration
  if [[ -o interactive && -n ${OVERLINE_WINDOW-} && -n ${KITTY_SHELL_INTEGRATION-} && -r $integration ]]; then
    autoload -Uz -- $integration
    kitty-integration
    unfunction kitty-integration
  fi
  [[ -o interactive && -t 0 && -t 1 && -z $TMUX$OVERLINE_WINDOW$ZSH_EXECUTION_STRING ]] || return 0
  local argument
  # After the shell's name.
  {
    IFS= read -rd '' argument
    while IFS= read -rd '' argument; do
      [[ $argument == (-l|-i|-il|-li|--login) ]] || return 0
    done
  } 2>/dev/null </proc/$$/cmdline
  local program
  program=$(command sh "${${(%):-%x}:h}/program.sh") || return 0
  [[ -n $program ]] || return 0
  # ~/.zlogin is not read after this: the new shell reads it.
  local login=
  [[ ! -o login ]] || login=--login
  # This shell, which may be another one than $SHELL.
  local shell=/proc/$$/exe
  exec "$program" run --shell $shell:A $login
}
