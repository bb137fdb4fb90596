import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Unmodified programs for Apple's framework (Tests/ApplePrograms), in a namespace.
@Suite(.ownThread) struct AppleProgramTests {
  private static let executable = BuiltProgram.path("OverlineApplePrograms")

  private func start(_ name: String, in namespace: NetworkNamespace) throws -> TestProgram {
    // Without a terminal the C library would buffer the output.
    try namespace.inside {
      try TestProgram("stdbuf", ["-oL", Self.executable, name], environment: ["PATH=/usr/bin:/bin"])
    }
  }

  private func uplink() throws -> NetworkNamespace {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    return namespace
  }

  @Test func tenLinesPrintEachPath() throws {
    let namespace = try uplink()
    let program = try start("print", in: namespace)
    try program.lines.first("online") { $0.hasPrefix("satisfied (Path is satisfied), interface: eth0, ipv4") }
    try namespace.ip("link set eth0p down")
    try program.lines.first("offline") { $0 == "unsatisfied (eth0 has no carrier)" }
    try namespace.ip("link set eth0p up")
    try program.lines.wait("online again") { $0.count == 3 }
  }

  @Test func anObservableObjectPublishesOnTheMainActor() throws {
    let namespace = try uplink()
    let program = try start("observable", in: namespace)
    try program.lines.wait("connected") { $0 == ["connected"] }
    try namespace.ip("link set eth0 down")
    try program.lines.wait("no connection") { $0 == ["connected", "no connection"] }
    try namespace.ip("link set eth0 up", "route add default via 192.0.2.1")
    try program.lines.wait("connected again") { $0 == ["connected", "no connection", "connected"] }
  }

  @Test func aDelegateLearnsOfInterfacesAndRouters() throws {
    let namespace = try uplink()
    let program = try start("report", in: namespace)
    try program.lines.first("ethernet") { $0 == "connection: ethernet" }
    try program.lines.first("its router") { $0 == "router: IPv4 192.0.2.1 [192, 0, 2, 1]" }
    try program.lines.first("no Wi-Fi") { $0 == "Wi-Fi: false" }
    try namespace.ip(
      "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0", "route del default")
    try program.lines.first("the other router") { $0 == "router: IPv6 fe80::1%eth0 eth0" }
    try namespace.ip("link set eth0p down")
    try program.lines.first("offline") { $0 == #"connection: unavailable("no reason available")"# }
  }

  @Test func sequencesAndStreams() throws {
    let namespace = try uplink()
    let program = try start("stream", in: namespace)
    try program.lines.first("the sequence") { $0 == "sequence: satisfied eth0" }
    try program.lines.first("the stream") { $0 == "stream: true" }
    try namespace.ip("link set eth0p down")
    try program.lines.first("the end of the stream") { $0 == "stream: queue NSPathMonitor.paths, false" }
    try program.lines.first("the outage") { $0 == "sequence: unsatisfied " }
    try namespace.ip("link set eth0p up")
    try program.lines.wait("the sequence goes on") { $0.count(where: { $0 == "sequence: satisfied eth0" }) == 2 }
  }

  @Test func endpointsOfTheProgramsOwn() throws {
    let program = try start("endpoints", in: uplink())
    try program.lines.wait("all of it") {
      $0 == [
        "example.com 443 -", "Printer", "127.0.0.1 80 -", "::1 8443 -", "/run/service",
        "ultra-constrained: false, unknown", "types: [NetworkPath.NWInterface.InterfaceType.wiredEthernet]",
      ]
    }
  }

  /// The main thread cancels while a handler waits for it.
  @Test func aHandlerMayWaitForTheThreadThatCancels() throws {
    let program = try start("cancel", in: uplink())
    try program.lines.wait("both") { $0 == ["cancelled", "shown: satisfied", "handler left"] }
  }

  /// No thread of the monitor receives a signal that the program waits for.
  @Test func aSignalThatTheProgramHasBlockedIsItsOwn() throws {
    let program = try start("signal", in: uplink())
    try program.lines.wait("the program") { $0 == ["waiting"] }
    #expect(program.end(.terminate) == 0)
    try program.lines.wait("its last word") { $0.last == "ended in order" }
  }
}
