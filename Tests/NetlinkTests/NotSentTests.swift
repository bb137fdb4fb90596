@testable import NetworkPath
import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing

/// Packets that the host itself stops are a claim that nothing leaves this machine. Less than that is none.
@Suite(.ownThread, .enabled(if: ForwardingWorld.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
struct NotSentTests {
  typealias World = ForwardingWorld

  /// What stops the host's packets to the far network. ARP and the local network still work.
  enum Obstacle: String, CaseIterable, Sendable {
    case outputDrop = "table ip own { chain c { type filter hook output priority 0; ip daddr 198.51.100.0/24 drop; }; }"
    case outputReject =
      "table ip own { chain c { type filter hook output priority 0; ip daddr 198.51.100.0/24 reject; }; }"
    case postroutingDrop =
      "table ip own { chain c { type filter hook postrouting priority 0; ip daddr 198.51.100.0/24 drop; }; }"
    case egressDrop =
      "table netdev own { chain c { type filter hook egress device eth0 priority 0; ip daddr 198.51.100.0/24 drop; }; }"
    /// Not the addresses that the monitor asks for, which would be an outage.
    case policy = "xfrm policy add dir out dst 198.51.100.0/24 action block"

    func begin(in world: World) throws {
      if self == .policy { try world.host.ip(rawValue) } else { try world.host.nft(rawValue) }
    }

    func end(in world: World) throws {
      if self == .policy { try world.host.ip("xfrm policy flush") } else { try world.host.nft("flush ruleset") }
    }

    /// The counters of the kernel do not show what happens behind its routes and filters.
    var origin: NWPath.NotSent.Origin? {
      switch self {
      case .outputDrop, .outputReject, .postroutingDrop: .firewall
      case .egressDrop: nil
      case .policy: .routing
      }
    }
  }

  @Test(arguments: Obstacle.allCases) func packetsThatTheMachineStopsAreAClaim(_ obstacle: Obstacle) throws {
    let world = try World()
    let clients = try world.connect(to: World.far)
    try obstacle.begin(in: world)
    let path = try world.paths.first("the claim") { $0.notSent != nil }
    let claim = try #require(path.notSent)
    #expect(path.status == .satisfied && path.reason == nil)
    #expect(2...3 ~= claim.connections && claim.hosts == claim.connections && claim.duration >= .seconds(5))
    // Before Linux 6.7 the kernel does not count the packets that pass its firewall.
    let hasCounters = try world.host.output("cat /proc/net/snmp").contains("OutTransmits")
    #expect(claim.origin == (hasCounters ? obstacle.origin : nil))
    let before = world.paths.values.count
    try obstacle.end(in: world)
    // A new connection shows at once that packets leave again.
    let others = try world.connect(to: Array(World.far.prefix(1)))
    try world.paths.first("its end", from: before) { $0.notSent == nil && $0.status == .satisfied }
    let text = world.text
    for address in World.far { #expect(!text.contains(address)) }
    let transcript = try Transcript(parsing: Array(text.utf8))
    #expect(transcript.replay().paths.map(TranscriptText.path) == transcript.publishedPaths)
    withExtendedLifetime((clients, others)) {}
  }

  /// Waits until two connections of this host have old unsent data, and a look has found them.
  private func waitForOldData(in world: World) throws {
    try world.look("two old stalls") { look in
      Set(look.sending.stalls.filter { $0.age > .seconds(9) }.map(\.host)).count == 2
    }
  }

  private static func block(_ hosts: ArraySlice<String>) -> String {
    "table ip own { chain c { type filter hook output priority 0; ip daddr { \(hosts.joined(separator: ", ")) } drop; }; }"
  }

  /// The user blocks two hosts. Anything that another host acknowledges shows that packets leave.
  @Test func aBlocklistOfTheUserIsNoClaim() throws {
    let world = try World()
    // Rarely enough that the router's entry becomes STALE in between, and the looks begin.
    let third = try EchoClients(in: world.host, to: [World.far[2]], interval: .seconds(4))
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.host.nft(Self.block(World.far.prefix(2)))
    try waitForOldData(in: world)
    #expect(!world.hasClaimed)
    withExtendedLifetime((clients, third)) {}
  }

  @Test(arguments: ["short connections", "datagrams"]) func whatElseLeavesTheMachineIsNoClaim(_ what: String) throws {
    let world = try World()
    let server = try ClosingServer(in: world.farSide)
    let traffic: AnyObject =
      what == "datagrams"
      ? try EchoClients(SOCK_DGRAM, in: world.host, to: [World.far[2]])
      : ShortConnections(to: World.far[2], in: world.host, interval: .seconds(4))
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.host.nft(Self.block(World.far.prefix(2)))
    try waitForOldData(in: world)
    #expect(!world.hasClaimed)
    withExtendedLifetime((server, clients, traffic)) {}
  }

  @Test func noClaimForOneFarHost() throws {
    let world = try World()
    let clients = try world.connect(to: [World.far[0], World.far[0], World.far[0]])
    try world.host.nft(Self.block(World.far.prefix(1)))
    try world.look("three old stalls") { look in look.sending.stalls.count { $0.age > .seconds(8) } == 3 }
    #expect(!world.hasClaimed)
    withExtendedLifetime(clients) {}
  }

  /// Packets of the other end still arrive. They are sent again, since no acknowledgement leaves.
  @Test func whatArrivesRefutesNothing() throws {
    let world = try World()
    let clients = try EchoClients(in: world.host, to: World.far, bytes: 1000)
    try clients.wait(forAnswers: 6000)
    try world.host.nft(
      "table ip own { chain c { type filter hook output priority 0; ip daddr 198.51.100.0/24 drop; }; }")
    let sender = try DatagramTraffic(to: "192.0.2.10", in: world.farSide)
    defer { sender.end() }
    try world.paths.first("the claim") { $0.notSent != nil }
    withExtendedLifetime(clients) {}
  }

  /// The other ends' windows are closed: they do not want the data.
  @Test func noClaimForClosedWindows() throws {
    let world = try World()
    let server = try UnreadServer(in: world.farSide)
    let clients = try EchoClients(in: world.host, to: World.far, port: UnreadServer.port, bytes: 65536)
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    let areClosed = try eventually {
      try diagnostics.connections(in: [.established]).count { $0.timer == .windowProbe && $0.backoff >= 3 } == 3
    }
    #expect(areClosed)
    let probing = try diagnostics.connections(in: [.established])
    #expect(probing.allSatisfy { !$0.holdsUnsentData } && !world.hasClaimed)
    withExtendedLifetime((server, clients)) {}
  }

  @Test func aProgramMayTurnItOff() throws {
    let world = try World(options: PathOptions(detectsNoAnswers: false, detectsNotSent: false))
    let clients = try world.connect(to: World.far)
    try Obstacle.outputDrop.begin(in: world)
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    #expect(
      try eventually {
        try diagnostics.connections(in: [.established]).count { $0.unsentAge ?? .zero > .seconds(7) } == 3
      })
    #expect(world.looks.isEmpty && !world.hasClaimed)
    withExtendedLifetime(clients) {}
  }
}
