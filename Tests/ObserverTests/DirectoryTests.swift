import COverline
import Dispatch
import Foundation
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Synchronization
import Testing
@testable import OverlineCore
@testable import OverlineShell

@Suite(.ownThread) struct RuntimeDirectoryTests {
  @Test func theDirectoryIsMadeForItsOwnerOnly() throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory.locate(xdgRuntimeDirectory: base.path + "/", userDirectories: "/nowhere")
    #expect(directory == RuntimeDirectory(path: base.path + "/overline"))
    try directory.prepare()
    try directory.prepare()
    #expect(try Files.attributes(directory.path).permissions == 0o700)
    #expect(directory.socket == base.path + "/overline/monitor.sock")
  }

  @Test func withoutXDGTheUsersOwnDirectoryCounts() throws {
    let base = try TemporaryDirectory()
    let own = base.path + "/\(getuid())"
    let missing = #expect(throws: ObserverSocketError.self) {
      try RuntimeDirectory.locate(xdgRuntimeDirectory: nil, userDirectories: base.path)
    }
    #expect(missing?.code == .badDirectory)
    #expect(missing?.message.contains("export XDG_RUNTIME_DIR=") == true)
    try Files.makePrivateDirectory(own)
    #expect(
      try RuntimeDirectory.locate(xdgRuntimeDirectory: nil, userDirectories: base.path).path == own + "/overline")
    // The specification ignores relative paths.
    #expect(
      try RuntimeDirectory.locate(xdgRuntimeDirectory: "run", userDirectories: base.path).path == own + "/overline")
  }

  @Test func aDirectoryThatOthersCanWriteIsRefused() throws {
    let base = try TemporaryDirectory()
    #expect(chmod(base.path, 0o1777) == 0)
    let error = #expect(throws: ObserverSocketError.self) {
      try RuntimeDirectory.locate(xdgRuntimeDirectory: base.path, userDirectories: "/nowhere")
    }
    // Following an advice to close /tmp would break the machine.
    #expect(error?.message.contains("can be written by other users (mode 1777); it is shared on purpose") == true)
    #expect(error?.message.contains("chmod") == false)
    #expect(chmod(base.path, 0o777) == 0)
    let open = #expect(throws: ObserverSocketError.self) {
      try RuntimeDirectory.locate(xdgRuntimeDirectory: base.path, userDirectories: "/nowhere")
    }
    #expect(open?.message.contains("can be written by other users (mode 777); run: chmod 700") == true)
  }

  @Test(arguments: [("run", "(run) is not an absolute path and "), ("", "is empty and "), (nil, "is not set and ")])
  func theReasonAVariableIsIgnoredIsReported(value: String?, fault: String) {
    let error = #expect(throws: ObserverSocketError.self) {
      try RuntimeDirectory.locate(xdgRuntimeDirectory: value, userDirectories: "/nowhere")
    }
    #expect(error?.message.hasPrefix("XDG_RUNTIME_DIR \(fault)") == true)
  }

  @Test func aDirectoryThatIsNotThereIsNamed() {
    let error = #expect(throws: ObserverSocketError.self) {
      try RuntimeDirectory.locate(xdgRuntimeDirectory: "/nowhere/at/all", userDirectories: "/nowhere")
    }
    #expect(error?.message.contains("XDG_RUNTIME_DIR (/nowhere/at/all) cannot be used: No such file") == true)
  }

  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a directory away"))
  func anotherUsersDirectoryIsRefused() throws {
    let base = try TemporaryDirectory()
    try base.runtime.prepare()
    #expect(chown(base.runtime.path, 65534, 65534) == 0)
    let error = #expect(throws: ObserverSocketError.self) { try base.runtime.prepare() }
    #expect(error?.message.contains("belongs to user 65534, not to you (0)") == true)
    #expect(chown(base.path, 65534, 65534) == 0)
    #expect(throws: ObserverSocketError.self) {
      try RuntimeDirectory.locate(xdgRuntimeDirectory: base.path, userDirectories: "/nowhere")
    }
  }

  @Test func anOpenDirectoryALinkAndAFileAreRefused() throws {
    let base = try TemporaryDirectory()
    let directory = base.runtime
    try directory.prepare()
    #expect(chmod(directory.path, 0o755) == 0)
    let open = #expect(throws: ObserverSocketError.self) { try directory.prepare() }
    #expect(open?.message.contains("open to other users (mode 755); run: chmod 700") == true)
    #expect(rmdir(directory.path) == 0)
    #expect(symlink(base.path, directory.path) == 0)
    let link = #expect(throws: ObserverSocketError.self) { try directory.prepare() }
    #expect(link?.message.contains("is not a directory (symbolic links are not followed here)") == true)
    #expect(unlink(directory.path) == 0)
    try Files.replace(directory.path, with: [])
    #expect(throws: ObserverSocketError.self) { try directory.prepare() }
  }

  @Test func onePlaceThatCannotBeWrittenSaysWhatToDo() {
    let error = #expect(throws: ObserverSocketError.self) { try RuntimeDirectory(path: "/proc/overline").prepare() }
    #expect(error?.message.contains("set XDG_RUNTIME_DIR to a directory of your own") == true)
  }

  @Test func aPathTooLongIsFoundBeforeAnythingIsMade() throws {
    let base = try TemporaryDirectory()
    let long = RuntimeDirectory(path: base.path + "/" + String(repeating: "x", count: 100))
    let error = #expect(throws: ObserverSocketError.self) { try long.prepare() }
    #expect(error?.code == .pathTooLong)
    #expect(!Files.exists(long.path))
  }
}

