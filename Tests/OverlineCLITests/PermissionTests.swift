import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The permissions of a monitor's and a window's files, whatever their umask.
@Suite(.ownThread) struct PermissionTests {
  @Test func whatAMonitorWritesIsForItsUserAlone() throws {
    let world = try World()
    let server = try TmuxTestServer()
    let monitor = try world.namespace.inside {
      try TestProgram(
        "sh", ["-c", "umask 0; exec \(World.executable) monitor"], environment: world.environment)
    }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    try world.haveOutage(world.watchWords())
    #expect(try world.overline("pause", "1h").status == 0)
    let files = ["overline/state", "overline/lock", "overline/tmux", "overline/quiet", "overline/monitor.sock"]
    let history = ["state/overline/history", "state/overline/history.lock"]
    for name in files + history {
      #expect(eventually { Files.exists("\(world.folder)/\(name)") }, "\(name)")
      #expect(try Files.attributes("\(world.folder)/\(name)").permissions == 0o600, "\(name)")
    }
    for name in ["overline", "state", "state/overline"] {
      #expect(try Files.attributes("\(world.folder)/\(name)").permissions == 0o700, "\(name)")
    }
    #expect(monitor.end(.terminate) == 0)
  }

  /// A killed window of the same number left the socket; any other kind of file is the user's.
  @Test func onlyASocketGivesWayToAWindowsOwn() throws {
    for (before, isServed) in [
      ("perl -e 'use IO::Socket::UNIX; IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1)' \"$socket\"", true),
      ("echo kept >\"$socket\"", false),
    ] {
      let world = try WindowWorld()
      let script = """
        mkdir -m 700 -p "$XDG_RUNTIME_DIR/overline"; socket="$XDG_RUNTIME_DIR/overline/window-$$.sock"
        \(before); [ -e "$socket" ] || exit 1
        exec \(WindowWorld.executable) run -- sh -c 'echo READY; cat'
        """
      let window = try world.bare("sh", "-c", script)
      try window.wait(for: "READY")
      let socket = "\(world.folder)/overline/window-\(window.pid).sock"
      if isServed {
        #expect(try eventually { try world.ask(window, ["status", "--socket", socket]).status == 0 })
        #expect(try Files.attributes(socket).permissions == 0o600)
      } else {
        #expect(try Files.read(socket) == Array("kept\n".utf8))
      }
    }
  }
}
