import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The installed plugin's line in a tmux configuration, with a real monitor: the server is attached once its first session exists.
@Suite(.ownThread) struct TmuxPluginTests {
  private static let plugin = "run-shell '\(InstalledPrefix.config)/overline.tmux'"

  /// The programs in the server find `overline` and the monitor.
  private static func environment(of world: World) -> [String] {
    let folder = World.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    return [
      "setenv -g PATH '\(folder):\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")'",
      "setenv -g XDG_RUNTIME_DIR '\(world.folder)'",
    ]
  }

  private static func status(_ world: World) throws -> String { try world.overline("tmux", "status").outputText }

  private static func dump(_ server: TmuxTestServer) throws -> String {
    try server.source("show -g", "show-hooks -g", "show-environment -gh")
  }

  private static func startMonitor(in world: World, path: String) throws -> TestProgram {
    let environment = ["PATH=\(path)"] + world.environment.filter { !$0.hasPrefix("PATH=") }
    let monitor = try world.namespace.inside {
      try TestProgram(World.executable, ["monitor"], environment: environment)
    }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    return monitor
  }

  static let slow = "run-shell 'sleep 0.3'"

  /// The network is offline when tmux starts. The line after the plugin's would remove the banner's.
  @Test(
    "wherever the plugin's line is, a new server shows the banner",
    arguments: [[plugin], [plugin, slow], [slow, plugin], [slow, plugin, slow]])
  func anyPlace(_ lines: [String]) throws {
    let world = try World()
    let monitor = try world.startMonitor()
    defer { monitor.end(.terminate) }
    try world.pullTheCable()
    let server = try TmuxTestServer(configuration: Self.environment(of: world) + lines + ["set -g status 2"])
    #expect(try eventually { try Self.status(world).contains("1 session, 0 clients, banner shown") })
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "3\n" })
  }

  @Test("a server without a session is attached, and its first session shows the banner") func withoutSession() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    defer { monitor.end(.terminate) }
    let server = try TmuxTestServer.withoutSession(
      configuration: Self.environment(of: world) + [Self.plugin, Self.slow])
    #expect(try eventually { try Self.status(world).contains("0 sessions, 0 clients, no banner") })
    try world.pullTheCable()
    try server.tmux("new-session", "-d", "-x", "80", "-y", "24", "sh")
    let screen = try server.attachedScreen()
    #expect(try eventually { try screen.rows().contains { $0.contains("No connection") } })
  }

  @Test("a monitor attaches a registered server that has no session yet") func laterMonitor() throws {
    let world = try World()
    let server = try TmuxTestServer.withoutSession()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    let monitor = try world.startMonitor()
    defer { monitor.end(.terminate) }
    #expect(try eventually { try Self.status(world).contains("0 sessions") })
    #expect(!monitor.errors.values.contains { $0.contains("tmux") })
  }

  @Test("reloads leave the user's hooks alone, and detaching leaves no trace") func reloads() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    defer { monitor.end(.terminate) }
    let hooks = ["session-created", "client-attached", "client-session-changed", "after-set-option"].map {
      "set-hook -g \($0) 'setenv -g HOOK 1'"
    }
    let server = try TmuxTestServer(configuration: Self.environment(of: world) + hooks)
    try server.tmux("setenv", "-g", "HOOK", "1")
    let before = try Self.dump(server)
    let file = "\(world.folder)/plugin.conf"
    try Files.replace(file, with: Array(([Self.plugin, Self.slow].joined(separator: "\n") + "\n").utf8))
    for _ in 0..<3 {
      try server.tmux("source-file", file)
      #expect(try eventually { try Self.status(world).contains("1 session") })
    }
    #expect(try Self.dump(server) == before)
    try world.pullTheCable()
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" })
    #expect(try world.overline("tmux", "detach", "--server", server.socket).status == 0)
    #expect(try Self.dump(server) == before)
  }

  @Test("a server that the monitor cannot attach is named by status and doctor, with the reason") func failure() throws
  {
    let world = try World()
    let server = try TmuxTestServer()
    let monitor = try Self.startMonitor(in: world, path: "/nonexistent")
    defer { monitor.end(.terminate) }
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 2)
    let words = "put it in the monitor's PATH"
    #expect(try Self.status(world).hasPrefix("\(server.socket)  not attached: cannot talk to tmux"))
    #expect(try Self.status(world).contains(words))
    let doctor = try world.overline("doctor", environment: ["TMUX=\(server.socket),1,0"])
    #expect(doctor.status == 1 && doctor.outputText.contains(words))
    // Detached: the user no longer wants it.
    _ = try world.overline("tmux", "detach", "--server", server.socket)
    #expect(try Self.status(world).hasPrefix("no tmux server is attached"))
  }

  /// Each run of tmux is a process, and takes some milliseconds of its server's time.
  @Test("attaching takes three runs of tmux, a banner two, its end three") func runs() throws {
    let world = try World()
    try world.configure("[banner]\nmotion = \"off\"\n")
    let server = try TmuxTestServer()
    let tmux = try Subprocess.run("sh", ["-c", "command -v tmux"]).outputText.dropLast()
    try Files.makePrivateDirectory("\(world.folder)/bin")
    let log = "\(world.folder)/runs"
    let script = "#!/bin/sh\necho run >> \(log)\nexec \(tmux) \"$@\"\n"
    try Files.replace("\(world.folder)/bin/tmux", with: Array(script.utf8), permissions: 0o700)
    func count() -> Int { (try? Files.read(log))?.count { $0 == UInt8(ascii: "\n") } ?? 0 }
    let path = "\(world.folder)/bin:\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
    let monitor = try Self.startMonitor(in: world, path: path)
    defer { monitor.end(.terminate) }
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    try world.pullTheCable()
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" })
    #expect(count() == 5)
    try world.plugTheCable()
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "on\n" })
    #expect(count() == 8)
  }
}
