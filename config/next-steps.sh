#!/bin/sh
# Prints what a user types, or writes into startup files, after the installation. Leaves out what is there already.
#
#   next-steps.sh [PREFIX]
#
# Without PREFIX, that of this file: PREFIX/share/overline/next-steps.sh.
set -eu
prefix=${1:-$(cd "$(dirname "$0")/../.." && pwd)}
home=${HOME:-/nonexistent}
shell=${SHELL:-}
shell=${shell##*/}

# A path as a user types it: ~/.local/share. A shell expands no ~ in quotes.
case $prefix in
  *[!A-Za-z0-9/._+-]*) typed="'$(printf %s "$prefix" | sed "s/'/'\\\\''/g")'" ;;
  "$home"/*) typed=\~${prefix#"$home"} ;;
  *) typed=$prefix ;;
esac
share=$typed/share

# step PURPOSE LINE
step() { printf '%s:\n    %s\n' "$1" "$2"; }
# contains FILE WORD
contains() { grep -qsF "$2" "$home/$1"; }

case $shell in
  bash) file=.bashrc ;;
  zsh) file=.zshrc ;;
  fish) file=.config/fish/config.fish ;;
  *) file=.profile ;;
esac

case :$PATH: in
  *:"$prefix/bin":*) ;;
  *)
    case $shell in
      fish) step "so that your shell finds overline, type" "fish_add_path $typed/bin" ;;
      *) step "so that your shell finds overline, type this, and write it into ~/$file too" "export PATH=$typed/bin:\"\$PATH\"" ;;
    esac
    ;;
esac

# zsh reads completions from the folders that are in fpath when compinit runs.
if [ "$shell" = zsh ] && ! zsh -fc 'print -l $fpath' 2>/dev/null | grep -qxF "$prefix/share/zsh/site-functions" &&
  ! contains .zshrc "$share/zsh/site-functions"; then
  step "so that zsh completes overline, write into ~/.zshrc, above compinit" "fpath=($share/zsh/site-functions \$fpath)"
fi

window=$share/overline/startup/window.$shell
case $shell in
  bash | zsh) line="[[ ! -e $window ]] || source $window" ;;
  fish) line="test ! -e $window; or source $window" ;;
  *) line= ;;
esac
[ -z "$line" ] || contains "$file" "startup/window.$shell" || step "for a banner in every terminal, write at the end of ~/$file" "$line"

contains .tmux.conf overline.tmux || step "for a banner in tmux, write into ~/.tmux.conf" "run-shell $share/overline/overline.tmux"

if command -v systemctl >/dev/null; then
  # Where systemd looks for units below share; elsewhere it needs the file's path (systemd.unit(5)).
  case $prefix in
    "$home/.local" | /usr/local | /usr) unit=overline ;;
    *) unit=$share/systemd/user/overline.service ;;
  esac
  step "for tmux, bars, prompts and hooks, start the monitor with your session" "systemctl --user enable --now $unit"
else
  step "for tmux, bars, prompts and hooks, start the monitor" "overline monitor"
fi
