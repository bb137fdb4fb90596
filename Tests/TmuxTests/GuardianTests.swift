import Dispatch
import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// A banner never outlives its monitor.
@Suite(.ownThread) struct GuardianTests {
  static let helper = BuiltProgram.path("OverlineTmuxTestHelper")

  /// A monitor in a process of its own, which shows the banner, a toast, or both in some servers.
  final class Monitor: Sendable {
    let pid: Int32
    let lock: String
    private let input: Pipe

    init(_ scenes: [Scene], showing what: String = "banner") throws {
      input = try Pipe()
      lock = scenes[0].server.socket + ".lock"
      pid = try Subprocess.spawn(
        GuardianTests.helper, ["monitor", lock, what] + scenes.map(\.server.socket),
        // As a service manager starts it: no locale.
        environment: ["PATH=\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"], newSession: true,
        descriptors: [(input.reading.rawValue, 0)])
    }

    func kill() { Signal.kill.send(to: pid) }

    deinit {
      kill()
      _ = Subprocess.wait(for: pid)
      try? Files.remove(lock)
    }

    func guardian() throws -> Int32? { try TmuxTestServer.guardian(of: pid) }
  }

  @Test("a guardian that cannot run is not started for ever") func shortLives() {
    var lives = GuardianLives()
    let short = Duration.milliseconds(10)
    func replaced(_ seconds: [Duration]) -> [Bool] { seconds.map { lives.endedAfter($0) } }
    #expect(replaced([short, short, short, short, short]) == [true, true, true, false, false])
    #expect(replaced([.seconds(5), short]) == [true, true])
    lives.begin()
    #expect(replaced([short, short, short, short]) == [true, true, true, false])
  }

  @Test func killingTheMonitorGivesTheLinesBack() throws {
    let scenes = [
      try Scene(["set -g status 2", "set -g status-format[2] 'é 日本 …'"]), try Scene(["set -g status off"]),
    ]
    let dumps = try scenes.map { try $0.dump() }
    let cells = try scenes.map { try $0.screen.cells() }
    let monitor = try Monitor(scenes)
    for scene in scenes { try scene.wait(for: "No connection") }
    let guardian = try #require(try monitor.guardian())
    // No signal ends the guardian itself; a service manager sends one to each process of a service.
    for signal in [Signal.hangUp, .interrupt, .quit, .terminate] { signal.send(to: guardian) }
    #expect(try Subprocess.run("ps", ["-o", "sid=", "-p", "\(guardian)"]).outputText.contains("\(guardian)"))
    // The whole group, as a terminal or an out-of-memory killer does.
    Signal.kill.send(to: -monitor.pid)
    for (scene, dump) in zip(scenes, dumps) {
      #expect(try eventually { try scene.dump() == dump })
    }
    for (scene, cells) in zip(scenes, cells) { try expectScreen(scene.screen, cells) }
    #expect(eventually { ProcessEnvironment.startTime(of: guardian) == nil })
  }

  /// Killed at any moment, even between two of its commands.
  @Test func killingAtAnyMomentLeavesNothing() throws {
    let scene = try Scene()
    let dump = try scene.dump()
    for delay in 0..<12 {
      let monitor = try Monitor([scene])
      pause(for: .milliseconds(delay * 4))
      monitor.kill()
      // The guardian holds the lock until it has finished.
      #expect(try eventually { try FileLock.acquire(monitor.lock) != nil })
      #expect(try scene.dump() == dump)
    }
  }

  @Test(arguments: ["toast", "both"], ["on", "4"])
  func killingTheMonitorDuringAToastGivesTheLinesBack(what: String, status: String) throws {
    let scene = try Scene(["set -g status \(status)"])
    try scene.server.source("split-window -v sh", "split-window -v -l 5 sh", "resize-pane -t 0 -y 1")
    for pane in 1...2 {
      #expect(try eventually { try scene.server.tmux("capture-pane", "-p", "-t", ":.\(pane)").contains { $0 != "\n" } })
    }
    try scene.screen.settle()
    let dump = try scene.dump()
    let cells = try scene.screen.cells()
    let monitor = try Monitor([scene], showing: what)
    try scene.wait(for: "Saved")
    if what == "both" { try scene.wait(for: "No connection") }
    Signal.kill.send(to: -monitor.pid)
    #expect(try eventually { try scene.dump() == dump })
    try expectScreen(scene.screen, cells)
    for delay in 0..<8 {
      let monitor = try Monitor([scene], showing: what)
      pause(for: .milliseconds(delay * 6))
      Signal.kill.send(to: -monitor.pid)
      #expect(try eventually { try FileLock.acquire(monitor.lock) != nil })
      #expect(try eventually { try scene.dump() == dump })
      #expect(try scene.dump() == dump)
    }
  }

