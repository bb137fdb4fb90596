#!/bin/sh
# Overline's tmux plugin: tells the background monitor about this tmux server, so that "No connection" gets a status line of its own.
#
#   run-shell ~/.local/share/overline/overline.tmux
#
# or with tpm, which runs the *.tmux files of the folders it finds in its own:
#   ln -s ~/.local/share/overline ~/.tmux/plugins/overline
#   set -g @plugin 'overline'
#
# Options, set before that line:
#   set -g @overline_offline_title  'No connection'
#   set -g @overline_restored_title 'Back online'
#   set -g @overline_offline_style  'bg=#b3261e,fg=white,bold'
#   set -g @overline_restored_style 'bg=#00695c,fg=white,bold'
#   set -g @overline_limited_title  'Limited connection'      # nothing answers, or a portal wants a log-in
#   set -g @overline_limited_style  'bg=#f9c72c,fg=black,bold'
#   set -g @overline_reserve        auto      # always: an empty line while online; never: only #{OVERLINE_TEXT}, #{OVERLINE_TOAST}
#
# Nothing is started and nothing waits: without overline or its monitor this does nothing. Its output would stop tmux with a message, so
# there is none; `overline tmux status` and `overline tmux attach`, run in tmux, tell what is wrong.

# In tmux's PATH, or beside this file as `make install` puts it.
overline=$(command -v overline) || overline=$(dirname "$0")/../../bin/overline
[ -x "$overline" ] || exit 0

# tmux sets TMUX to SOCKET,PID,SESSION for what it runs. The path may contain commas.
[ -n "$TMUX" ] || exit 0
socket=${TMUX%,*}
socket=${socket%,*}

# In the background, because tmux waits for run-shell while it reads its configuration and cannot answer the monitor's questions then.
"$overline" tmux attach --server "$socket" </dev/null >/dev/null 2>&1 &
exit 0
