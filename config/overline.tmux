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
#   set -g @overline_limited_title  'Limited connection'  # nothing answers, or a portal wants a log-in
#   set -g @overline_offline_style  'bg=#b3261e,fg=white,bold'
#   set -g @overline_restored_style 'bg=#00695c,fg=white,bold'
#   set -g @overline_limited_style  'bg=#f9c72c,fg=black,bold'
#   set -g @overline_reserve        'auto'  # always: an empty line while online; never: only #{OVERLINE_TEXT}, #{OVERLINE_TOAST}
#
# Nothing is started and tmux does not wait: without overline or its monitor this does nothing. If the server cannot be attached, the clients
# show why for ten seconds, and `overline doctor`, run in tmux, says it again.

# In tmux's PATH, or beside this file as `make install` puts it.
overline=$(command -v overline) || overline=$(dirname "$0")/../../bin/overline
[ -x "$overline" ] || exit 0

# tmux sets TMUX to SOCKET,PID,SESSION for what it runs. The path may contain commas.
[ -n "$TMUX" ] || exit 0
socket=${TMUX%,*}
socket=${socket%,*}

# In the background, because tmux waits for run-shell. A subshell, since a function would keep the output open that tmux waits for.
(
  # Wait until tmux has read its whole configuration, a minute at most: a later line could set an option of ours, or remove a banner's line.
  # tmux appends the command of `run-shell -b -C` to the queue that the rest of the configuration is in. It ends the sleep. (`wait-for` cannot
  # do this: a server without a session ends each of them at once.)
  sleep 60 &
  if tmux -S "$socket" run-shell -b -C "run-shell -b 'kill $!'"; then wait $!; else kill $!; fi

  failure=$("$overline" tmux attach --server "$socket" 2>&1) && exit

  # For the clients, or without one for the next client. A variable's value is no format: nothing in it runs. Without output, because tmux
  # would show it in place of the pane. `overline tmux detach` removes hook and variable.
  tmux -S "$socket" set-environment -gh OVERLINE_FAILURE "$failure"
  hook='client-session-changed[7041]'
  show='display-message -d 10000 "#{OVERLINE_FAILURE}" ; set-environment -gu OVERLINE_FAILURE'
  tmux -S "$socket" if-shell -F '#{client_name}' "$show" "set-hook -g '$hook' '$show ; set-hook -gu $hook'"
) </dev/null >/dev/null 2>&1 &
exit 0