  @Test func theGuardianHoldsTheLockAndNothingElse() throws {
    let scene = try Scene()
    let monitor = try Monitor([scene])
    try scene.wait(for: "No connection")
    let guardian = try #require(try monitor.guardian())
    let open = try Subprocess.run("ls", ["-l", "/proc/\(guardian)/fd"]).outputText.split(separator: "\n").dropFirst()
      .map {
        String($0.split(separator: " ").last!)
      }
    #expect(open.filter { $0.hasPrefix("pipe:") }.count == 1)
    #expect(open.filter { $0 == "/dev/null" }.count == 2)
    #expect(open.filter { $0 == monitor.lock }.count == 1)
    #expect(open.count == 4)
    // While it restores, a next monitor cannot start.
    #expect(try FileLock.acquire(monitor.lock) == nil)
    monitor.kill()
    #expect(try eventually { try FileLock.acquire(monitor.lock) != nil })
    #expect(try scene.traces() == [])
  }

  /// A tmux client that outlives its monitor could add a line after the guardian's check.
  @Test func itWaitsForTheMonitorsTmux() throws {
    let server = try TmuxTestServer()
    let pipe = try Pipe()
    let pid = try Subprocess.spawn(
      Self.helper, ["guardian"], newSession: true, descriptors: [(pipe.reading.rawValue, 0)])
    let end = pipe.takeWriting()
    try end.writeAll(GuardianMessage.watch(server.socket).bytes)
    let raw = end.rawValue
    var writing: FileDescriptor? = consume end
    let socket = server.socket
    DispatchQueue.global().async {
      _ = try? TmuxClient(TmuxServer(socket: socket)).source(["wait-for here", "setenv -g LATE 1"], holding: [raw])
    }
    let isRunning = try eventually {
      let children = try Subprocess.run("ps", ["-o", "args=", "--ppid", "\(ProcessEnvironment.processID)"]).outputText
      return children.contains("\(socket) source-file")
    }
    #expect(isRunning)
    writing = nil
    _ = consume writing
    let deadline = BootClock.now + .milliseconds(200)
    _ = eventually { Self.isOver(pid) || BootClock.now >= deadline }
    #expect(!Self.isOver(pid))
    try server.tmux("wait-for", "-S", "here")
    #expect(eventually { Self.isOver(pid) })
    #expect(try server.tmux("show-environment", "-g", "LATE") == "LATE=1\n")
    _ = Subprocess.wait(for: pid)
  }

  /// Ended, even if a zombie until this process reaps it.
  private static func isOver(_ pid: Int32) -> Bool {
    (try? Subprocess.run("ps", ["-o", "stat=", "-p", "\(pid)"]).outputText.hasPrefix("Z")) ?? true
  }

  @Test func itEndsWithTheLastLine() throws {
    let guardian = GuardianProcess(executable: Self.helper, arguments: ["guardian"])
    let first = try Scene(guardian: guardian)
    let second = try Scene(guardian: guardian)
    #expect(guardian.processID == nil)
    try first.show()
    let pid = try #require(guardian.processID)
    try second.show()
    try first.hide()
    #expect(eventually { guardian.processID == pid })
    #expect(ProcessEnvironment.startTime(of: pid) != nil)
    try second.hide()
    #expect(eventually { guardian.processID == nil && ProcessEnvironment.startTime(of: pid) == nil })
    // And it appears again with the next outage.
    try first.show()
    #expect(guardian.processID != nil)
    try first.hide()
  }