@Suite(.ownThread) struct MonitorLockTests {
  @Test func theLockNamesItsHolderAndRemovesAStaleSocket() throws {
    let base = try TemporaryDirectory()
    try base.runtime.prepare()
    // A monitor that was killed leaves its socket.
    do { _ = try UnixSocket.listen(at: base.runtime.socket) }
    #expect(Files.exists(base.runtime.socket))
    // A process that another test has just forked has the descriptor until it executes its program.
    #expect(eventually { !UnixSocket.isListened(at: base.runtime.socket) })
    let lock = try MonitorLock.acquire(base.runtime)
    #expect(!Files.exists(base.runtime.socket))
    #expect(MonitorLock.holder(base.runtime) == getpid())
    #expect(fcntl(lock.rawDescriptor, F_GETFD) == FD_CLOEXEC)
  }

  @Test func aSecondMonitorSaysThatOneRunsAndHarmsNothing() throws {
    let base = try TemporaryDirectory()
    try base.runtime.prepare()
    let lock = try MonitorLock.acquire(base.runtime)
    let socket = try UnixSocket.listen(at: base.runtime.socket)
    let started = BootClock.now
    let error = #expect(throws: ObserverSocketError.self) { try acquireAndDrop(base.runtime, .seconds(60)) }
    #expect(error?.code == .alreadyRunning)
    #expect(error?.message.contains("a monitor runs already (pid \(getpid()))") == true)
    #expect(BootClock.now - started < .seconds(30), "it waited although a monitor answered")
    #expect(Files.exists(base.runtime.socket))
    _ = consume lock
    _ = consume socket
  }

  @Test func aHolderThatDoesNotAnswerIsWaitedForAndThenNamed() throws {
    let base = try TemporaryDirectory()
    try base.runtime.prepare()
    let lock = try MonitorLock.acquire(base.runtime)
    let error = #expect(throws: ObserverSocketError.self) { try acquireAndDrop(base.runtime, .milliseconds(50)) }
    #expect(error?.code == .alreadyRunning)
    #expect(error?.message.contains("process \(getpid()) has held the monitor's lock") == true)
    #expect(error?.message.hasSuffix("kill -9 \(getpid())") == true)
    _ = consume lock
    // The waiting thread has released the lock that it got too late.
    #expect(eventually { (try? acquireAndDrop(base.runtime, .milliseconds(50))) != nil })
  }

  @Test func theLockOfAGuardianIsTakenOverWhenItEnds() throws {
    let base = try TemporaryDirectory()
    try base.runtime.prepare()
    // Only the child holds the lock, as after kill -9 of its monitor, which the lock still names.
    let pipe = try OverlineSystem.Pipe()
    let guardian: Int32
    do {
      let lock = try MonitorLock.acquire(base.runtime)
      guardian = try Subprocess.spawn(
        "cat", [], newSession: true, descriptors: [(pipe.reading.rawValue, 0), (lock.rawDescriptor, 9)])
    }
    let holder = try FileLock.acquire(base.runtime.lock)
    switch consume holder {
    case .some: Issue.record("the guardian does not hold the lock")
    case .none: break
    }
    let error = #expect(throws: ObserverSocketError.self) { try acquireAndDrop(base.runtime, .milliseconds(50)) }
    #expect(error?.message.contains("process \(guardian), the guardian of a monitor that is gone, has held") == true)
    #expect(error?.message.hasSuffix("kill -9 \(guardian)") == true)
    let writing = SharedDescriptor(pipe.takeWriting())
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { writing.close() }
    try acquireAndDrop(base.runtime, .seconds(60))
    #expect(endStatus(of: guardian) == 0)
  }

  private func acquireAndDrop(_ directory: RuntimeDirectory, _ timeout: Duration) throws {
    _ = try MonitorLock.acquire(directory, timeout: timeout)
  }
}

