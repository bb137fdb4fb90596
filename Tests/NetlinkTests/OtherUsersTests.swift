import Glibc
import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What another user of the machine can make a monitor claim, and what that user can hide.
@Suite(.ownThread, .enabled(if: ForwardingWorld.canRun && TestUser.canBeOthers, "COULD NOT RUN: needs nft and root"))
struct OtherUsersTests {
  typealias World = ForwardingWorld

  /// Makes two answered connections to two hosts stall through a healthy router.
  enum Trick: String, CaseIterable, Sendable {
    /// The router drops the packets.
    case timeToLive = "for s in c: s.setsockopt(0, 2, 1); s.send(b'x')"
    /// The host drops segments with a signature that it does not expect.
    case signature = """
      for s in c:
        address = struct.pack("!HH4s120x", 0, 7000, socket.inet_aton(s.getpeername()[0]))
        address = struct.pack("=H", 2) + address[2:]
        s.setsockopt(6, 14, address + struct.pack("=BBHI80s", 0, 0, 3, 0, b"key")); s.send(b"x")
      """
    /// Kernels before 6.16 report closed sockets as root's.
    case closed = "for s in c: s.setsockopt(0, 2, 1); s.send(b'x' * 100); s.close()"
  }

  private func start(_ script: String, as user: Int, in namespace: NetworkNamespace) throws -> TestProgram {
    let text = """
      import socket, struct, sys, time
      c = [socket.create_connection((host, 7000)) for host in sys.argv[1:]]
      for s in c: s.send(b"x"); s.recv(1)
      \(script)
      print("READY", flush=True)
      time.sleep(999)
      """
    let program = try namespace.inside {
      try TestProgram(
        "setpriv",
        ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", "/usr/bin/python3", "-c", text]
          + World.far.prefix(2), environment: TmuxTestServer.environment)
    }
    try program.lines.wait("the program's start") { $0.contains("READY") }
    return program
  }

  private func waitForOldStalls(in world: World) throws {
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    #expect(
      try eventually {
        try diagnostics.connections(in: [.established, .finWait1]).count { $0.stallAge ?? .zero > .seconds(9) } == 2
      })
    let before = world.looks.count
    #expect(eventually { world.looks.count > before })
  }

  @Test(arguments: Trick.allCases) func anotherUserCannotFakeAnOutage(_ trick: Trick) throws {
    let world = try World()
    let other = try start(trick.rawValue, as: 65534, in: world.host)
    try waitForOldStalls(in: world)
    #expect(!world.hasClaimed && world.looks.allSatisfy { $0.stalls.isEmpty })
    withExtendedLifetime(other) {}
  }

  /// A server whose services alone have connections is not blind.
  @Test(arguments: [998, 61184]) func theStallsOfServicesCount(_ user: Int) throws {
    let world = try World()
    let service = try start(
      """
      def work():
        for s in c:
          try: s.send(b"x")
          except OSError: pass
      print("READY", flush=True)
      while 1: work(); time.sleep(.3)
      """, as: user, in: world.host)
    try world.drop()
    let path = try world.paths.first("the claim") { $0.noAnswers != nil }
    #expect(path.noAnswers?.hosts == 2)
    withExtendedLifetime(service) {}
  }

  /// An answer to another user is an answer.
  @Test func theLifeOfAnotherUserCounts() throws {
    let world = try World()
    let script = """
      s = socket.create_connection(("\(World.far[2])", 7000))
      print("READY", flush=True)
      while 1: s.send(b"x"); s.recv(1); time.sleep(.3)
      """
    let other = try start(script, as: 65534, in: world.host)
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop("ip daddr { \(World.far[0]), \(World.far[1]) }")
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    #expect(
      try eventually {
        try diagnostics.connections(in: [.established]).count {
          $0.stallAge ?? .zero > .seconds(9) && $0.owner == getuid()
        } == 2
      })
    #expect(!world.hasClaimed)
    withExtendedLifetime((other, clients)) {}
  }

  /// `MSG_CONFIRM` keeps the router's entry REACHABLE, so nothing starts a look. It hides an outage as long as it is sent, and no longer.
  @Test func anotherUserCanHideAnOutageAsLongAsItSends() throws {
    let world = try World()
    let script = """
      u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      print("READY", flush=True)
      while 1: u.sendto(b"", 0x800, ("\(World.far[2])", 9)); time.sleep(.1)
      """
    var other: TestProgram? = try start(script, as: 65534, in: world.host)
    // Also that of IPv6, which nothing keeps REACHABLE.
    try world.host.ip("-6 route del default")
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop()
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    #expect(
      try eventually {
        try diagnostics.connections(in: [.established]).count { $0.stallAge ?? .zero > .seconds(9) } >= 2
      })
    #expect(!world.hasClaimed)
    other = nil
    try world.paths.first("the claim") { $0.noAnswers != nil }
    withExtendedLifetime((other, clients)) {}
  }
}
