#!/bin/sh
# A desktop notification for an outage, which the end of the outage replaces. Needs notify-send 0.7.11 or later (libnotify-bin). In
# ~/.config/overline/config.toml:
#
#   [hooks]
#   on-offline = "~/.local/share/overline/hooks/notify.sh"
#   on-online = "~/.local/share/overline/hooks/notify.sh"
#   on-limited = "~/.local/share/overline/hooks/notify.sh"
#
# The monitor must know the session's bus: as a service of systemd it does.
set -eu
# The user wants quiet (overline pause). "Back online" still replaces an earlier notification.
case ${OVERLINE_PAUSED_UNTIL:+quiet}-$OVERLINE_STATE in quiet-offline | quiet-limited) exit 0 ;; esac
# Like the monitor, ignores a relative path.
case ${XDG_RUNTIME_DIR-} in /*) ;; *) XDG_RUNTIME_DIR=/run/user/$(id -u) ;; esac
last=$XDG_RUNTIME_DIR/overline/notification
replace=$(cat "$last" 2>/dev/null || echo 0)
# A notification's text is markup, and an interface may have any name.
escape() { printf %s "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }
text=$(escape "$OVERLINE_EXPLANATION")
limitation=$(escape "$OVERLINE_LIMITATION")
case $OVERLINE_STATE in
  offline) set -- --urgency=critical --icon=network-offline "No connection" "$text" ;;
  limited) set -- --urgency=normal --icon=network-error "Limited connection" "$limitation" ;;
  *) set -- --urgency=normal --icon=network-idle --expire-time=5000 "Back online" "$text" ;;
esac
notify-send --app-name=Overline --print-id --replace-id="$replace" "$@" >"$last.$$"
mv "$last.$$" "$last"
