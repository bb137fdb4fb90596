import Dispatch
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// A runtime directory that is removed while a monitor runs, as by a logout while tmux keeps running.
@Suite(.ownThread) struct RemovedDirectoryTests {
  /// With `/*` at the end: removes the folder's files and then, once the monitor has had time to watch the empty folder, the folder
  /// too. The monitor's open lock file keeps its inode, and the kernel reports no removal.
  private static func remove(_ path: String) throws {
    _ = try Subprocess.run("sh", ["-c", "rm -rf \(path)"])
    guard path.hasSuffix("/*") else { return }
    _ = try Subprocess.run("rm", ["-rf", String(path.dropLast(2))])
  }

  private func isServed(_ world: World) -> Bool {
    guard let status = try? world.overline("status", "--socket", "\(world.folder)/overline/monitor.sock") else {
      return false
    }
    return status.status < 2
  }

  @Test(
    "lock, socket and state return, and one monitor stays the only one",
    arguments: ["", "/lock", "/monitor.sock", "/*"])
  func whatIsRemovedReturns(_ part: String) throws {
    let world = try World()
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    #expect(eventually { Files.exists("\(world.folder)/overline/state") })
    for _ in 0..<3 {
      try Self.remove("\(world.folder)/overline\(part)")
      // Beside many tests the user's inotify instances may be exhausted; the monitor tries again every 30 seconds.
      #expect(eventually(within: .seconds(90)) { isServed(world) && Files.exists("\(world.folder)/overline/lock") })
      #expect(eventually { Files.exists("\(world.folder)/overline/state") })
    }
    // Connected observers stay connected, and new ones find the monitor.
    let second = try world.overline("monitor")
    #expect(second.status == 2 && second.errorText.contains("a monitor runs already"), "\(second.errorText)")
    try world.pullTheCable()
    try watch.lines.first("the outage") { $0 == "offline" }
    #expect(try world.overline("status").status == 1)
    #expect(
      eventually {
        (try? Files.read("\(world.folder)/overline/state")).map {
          String(decoding: $0, as: UTF8.self).contains("'offline'")
        } == true
      })
    #expect(monitor.end(.terminate) == 0)
    #expect(try Files.names(in: "\(world.folder)/overline") == ["lock"])
  }

  /// The base is another directory after the next login.
  @Test("a monitor and a watch come back after the next login")
  func theBaseReturns() throws {
    let world = try World()
    let base = "\(world.folder)/run"
    try Files.makePrivateDirectory(base)
    let environment = world.environment.filter { !$0.hasPrefix("XDG_RUNTIME_DIR=") } + ["XDG_RUNTIME_DIR=\(base)"]
    func start(_ arguments: String...) throws -> TestProgram {
      try world.namespace.inside { try TestProgram(World.executable, arguments, environment: environment) }
    }
    let monitor = try start("monitor")
    try monitor.lines.wait("the first line") { !$0.isEmpty }
    // Connected before and after.
    let old = try start("watch", "--format", "prompt")
    try old.lines.wait("online") { $0.last == "online" }
    // The monitor may restore a part while rm(1) removes it.
    repeat { try Self.remove(base) } while Files.exists(base)
    try monitor.errors.first("that no command reaches it", within: .seconds(90)) {
      $0.contains("until then no command reaches this monitor")
    }
    try Files.makePrivateDirectory(base)
    #expect(eventually(within: .seconds(90)) { Files.exists("\(base)/overline/monitor.sock") })
    try world.pullTheCable()
    try old.lines.first("the outage") { $0 == "offline" }
    let new = try start("watch", "--format", "prompt")
    try new.lines.wait("offline") { $0.last == "offline" }
    // Without a monitor, both wait for the next one, even if the directory is removed meanwhile.
    #expect(monitor.end(.kill) == 137)
    for watch in [old, new] { try watch.lines.wait("unknown") { $0.last == "unknown" } }
    try Self.remove(base)
    try Files.makePrivateDirectory(base)
    let next = try start("monitor")
    for watch in [old, new] { try watch.lines.wait("offline again") { $0.last == "offline" } }
    #expect(next.end(.terminate) == 0)
  }

  @Test("a monitor that another one has replaced ends, and leaves the other's files and line")
  func oneOfTwoEnds() throws {
    let world = try World()
    try world.pullTheCable()
    let server = try TmuxTestServer()
    let first = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" })
    _ = try Subprocess.run("kill", ["-STOP", "\(first.pid)"])
    try Self.remove("\(world.folder)/overline")
    let second = try world.startMonitor()
    #expect(eventually { Files.exists("\(world.folder)/overline/state") })
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    Signal.continued.send(to: first.pid)
    try first.errors.first("why it ends") { $0.contains("a monitor runs already") && $0.hasSuffix("; ending") }
    #expect(endStatus(of: first.pid) == 0)
    #expect(isServed(world))
    // Also in tmux, where the first one removed its line at its end.
    #expect(try eventually { try server.tmux("show", "-gv", "status") == "2\n" })
    let names = try Files.names(in: "\(world.folder)/overline")
    #expect(Set(names) == ["lock", "monitor.sock", "quiet", "state", "tmux"], "\(names)")
    #expect(second.end(.terminate) == 0)
    #expect(try server.tmux("show", "-gv", "status") == "on\n")
  }
}

/// A user without free inotify instances.
@Suite(.ownThread) struct WithoutInotifyTests {
  /// A user namespace has a limit of its own.
  private static let script = "echo 0 >/proc/sys/user/max_inotify_instances; exec \"$@\""

  @Test("the monitor warns once, continues, and follows its configuration once it can watch the file")
  func withoutInotify() throws {
    let world = try World()
    func start(_ arguments: String...) throws -> TestProgram {
      try world.namespace.inside {
        try TestProgram(
          "unshare", ["--user", "--map-root-user", "sh", "-c", Self.script, "sh", World.executable] + arguments,
          environment: world.environment)
      }
    }
    let watch = try start("watch", "--format", "prompt")
    try watch.errors.first("the warning") { $0.contains("max_user_instances") && $0.contains("every 5 seconds") }
    let monitor = try start("monitor")
    try monitor.errors.first("the warning") { $0.contains("raise fs.inotify.max_user_instances") }
    try watch.lines.wait("online") { $0.last == "online" }
    let doctor = try start("doctor")
    try doctor.lines.first("the problem") { $0.hasPrefix("problem") && $0.contains("files ") }
    // Then another program ends. The watcher tries again every 30 seconds.
    let raised = try Subprocess.run(
      "nsenter",
      [
        "--user", "--preserve-credentials", "--target", "\(monitor.pid)", "sh", "-c",
        "echo 128 >/proc/sys/user/max_inotify_instances",
      ])
    #expect(raised.status == 0, "\(raised.errorText)")
    try world.configure("[banner]\nnonsense = 1\n")
    try monitor.errors.first("the configuration", within: .seconds(60)) { $0.contains("banner.nonsense") }
    #expect(monitor.errors.values.count { $0.contains("max_user_instances") } == 1)
    #expect(monitor.end(.terminate) == 0)
  }
}
