import Dispatch
import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// `overline watch`, while monitors start, end and are stopped.
@Suite(.ownThread) struct WatchTests {
  @Test func watchSaysUnknownWhileThereIsNoMonitorAndConnectsByItself() throws {
    let world = try World()
    let watch = try world.start("watch", "--format", "prompt")
    try watch.lines.wait("unknown") { $0 == ["unknown"] }
    let monitor = try world.startMonitor()
    try watch.lines.wait("online") { $0 == ["unknown", "online"] }
    monitor.end(.terminate)
    try watch.lines.wait("unknown again") { $0 == ["unknown", "online", "unknown"] }
    try world.pullTheCable()
    let second = try world.startMonitor()
    try watch.lines.wait("offline") { $0 == ["unknown", "online", "unknown", "offline"] }
    second.end(.terminate)
  }

  /// Neovim and Node read a program's output from a socket, whose end poll(2) reports in another way than a pipe's.
  @Test(arguments: [true, false]) func watchEndsWithTheReaderOfASocket(_ hasMonitor: Bool) throws {
    let world = try World()
    let monitor = hasMonitor ? try world.startMonitor() : nil
    let script = """
      use Socket; socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC);
      my $pid = fork; if (!$pid) { open STDOUT, ">&", $b; close $a; close $b; exec @ARGV }
      close $b; sysread $a, my $line, 4096; close $a; waitpid $pid, 0; print $? >> 8, "\\n"
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "perl", ["-e", script, World.executable, "watch", "--format", "prompt"], environment: world.environment,
        timeout: .seconds(30))
    }
    #expect(result.outputText == "0\n", "\(result.errorText)")
    withExtendedLifetime(monitor) {}
  }

  /// At once, not at the next change, which may be days away.
  @Test(arguments: ["head -c 6", ":"], [true, false])
  func watchEndsWithItsReader(_ reader: String, _ hasMonitor: Bool) throws {
    let world = try World()
    let monitor = hasMonitor ? try world.startMonitor() : nil
    let result = try world.namespace.inside {
      try Subprocess.run(
        "bash", ["-c", "\(World.executable) watch --format prompt | \(reader) >/dev/null; echo ${PIPESTATUS[0]}"],
        environment: world.environment, timeout: .seconds(30))
    }
    #expect(result.outputText == "0\n")
    withExtendedLifetime(monitor) {}
  }

  /// A stopped monitor, first with room for one more client, and then with none.
  @Test func watchOutlastsAMonitorThatIsStopped() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    _ = try Subprocess.run("kill", ["-STOP", "\(monitor.pid)"])
    let waiting = try world.start("watch", "--format", "prompt")
    // Longer than a command waits for an answer, as the other command shows.
    #expect(try world.overline("status").status == 2)
    #expect(Files.exists("/proc/\(waiting.pid)/fd/0"))
    try waiting.lines.wait("unknown") { $0 == ["unknown"] }
    Signal.continued.send(to: monitor.pid)
    try waiting.lines.wait("online") { $0 == ["unknown", "online"] }
    #expect(monitor.end(.kill) == 137)

    try waiting.lines.wait("unknown") { $0 == ["unknown", "online", "unknown"] }
    let socket = "\(world.folder)/overline/monitor.sock"
    try Files.remove(socket)
    let listener = try UnixSocket.listen(at: socket)
    #expect(listen(listener.rawValue, 0) == 0)
    // The queue has one place, which the first command may have taken.
    let first = try? UnixSocket.connect(to: socket, timeout: .milliseconds(1))
    let late = try world.start("watch", "--format", "prompt")
    try late.lines.wait("unknown") { $0 == ["unknown"] }
    _ = consume listener
    _ = consume first
    let second = try world.startMonitor()
    for watch in [waiting, late] { try watch.lines.first("online", from: 1) { $0 == "online" } }
    #expect(late.lines.values == ["unknown", "online"])
    #expect(second.end(.terminate) == 0)
  }

  /// The outage ends while the monitor is stopped, so the monitor cannot report its end.
  @Test func anOutageIsUnknownWhenTheMonitorHangs() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    try world.pullTheCable()
    try watch.lines.wait("the outage") { $0.last == "offline" }
    _ = try Subprocess.run("kill", ["-STOP", "\(monitor.pid)"])
    try watch.lines.wait("unknown", within: .seconds(60)) { $0.last == "unknown" }
    _ = try Subprocess.run("kill", ["-CONT", "\(monitor.pid)"])
    try watch.lines.wait("the outage again") { $0 == ["online", "offline", "unknown", "offline"] }
    try world.plugTheCable()
    try watch.lines.wait("its end") { $0.suffix(2) == ["restored", "online"] }
    #expect(monitor.end(.terminate) == 0)
  }
}
