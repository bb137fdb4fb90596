import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// A tmux server that is killed, as when memory is short: while it answers, or while it shows a banner.
@Suite(.ownThread) struct BrokenTmuxTests {
  @Test func halfAnAnswerUndoesNothing() throws {
    let world = try World()
    // Without motion the banner's first frame is the only one: no later frame is on its way when the monitor is stopped.
    try world.configure("[banner]\nmotion = \"off\"\n")
    let server = try TmuxTestServer(configuration: ["set -g status-right x"])
    func dump() throws -> String { try server.source("show -g", "show-environment -gh") }
    let before = try dump()
    // Kill monitor and guardian, which leaves the banner's line in the server.
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    try world.pullTheCable()
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" })
    let guardian = try #require(try TmuxTestServer.guardian(of: monitor.pid))
    // Stop the monitor first, so that it does not start another guardian.
    _ = try Subprocess.run("kill", ["-STOP", "\(monitor.pid)"])
    Signal.kill.send(to: guardian)
    #expect(monitor.end(.kill) == 137)
    let left = try dump()
    #expect(left.contains("OVERLINE_SAVED"))

    let tmux = try Subprocess.run("sh", ["-c", "command -v tmux"]).outputText.dropLast()
    let script =
      "#!/bin/sh\n[ -e \(world.folder)/once ] && exec \(tmux) \"$@\"\n"
      + ">\(world.folder)/once\n\(tmux) \"$@\" | head -n 6\nkill -9 $$\n"
    try Files.makePrivateDirectory("\(world.folder)/bin")
    try Files.replace("\(world.folder)/bin/tmux", with: Array(script.utf8), permissions: 0o700)
    let path = "PATH=\(world.folder)/bin:\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
    func detach() throws -> Subprocess.Result {
      try Subprocess.run(
        World.executable, ["tmux", "detach", "--server", server.socket],
        environment: [path] + world.environment.filter { !$0.hasPrefix("PATH=") }, timeout: .seconds(30))
    }
    let broken = try detach()
    #expect(broken.status == 2)
    #expect(broken.errorText.hasPrefix("overline: cannot read tmux (\(server.socket)): exit status 137."))
    #expect(try dump() == left)
    #expect(try detach().status == 0)
    #expect(try dump() == before)
  }

