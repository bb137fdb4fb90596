# Overline in the prompt of fish: a word while the network is offline, else nothing. In ~/.config/fish/config.fish:
#
#   test ! -e ~/.local/share/overline/prompt/overline.fish; or source ~/.local/share/overline/prompt/overline.fish
#
# and in the function fish_prompt, after the lines that read $status and before the line that prints:
#
#   set -q OVERLINE_PROMPT; and echo -n "[$OVERLINE_PROMPT] "
#
# OVERLINE_PROMPT is "offline", "limited", or not set. This starts no process and never waits: it reads the monitor's state file, and
# checks in /proc that the monitor still runs and is not stopped (its state is T then), since a stopped one cannot withdraw its word.

function __overline_prompt --on-event fish_prompt
    set -l last $status
    set -e OVERLINE_PROMPT
    set -l directory $XDG_RUNTIME_DIR
    # Like the monitor, ignores a relative path. fish does not know the number of its user.
    string match -q '/*' -- "$directory"; or return $last
    set -l file $directory/overline/state
    set -l state
    set -l pid
    set -l start
    # Not a pipe: reading it would wait. Nor another user's: after su the variable may name that user's folder.
    test -f $file -a -r $file -a -O $file; or return $last
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
    test "$fields[1]" != T -a "$fields[20]" = "$start"; and set -gx OVERLINE_PROMPT $state
    return $last
end
