#!/bin/sh
# Colours the active tab of every kitty while the network is offline. In ~/.config/kitty/kitty.conf:
#
#   allow_remote_control socket-only
#   listen_on unix:${XDG_RUNTIME_DIR}/kitty-{kitty_pid}
#
# and in ~/.config/overline/config.toml:
#
#   [hooks]
#   on-offline = "~/.local/share/overline/hooks/kitty.sh"
#   on-online = "~/.local/share/overline/hooks/kitty.sh"
#
# For a banner above the program, in kitty.conf: shell sh -c 'overline -V >/dev/null && exec overline run; exec $SHELL'
set -eu
case $OVERLINE_STATE in
  offline) set -- active_bg=#b3261e active_fg=#ffffff inactive_bg=#b3261e inactive_fg=#ffffff ;;
  *) set -- active_bg=NONE active_fg=NONE inactive_bg=NONE inactive_fg=NONE ;;
esac
for socket in "$XDG_RUNTIME_DIR"/kitty-*; do
  # A kitty that was killed leaves its socket.
  [ ! -S "$socket" ] || kitty @ --to "unix:$socket" set-tab-color --match "not id:0" "$@" || true
done
