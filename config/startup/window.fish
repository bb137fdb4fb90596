# Overline in every terminal: replaces an interactive fish with a window, in which a new fish runs. The last line of
# ~/.config/fish/config.fish:
#
#   test ! -e ~/.local/share/overline/startup/window.fish; or source ~/.local/share/overline/startup/window.fish
#
# program.sh starts the program first. If it does not run here, this shell stays, and a line says why. Scripts, `fish -c`, `ssh host command`,
# tmux and shells inside a window stay as they are; so do a shell with other options than -i and -l, which a new one would not have, and
# each shell with OVERLINE_WINDOW=none.

# kitty's integration is in the shell that kitty has started; the one in a window loads it here.
if status is-interactive; and test -n "$OVERLINE_WINDOW" -a -n "$KITTY_SHELL_INTEGRATION"
    set -l integration $KITTY_INSTALLATION_DIR/shell-integration/fish/vendor_conf.d/kitty-shell-integration.fish
    test -r $integration; and source $integration
end

if status is-interactive; and isatty stdin; and isatty stdout; and test -z "$TMUX$OVERLINE_WINDOW"
    # After the shell's name.
    set -l others
    for argument in (string split0 </proc/$fish_pid/cmdline)[2..-1]
        string match -qr -- '^(-l|-i|-il|-li|--login|--interactive)$' $argument; or set -a others $argument
    end
    set -l login
    status is-login; and set -- login --login
    set -l program
    test -z "$others"; and set program (command sh (status dirname)/program.sh)
    and exec $program run --shell (status fish-path) $login
end