  /// The server answers after ten seconds, or never: the monitor still works, and its guardian serves the other servers.
  @Test func aServerThatIsStoppedIsNamedAndHoldsUpNoOther() throws {
    let world = try World()
    let servers = try (0..<2).map { _ in try TmuxTestServer() }.sorted { $0.socket < $1.socket }
    let monitor = try world.startMonitor()
    for server in servers { #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0) }
    try world.pullTheCable()
    for server in servers { #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" }) }
    _ = try Subprocess.run("kill", ["-STOP", "\(servers[0].pid)"])
    defer { _ = try? Subprocess.run("kill", ["-CONT", "\(servers[0].pid)"]) }
    let result = try world.overline("tmux", "detach", "--server", servers[0].socket)
    #expect(result.status == 2)
    #expect(result.errorText.contains("tmux (\(servers[0].socket))"), "\(result.errorText)")
    #expect(monitor.end(.kill) == 137)
    #expect(try eventually(within: .seconds(8)) { try servers[1].tmux("show", "-gv", "status") == "on\n" })
  }

  /// While the monitor has no frame for a server, it notices the server's end only at the next `tmux status`. Its guardian then watches no
  /// server, and ends.
  @Test func theGuardianGoesWithTheServerThatAQuestionFindsGone() throws {
    let world = try World()
    // Without motion the banner's first frame is the only one.
    try world.configure("[banner]\nmotion = \"off\"\n")
    let server = try TmuxTestServer()
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    try world.pullTheCable()
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" })
    let guardian = try #require(try TmuxTestServer.guardian(of: monitor.pid))
    server.stop()
    #expect(try world.overline("tmux", "status").outputText.hasPrefix("no tmux server is attached"))
    #expect(eventually { ProcessEnvironment.startTime(of: guardian) == nil })
    // The next server gets another guardian.
    let next = try TmuxTestServer()
    #expect(try world.overline("tmux", "attach", "--server", next.socket).status == 0)
    #expect(try eventually { try next.tmux("show", "-gv", "status") == "2\n" })
    monitor.end(.kill)
    #expect(try eventually { try next.tmux("show", "-gv", "status") == "on\n" })
  }

  /// A service manager waits ten seconds for monitor and guardian together. The next monitor restores what the stopped
  /// server could not accept.
  @Test(arguments: [false, true]) func besideServersThatAreStoppedTheEndIsSoon(isFrameUnderWay: Bool) throws {
    let world = try World()
    try world.configure("[banner]\nmotion = \"off\"\ngrace-delay = \"0ms\"\n")
    let servers = try (0..<4).map { _ in try TmuxTestServer() }
    let monitor = try world.startMonitor()
    for server in servers { #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0) }
    try world.pullTheCable()
    for server in servers { #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" }) }
    let stopped = servers[..<3].map { "\($0.pid)" }
    _ = try Subprocess.run("kill", ["-STOP"] + stopped)
    defer { _ = try? Subprocess.run("kill", ["-CONT"] + stopped) }
    if isFrameUnderWay {
      try world.plugTheCable()
      let isWaiting = try eventually {
        let children = try Subprocess.run("ps", ["-o", "args=", "--ppid", "\(monitor.pid)"]).outputText
        return stopped.indices.allSatisfy { children.contains(servers[$0].socket) }
      }
      #expect(isWaiting)
    }
    let start = BootClock.now
    #expect(monitor.end(.terminate) == 0)
    // The guardian holds the lock until it ends.
    #expect(try eventually { try FileLock.acquire("\(world.folder)/overline/lock") != nil })
    #expect(BootClock.now - start < .seconds(Sanitizer.isWatching ? 15 : 5))
    #expect(try servers[3].tmux("show", "-gv", "status") == "on\n")
    // No process of the monitor waits for the servers any longer.
    for server in servers {
      #expect(try !Subprocess.run("ps", ["-eo", "args="]).outputText.contains("\(server.socket) source-file"))
    }
    _ = try Subprocess.run("kill", ["-CONT"] + stopped)
    try world.plugTheCable()
    let next = try world.startMonitor()
    for server in servers {
      #expect(
        try eventually { try !server.source("show -g", "show-environment -gh").contains("OVERLINE") },
        "\(server.socket)")
      #expect(try server.tmux("show", "-gv", "status") == "on\n")
    }
    #expect(next.end(.terminate) == 0)
  }

  /// As after months of killed servers: their sockets still exist.
  @Test func thousandsOfDeadSocketsHoldUpNothing() throws {
    let world = try World()
    let server = try TmuxTestServer()
    try Files.makePrivateDirectory("\(world.folder)/overline")
    try Files.makePrivateDirectory("\(world.folder)/dead")
    var sockets = try (0..<5000).map { number in
      let socket = "\(world.folder)/dead/\(number)"
      _ = try UnixSocket.listen(at: socket)
      return socket
    }
    sockets.insert(server.socket, at: 2500)
    let registry = "\(world.folder)/overline/tmux"
    try Files.replace(registry, with: Array(sockets.map { $0 + "\n" }.joined().utf8))
    try world.pullTheCable()
    let start = BootClock.now
    let monitor = try world.startMonitor()
    #expect(try world.overline("status").status == 1)
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" })
    #expect(BootClock.now - start < .seconds(4))
    #expect(try Files.read(registry) == Array("\(server.socket)\n".utf8))
    #expect(monitor.end(.terminate) == 0)
    #expect(try server.tmux("show", "-gv", "status") == "on\n")
  }
}
