# Overline in the prompt of fish: a word while the network is offline, nothing else. In ~/.config/fish/config.fish:
#
#   source ~/.local/share/overline/prompt/overline.fish
#
# and in the function fish_prompt just before the line that prints, after those that look at $status:
#
#   set -q OVERLINE_PROMPT; and echo -n "[$OVERLINE_PROMPT] "
#
# OVERLINE_PROMPT is "offline", "limited", or not set. No process is started, and nothing is waited for: the monitor keeps a file, and
# /proc tells whether the monitor that wrote it still runs.

function __overline_prompt --on-event fish_prompt
    set -l last $status
    set -e OVERLINE_PROMPT
    set -l directory $XDG_RUNTIME_DIR
    # fish does not know the number of its user.
    test -n "$directory"; or return $last
    set -l file $directory/overline/state
    set -l state
    set -l pid
    set -l start
    # Not a pipe, which would be waited for.
    test -f $file -a -r $file; or return $last
    set -l count 0
    while test $count -lt 100; and read -l -n 512 line
        set count (math $count + 1)
        switch $line
            case "OVERLINE_STATE='offline'"
                set state offline
            case "OVERLINE_STATE='limited'"
                set state limited
            case "OVERLINE_MONITOR_PID='*'"
                set pid (string match -r -g "'([1-9][0-9]{0,9})'\$" -- $line)
            case "OVERLINE_MONITOR_START='*'"
                set start (string match -r -g "'([0-9]+)'\$" -- $line)
        end
    end <$file
    test -n "$state" -a -n "$pid" -a -n "$start"; or return $last
    test -r /proc/$pid/stat; or return $last
    read -l stat </proc/$pid/stat 2>/dev/null
    # The process's name, in parentheses, can hold anything. The start time is the 20th field after it (proc(5)).
    set -l fields (string split ' ' -- (string replace -r '^.*\) ' '' -- $stat))
    test "$fields[20]" = "$start"; and set -gx OVERLINE_PROMPT $state
    return $last
end
