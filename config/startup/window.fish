# Overline in every terminal: replaces an interactive fish with a window, in which a new fish runs. The last line of
# ~/.config/fish/config.fish:
#
#   test ! -e ~/.local/share/overline/startup/window.fish; or source ~/.local/share/overline/startup/window.fish
#
# program.sh starts the program first. If it does not run here, this shell stays, and a line says why. Scripts, `fish -c`, `ssh host command`,
# tmux and shells inside a window stay as they are; so does each shell with OVERLINE_WINDOW=none.

if status is-interactive; and isatty stdin; and isatty stdout; and test -z "$TMUX$OVERLINE_WINDOW"
    set -l login
    status is-login; and set -- login --login
    set -l program (command sh (status dirname)/program.sh)
    and exec $program run $login
end
