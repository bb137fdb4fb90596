import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// A monitor's socket that is full, elsewhere, or unusable.
@Suite(.ownThread) struct MonitorSocketTests {
  /// A stopped monitor with a full queue of clients: a connection would wait for room forever.
  @Test func aFullSocketBlocksNoCommand() throws {
    let world = try World()
    try Files.makePrivateDirectory("\(world.folder)/overline")
    let socket = "\(world.folder)/overline/monitor.sock"
    let listener = try UnixSocket.listen(at: socket)
    #expect(listen(listener.rawValue, 0) == 0)
    let first = try UnixSocket.connect(to: socket)
    let status = try world.start("status")
    #expect(endStatus(of: status.pid, within: .seconds(20)) == 2)
    try status.errors.first("why") { $0 == "overline: the monitor did not answer in time; it may be stopped" }
    // No process holds the lock: so the service manager must be listening.
    let second = try world.start("monitor")
    #expect(endStatus(of: second.pid, within: .seconds(20)) == 2)
    try second.errors.first("why") { $0.contains("the service manager listens at \(socket)") }
    #expect(Files.exists(socket))
    // The stopped monitor holds it.
    let lock = try FileLock.acquire("\(world.folder)/overline/lock")
    let third = try world.start("monitor")
    #expect(endStatus(of: third.pid, within: .seconds(30)) == 2)
    try third.errors.first("why") { $0.contains("has held the monitor's lock") }
    _ = consume lock
    _ = consume first
  }

  /// Also requests whose answers may take long: reading and changing a tmux server takes up to 21 seconds, a user's answer any time.
  @Test(arguments: [
    (["status"], 2), (["metrics"], 2), (["reload"], 2), (["tmux", "attach", "--server", "/nonexistent"], 2),
    (["tmux", "detach", "--server", "/nonexistent"], 2), (["alert", "Really?"], 70),
  ])
  func aStoppedMonitorIsReported(_ command: [String], _ status: Int) throws {
    let world = try World()
    let monitor = try world.startMonitor()
    _ = try Subprocess.run("kill", ["-STOP", "\(monitor.pid)"])
    let socket = "\(world.folder)/overline/monitor.sock"
    let result = try world.namespace.inside {
      try Subprocess.run(
        World.executable, command + ["--socket", socket], environment: world.environment, timeout: .seconds(18))
    }
    #expect(result.status == Int32(status))
    #expect(result.errorText == "overline: the monitor did not answer in time; it may be stopped\n")
    monitor.end(.kill)
  }

  @Test func aSocketElsewhereIsListenedAtAgainAfterACrash() throws {
    let world = try World()
    let socket = "\(world.folder)/mine.sock"
    for end in [Signal.kill, .terminate] {
      let monitor = try world.start("monitor", "--socket", socket)
      try monitor.lines.wait("the first line") { !$0.isEmpty }
      #expect(try world.overline("status", "--socket", socket).status == 0)
      let second = try world.overline("monitor", "--socket", socket)
      #expect(second.errorText.contains("a monitor runs already (pid \(monitor.pid))"))
      monitor.end(end)
    }
    #expect(!Files.exists(socket))
    // A typing error must not delete a file.
    try Files.replace(socket, with: Array("mine".utf8))
    let monitor = try world.start("monitor", "--socket", socket)
    try monitor.errors.first("what is in the way") {
      $0.contains("mine.sock is there already and is not a socket but a file; remove it by hand")
    }
    #expect(try Files.read(socket) == Array("mine".utf8))
  }

  @Test func aSocketThatCannotBeUsedIsExplained() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    let second = try world.overline("monitor", "--socket", "\(world.folder)/overline/other.sock")
    #expect(second.errorText.contains("a monitor runs already (pid \(monitor.pid))"), "\(second.errorText)")
    let shared = try world.start("monitor", "--socket", "/tmp/\(monitor.pid).sock")
    let advice = try shared.errors.first("what to do") {
      $0.contains("; name a socket in a directory that only you can enter")
    }
    #expect(!advice.contains("chmod") && !advice.contains("XDG_RUNTIME_DIR"), "\(advice)")
  }
}
