import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

private let canRun = Files.exists("/lib/systemd/systemd") && Files.exists("/usr/bin/systemctl") && TestUser.canBeOthers

/// The installed units under a real `systemd --user`, in namespaces of the test's own, where the machine appears to be
/// booted with systemd.
@Suite(.ownThread, .enabled(if: canRun, "COULD NOT RUN: needs systemd, and root of the machine"))
struct UserServiceTests {
  /// Every step prints its result; one that waits in vain reports that.
  private static let story = #"""
    set -u
    mount -t tmpfs tmpfs /run/systemd && mkdir -p /run/systemd/system
    mkdir -p "$HOME" "$XDG_CONFIG_HOME/systemd/user/overline.service.d" "$XDG_RUNTIME_DIR"
    chmod 700 "$XDG_RUNTIME_DIR"
    printf '[Service]\nWatchdogSec=1\n' >"$XDG_CONFIG_HOME/systemd/user/overline.service.d/test.conf"
    printf '[Unit]\nDescription=test\n' >"$XDG_CONFIG_HOME/systemd/user/test.target"
    /lib/systemd/systemd --user --unit=test.target >"$HOME/log" 2>&1 &
    manager=$!
    files=$XDG_RUNTIME_DIR/overline
    overline=$PREFIX/bin/overline
    waitfor() {
      count=0
      until eval "$1"; do
        count=$((count + 1)); [ $count -lt 200 ] || { echo "in vain: $1"; cat "$HOME/log"; exit 1; }
        sleep 0.05
      done
    }
    say() { echo "$1: $(systemctl --user show -P "$2" overline.service)"; }
    lines() { tmux -S "$HOME/tmux" show -gv status; }
    banner() { "$overline" banner present hello && waitfor '[ "$(lines)" = 2 ]'; }
    waitfor '[ -S "$XDG_RUNTIME_DIR/systemd/private" ]'
    tmux -S "$HOME/tmux" -f /dev/null new-session -d -x 80 -y 24 sh
    # A banner needs a screen: a client of it, in another tmux.
    tmux -S "$HOME/outer" -f /dev/null new-session -d "env -u TMUX tmux -S '$HOME/tmux' attach"
    waitfor '[ -n "$(tmux -S "$HOME/tmux" list-clients)" ]'

    systemctl --user start overline.service || exit 1
    say started ActiveState; say status StatusText
    "$overline" tmux attach --server "$HOME/tmux"
    banner
    systemctl --user kill -s KILL overline.service
    waitfor '[ "$(lines)" = on ]'
    waitfor 'systemctl --user is-active -q overline.service'
    say restarted NRestarts
    waitfor '[ -e "$files/state" ]'

    banner
    kill -STOP "$(systemctl --user show -P MainPID overline.service)"
    waitfor '[ "$(systemctl --user show -P Result overline.service)" = watchdog ]'
    waitfor '[ "$(lines)" = on ]'
    waitfor 'systemctl --user is-active -q overline.service'
    say again NRestarts
    waitfor '[ -e "$files/state" ]'

    banner
    systemctl --user stop overline.service
    say stopped Result
    echo "left: $(lines) $(ls "$files" | tr '\n' ' ')"

    systemctl --user start overline.socket || exit 1
    echo "listens: $(stat -c '%a %F' "$files/monitor.sock")"
    "$overline" status --socket "$files/monitor.sock"
    # It answers a moment before its manager knows that it is ready.
    waitfor 'systemctl --user is-active -q overline.service'
    say activated ActiveState
    "$overline" doctor | grep '^[a-z]* *systemd'
    systemctl --user stop overline.socket overline.service
    echo "gone: $(ls "$files" | tr '\n' ' ')"
    tmux -S "$HOME/tmux" kill-server
    kill -s RTMIN+3 $manager
    """#

  @Test func theServiceLivesAndLeavesNothing() throws {
    let prefix = try InstalledPrefix()
    let script = "\(prefix.path)/story"
    try Files.replace(script, with: Array(Self.story.utf8))
    let result = try NetworkNamespace().inside {
      try Subprocess.run(
        "unshare", ["--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", script],
        environment: TmuxTestServer.environment.filter { !$0.hasPrefix("HOME=") } + [
          "PREFIX=\(prefix.path)", "HOME=\(prefix.path)/home", "XDG_CONFIG_HOME=\(prefix.path)/home/.config",
          "XDG_DATA_HOME=\(prefix.path)/share", "XDG_RUNTIME_DIR=\(prefix.path)/run",
          // The address sanitizer would report the backtrace's reads of a monitor that the watchdog ends.
          "SWIFT_BACKTRACE=enable=no",
        ], timeout: .seconds(90))
    }
    #expect(
      result.outputText == """
        started: active
        status: offline: no route to the internet
        restarted: 1
        again: 2
        stopped: success
        left: on lock tmux \("")
        listens: 600 socket
        offline: no route to the internet
        activated: active
        ok       systemd        overline.service is active (\(prefix.path)/share/systemd/user/overline.service)
        gone: lock tmux \("")

        """, "\(result.errorText)")
  }

  @Test func systemdFindsNoFaultInTheUnits() throws {
    let prefix = try InstalledPrefix()
    let units = ["service", "socket"].map { "\(prefix.path)/share/systemd/user/overline.\($0)" }
    let result = try Subprocess.run(
      "systemd-analyze", ["--user", "verify"] + units,
      environment: TmuxTestServer.environment + ["MANPATH=\(prefix.path)/share/man", "XDG_RUNTIME_DIR=\(prefix.path)"],
      timeout: .seconds(60))
    #expect(result.errorText == "")
    #expect(result.status == 0)
  }
}
