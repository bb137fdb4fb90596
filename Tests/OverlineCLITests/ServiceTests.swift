import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The monitor as a service; the test plays the manager, which receives its notifications and has opened its socket.
@Suite(.ownThread) struct MonitorServiceTests {
  @Test(arguments: [false, true])
  func theMonitorReportsItsStatusToTheServiceManager(_ isAbstract: Bool) throws {
    let world = try World()
    // Abstract names belong to a network namespace.
    let manager = try world.namespace.inside {
      try NotifyReceiver(isAbstract ? "@overline-test-\(getpid())" : "\(world.folder)/notify")
    }
    let monitor = try world.start("monitor", environment: ["NOTIFY_SOCKET=\(manager.address)"])
    let ready = try manager.next()
    #expect(ready.first?.hasPrefix("STATUS=online via eth0, wired, gateway 192.0.2.1, IPv4") == true)
    #expect(ready.dropFirst() == ["READY=1"])
    // Ready means that the monitor answers.
    #expect(try world.overline("status", "--socket", "\(world.folder)/overline/monitor.sock").status == 0)
    try world.pullTheCable()
    var offline = try manager.next()
    // The kernel disables the routes a moment before it reports the link: a look-up in between finds no way to the nameserver.
    while offline.first?.hasPrefix("STATUS=online") == true { offline = try manager.next() }
    #expect(offline == ["STATUS=offline: default via 192.0.2.1 dev eth0 has no carrier"])
    monitor.end(.terminate)
    #expect(try manager.next().first == "STOPPING=1")
  }

  /// The manager's commands print it on a terminal.
  @Test func theStatusForTheServiceManagerIsText() throws {
    let world = try World()
    try world.rename("a\u{1b}[31m\u{9b}")
    let manager = try NotifyReceiver("\(world.folder)/notify")
    let monitor = try world.start("monitor", environment: ["NOTIFY_SOCKET=\(manager.address)"])
    var status = try manager.next().first
    // The kernel reports the renamed link's carrier a moment later.
    while status?.hasPrefix("STATUS=offline") == true { status = try manager.next().first }
    #expect(status?.hasPrefix("STATUS=online via a[31m, wired") == true, "\(status ?? "no message")")
    monitor.end(.terminate)
  }