@Suite(.ownThread) struct StateFileTests {
  @Test func aStateFileNamesTheStateAndItsProcess() throws {
    let base = try TemporaryDirectory()
    let file = StateFile(path: base.path + "/state")
    #expect(StateFile.read(file.path) == nil)
    try file.write(offline())
    let contents = try #require(StateFile.read(file.path))
    #expect(contents.state == .offline)
    #expect(contents.variables["OVERLINE_TITLE"] == "No connection")
    #expect(contents.monitor.pid == getpid())
    try file.write(online())
    #expect(StateFile.read(file.path)?.state == .online)
    #expect(try FileManager.default.contentsOfDirectory(atPath: base.path) == ["state"])
    file.remove()
    #expect(StateFile.read(file.path) == nil)
  }

  /// A monitor never leaves half a file, but a disk may.
  @Test func aFileCutAnywhereIsNothing() throws {
    let base = try TemporaryDirectory()
    let file = StateFile(path: base.path + "/state")
    try file.write(offline())
    let whole = try Files.read(file.path)
    // All but the final line feed, which has no meaning.
    for length in 0..<whole.count - 1 {
      try Files.replace(file.path, with: Array(whole[..<length]))
      #expect(StateFile.read(file.path) == nil, "\(length)")
    }
  }

  @Test func theFileOfADeadMonitorIsIgnored() throws {
    let base = try TemporaryDirectory()
    let path = base.path + "/state"
    let child = try Subprocess.spawn("true", [], newSession: false, descriptors: [])
    let start = ProcessEnvironment.startTime(of: child) ?? 0
    _ = Subprocess.wait(for: child)
    let dead = EnvironmentFormat.stateFile(online(), monitor: MonitorIdentity(pid: child, start: start))
    try Files.replace(path, with: Array(dead.utf8))
    #expect(StateFile.read(path) == nil)
    // The pid exists, but for another process: it started at another time.
    let own = ProcessEnvironment.startTime(of: getpid())! + 1
    let recycled = EnvironmentFormat.stateFile(online(), monitor: MonitorIdentity(pid: getpid(), start: own))
    try Files.replace(path, with: Array(recycled.utf8))
    #expect(StateFile.read(path) == nil)
    try Files.replace(path, with: Array("rm -rf /\n".utf8))
    #expect(StateFile.read(path) == nil)
  }
}

@Suite(.ownThread) struct ClientTests {
  @Test func withoutAMonitorTheErrorSaysHowToStartOne() throws {
    let base = try TemporaryDirectory()
    let missing = #expect(throws: ObserverSocketError.self) {
      try ObserverClient.status(path: base.path + "/monitor.sock")
    }
    #expect(missing?.code == .noMonitor)
    #expect(missing?.message.contains("start one with: overline monitor") == true)
    do { _ = try UnixSocket.listen(at: base.path + "/monitor.sock") }
    let stale = #expect(throws: ObserverSocketError.self) {
      try ObserverClient.status(path: base.path + "/monitor.sock")
    }
    #expect(stale?.code == .noMonitor)
  }

  @Test func aMonitorThatIsStoppedTimesOut() throws {
    let base = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: base.path + "/s")
    let error = #expect(throws: ObserverSocketError.self) {
      try ObserverClient.status(path: base.path + "/s", timeout: .milliseconds(20))
    }
    #expect(error?.code == .timeout)
    _ = consume listener
  }

  /// Accessible to all, so that only the credentials are left to refuse.
  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can be another user"))
  func aSocketOfAnotherUserIsNotTrusted() throws {
    let base = try TemporaryDirectory()
    #expect(chmod(base.path, 0o777) == 0)
    let script = """
      use IO::Socket::UNIX; $| = 1; my $s = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die "listen: $!";
      chmod 0666, $ARGV[0]; print "ready\\n"; sleep 60
      """
    let other = try TestProgram(
      "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "perl", "-e", script, base.path + "/s"],
      environment: ["PATH=/usr/bin:/bin"])
    try other.lines.wait("the other user's socket") { $0 == ["ready"] }
    let error = #expect(throws: ObserverSocketError.self) { try ObserverClient.status(path: base.path + "/s") }
    #expect(error?.code == .refused)
    #expect(error?.message == "the socket \(base.path)/s belongs to another user")
  }

  @Test func aMonitorThatSpeaksSomethingElseIsABadAnswer() throws {
    let base = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: base.path + "/s")
    var client = try ObserverClient(path: base.path + "/s")
    let server = try UnixSocket.accept(from: listener.rawValue)
    try server.writeAll(Array("HTTP/1.1 400\n{\"v\":1}\n".utf8))
    for _ in 0..<2 {
      do {
        _ = try client.next(timeout: .seconds(10))
        Issue.record("it was taken")
      } catch {
        #expect(error.code == .badAnswer)
      }
    }
  }
}