  /// The monitor starts another guardian, and passes it every line.
  @Test func aKilledGuardianIsReplaced() throws {
    let scenes = [try Scene(), try Scene(["set -g status 2"])]
    let dumps = try scenes.map { try $0.dump() }
    let monitor = try Monitor(scenes)
    for scene in scenes { try scene.wait(for: "No connection") }
    for _ in 0..<3 {
      let guardian = try #require(try monitor.guardian())
      Signal.kill.send(to: guardian)
      #expect(try eventually { try ![nil, guardian].contains(monitor.guardian()) })
    }
    monitor.kill()
    for (scene, dump) in zip(scenes, dumps) { #expect(try eventually { try scene.dump() == dump }) }
  }

  /// Later lines are queued for the new guardian, and nothing is left of the old one.
  @Test func aGuardianThatIsKilledBetweenLinesServesOn() throws {
    let guardian = GuardianProcess(executable: Self.helper, arguments: ["guardian"])
    let first = try Scene(guardian: guardian)
    let second = try Scene(guardian: guardian)
    try first.show()
    let pid = try #require(guardian.processID)
    Signal.kill.send(to: pid)
    #expect(eventually { ![nil, pid].contains(guardian.processID) })
    let next = try #require(guardian.processID)
    try second.show()
    try first.show(.restored)
    try first.hide()
    #expect(guardian.processID == next)
    try second.hide()
    #expect(eventually { [pid, next].allSatisfy { ProcessEnvironment.startTime(of: $0) == nil } })
    #expect(guardian.processID == nil)
    #expect(first.errorsSeen + second.errorsSeen == [])
  }

  /// A guardian that ends at once is started a few times for a line, and the banner shows without it.
  @Test func aGuardianThatEndsAtOnceIsGivenUp() throws {
    let file = "/tmp/overline-test-guardian-\(ProcessEnvironment.processID)"
    defer { try? Files.remove(file) }
    let errors = Log<String>()
    let guardian = GuardianProcess(
      executable: "sh", arguments: ["-c", "echo start >>\(file)"], onError: { errors.append($0) })
    let scene = try Scene(guardian: guardian)
    try scene.show()
    #expect(eventually { errors.all.count == 1 })
    #expect(errors.all.first?.contains("ends as soon as it starts; a crash of the monitor") == true)
    #expect(try Files.read(file).count { $0 == 0x0a } == 4)
    try scene.show(.restored)
    #expect(guardian.processID == nil)
    try scene.hide()
    #expect(scene.errorsSeen == [] && errors.all.count == 1)
  }

  @Test func withoutAGuardianTheBannerShowsAndTheErrorIsReported() throws {
    let scene = try Scene(guardian: GuardianProcess(executable: "/no/such/program", arguments: []))
    try scene.show()
    #expect(scene.errorsSeen.first?.contains("a crash of the monitor") == true)
    try scene.hide()
  }

  @Test("a guardian whose executable was removed starts from the running program")
  func theRemovedExecutable() throws {
    let guardian = GuardianProcess(
      executable: "/no/such/program", orElse: Self.helper, arguments: ["guardian"])
    let scene = try Scene(guardian: guardian)
    try scene.show()
    #expect(guardian.processID != nil && scene.errorsSeen == [])
    try scene.hide()
  }

  /// Without a guardian, as after a crash that only tmux survived, the next monitor restores.
  @Test func theNextMonitorUndoesWhatACrashLeft() throws {
    let scene = try Scene()
    let dump = try scene.dump()
    try scene.show()
    let next = TmuxWindow(server: TmuxServer(socket: scene.server.socket))
    next.update(nil)
    #expect(try eventually { try scene.dump() == dump })
    // And a monitor that shows a banner at once reuses the line.
    next.update(.offline)
    try scene.wait(for: "No connection")
    let third = TmuxWindow(server: TmuxServer(socket: scene.server.socket))
    third.update(.titled("third"))
    try scene.wait(for: "third")
    #expect(try scene.server.tmux("show", "-gv", "status") == "2\n")
    third.update(nil)
    #expect(try eventually { try scene.dump() == dump })
  }

  @Test func detachingRemovesEveryTrace() throws {
    let scene = try Scene(["set -g status 4"])
    let dump = try scene.dump()
    try scene.show()
    #expect(try TmuxClient(TmuxServer(socket: scene.server.socket)).restoreSaved())
    #expect(try scene.dump() == dump)
    #expect(try TmuxClient(TmuxServer(socket: scene.server.socket)).restoreSaved() == false)
    #expect(try scene.dump() == dump)
  }
}