  @Test func aSignOfLifeComesInTimeAndOnlyWhenItIsAskedFor() throws {
    let world = try World()
    let manager = try NotifyReceiver("\(world.folder)/notify")
    let monitor = try world.start(
      "monitor", environment: ["NOTIFY_SOCKET=\(manager.address)", "WATCHDOG_USEC=400000"])
    #expect(try manager.next().contains("READY=1"))
    let start = BootClock.now
    for _ in 0..<5 { #expect(try manager.next() == ["WATCHDOG=1"]) }
    // Five halves of 400 ms, and not all at once.
    #expect(BootClock.now - start > .milliseconds(900))
    // A monitor that hangs sends none.
    kill(monitor.pid, SIGSTOP)
    while try manager.next(within: 500) != [] {}
    monitor.end(.kill)

    // Meant for another process, such as this one's parent.
    let second = try world.start(
      "monitor", environment: ["NOTIFY_SOCKET=\(manager.address)", "WATCHDOG_USEC=20000", "WATCHDOG_PID=1"])
    #expect(try manager.next().contains("READY=1"))
    #expect(try manager.next(within: 200) == [])
    second.end(.terminate)
  }

  @Test func aMissingServiceManagerIsReportedAndNotNeeded() throws {
    let world = try World()
    let monitor = try world.start("monitor", environment: ["NOTIFY_SOCKET=/nowhere"])
    try monitor.errors.first("what is wrong") {
      $0.contains("cannot connect to the service manager at /nowhere: No such file")
    }
    try monitor.lines.first("the network") { $0.contains("online via eth0") }
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aSocketThatWasOpenedBeforeIsServedAndStays() throws {
    let world = try World()
    try Files.makePrivateDirectory("\(world.folder)/overline")
    let socket = "\(world.folder)/overline/monitor.sock"
    let listener = try UnixSocket.listen(at: socket)
    // The first client starts the monitor: this one has connected before.
    let early = try UnixSocket.connect(to: socket)
    for _ in 0..<2 {
      let monitor = try world.activated(listener)
      try monitor.lines.wait("the first line") { !$0.isEmpty }
      #expect(try world.overline("status", "--socket", socket).outputText.hasPrefix("online via eth0"))
      #expect(eventually { Files.exists("\(world.folder)/overline/state") })
      #expect(try Files.read("\(world.folder)/overline/lock") == Array("\(monitor.pid)\n".utf8))
      #expect(monitor.errors.values == [])
      #expect(monitor.end(.terminate) == 0)
      #expect(Files.exists(socket))
      #expect(!Files.exists("\(world.folder)/overline/state"))
    }
    #expect(String(decoding: try early.read(), as: UTF8.self).hasPrefix(#"{"v":1,"#))

    // A monitor started by hand must not replace the socket.
    let second = try world.overline("monitor")
    #expect(second.status == 2)
    #expect(second.errorText.contains("the service manager listens at \(socket)"))
    #expect(Files.exists(socket))
  }

  @Test func aSocketInAnotherPlaceIsReported() throws {
    let world = try World()
    let listener = try UnixSocket.listen(at: "\(world.folder)/other.sock")
    let monitor = try world.activated(listener)
    try monitor.errors.first("what is wrong") {
      $0.contains("the service manager listens at \(world.folder)/other.sock, and observers look for the monitor at ")
    }
    try monitor.lines.first("the network") { $0.contains("online via eth0") }
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func whatAMonitorLeavesThatWasKilledWithItsGuardianIsRemoved() throws {
    let world = try World()
    let server = try TmuxTestServer()
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    try world.pullTheCable()
    let hasBanner = { try server.tmux("show-options", "-g", "status").contains("2") }
    #expect(try eventually(hasBanner))
    // While a monitor runs, `clean-up` leaves everything.
    #expect(eventually { Files.exists("\(world.folder)/overline/state") })
    #expect(try world.overline("clean-up").status == 0)
    #expect(try hasBanner())
    #expect(Files.exists("\(world.folder)/overline/state"))

    let children = try Subprocess.run("ps", ["-o", "pid=", "--ppid", "\(monitor.pid)"]).outputText
      .split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    #expect(children.count == 1)
    // A running monitor would replace the guardian.
    kill(monitor.pid, SIGSTOP)
    for guardian in children { Signal.kill.send(to: guardian) }
    monitor.end(.kill)
    #expect(try hasBanner())
    #expect(try world.overline("clean-up").status == 0)
    #expect(try !hasBanner())
    #expect(!Files.exists("\(world.folder)/overline/state"))
    // For a user that never ran a monitor there is nothing to do.
    #expect(try World().overline("clean-up").status == 0)
  }
}

extension World {
  /// Starts a monitor with a listening socket, as systemd does it.
  fileprivate func activated(_ listener: borrowing FileDescriptor) throws -> TestProgram {
    let raw = listener.rawValue
    return try namespace.inside {
      try TestProgram(
        "sh", ["-c", "LISTEN_PID=$$ exec \(Self.executable) monitor"],
        environment: environment + ["LISTEN_FDS=1", "LISTEN_FDNAMES=monitor"], inheriting: [(raw, 3)])
    }
  }
}

/// The manager's end of sd_notify(3).
private final class NotifyReceiver {
  let address: String
  private let socket: FileDescriptor

  /// - Parameter address: a path, or `@` and an abstract name.
  init(_ address: String) throws {
    self.address = address
    socket = FileDescriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(address.utf8).map { $0 == UInt8(ascii: "@") ? 0 : $0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let raw = socket.rawValue
    let result = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(raw, $0, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
      }
    }
    if result != 0 { throw TestKitError("bind \(address): \(errno)") }
  }

  /// The lines of the next message; none when none comes within this time.
  func next(within milliseconds: Int32 = 30_000) throws -> [String] {
    var waiting = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) == 1 else { return [] }
    return String(decoding: try socket.read(), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
