import Glibc
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineTranscripts
import Testing

/// Real connections through a real router that loses its uplink, and the cases that look alike.
@Suite(.ownThread, .enabled(if: ForwardingWorld.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
struct NoAnswersTests {
  typealias World = ForwardingWorld

  enum Fault: Sendable { case notForwarding, dropping }

  @Test(arguments: [(Fault.notForwarding, World.far), (.dropping, World.far), (.dropping, World.far6)])
  func aRouterThatForwardsNothingIsALimitedConnection(_ fault: Fault, _ far: [String]) throws {
    let world = try World()
    let clients = try world.connect(to: far + far.prefix(1))
    switch fault {
    case .notForwarding: try world.router.sysctl("net/ipv4/ip_forward", "0")
    case .dropping: try world.drop()
    }
    let path = try world.paths.first("the claim") { $0.noAnswers != nil }
    let claim = try #require(path.noAnswers)
    #expect(path.status == .satisfied && path.reason == nil)
    #expect(claim.connections <= 4 && claim.hosts <= 3 && claim.hosts >= 2 && claim.duration >= .seconds(5))
    #expect(claim.cause.hasPrefix("no answers: \(claim.connections) connections to \(claim.hosts) hosts, for "))
    try world.paths.first("the router's own answer") { $0.noAnswers?.routerAnswers == true }
    switch fault {
    case .notForwarding: try world.router.sysctl("net/ipv4/ip_forward", "1")
    case .dropping: try world.router.nft("delete table inet test")
    }
    // TCP's retransmissions become rare, but a new connection shows at once that the hosts answer again.
    let before = world.paths.values.count
    let others = try world.connect(to: far)
    try world.paths.first("its end", from: before) { $0.noAnswers == nil && $0.status == .satisfied }
    // No recording has an address of another end, neither in words nor in the kernel's bytes.
    let text = world.text
    for address in far {
      #expect(!text.contains(address))
      let bytes = try #require(AnyIPAddress(address)).bytes
      #expect(!text.contains(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
    }
    let transcript = try Transcript(parsing: Array(text.utf8))
    #expect(transcript.replay().paths.map(TranscriptText.path) == transcript.publishedPaths)
    withExtendedLifetime((clients, others)) {}
  }

  /// TCP's retransmissions are rare after a long outage. A connection of the watcher's own notices the end.
  @Test func aQuestionNoticesTheEndOfALongOutageSooner() throws {
    let world = try World(options: PathOptions(mayAsk: true))
    let clients = try world.connect(to: World.far + World.far.prefix(1))
    try world.drop()
    try world.paths.first("the claim") { $0.noAnswers != nil }
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    // Until no connection tries again within 9 s.
    var next: Duration = .zero
    let isRare = try eventually {
      let waiting = try diagnostics.connections(in: [.established]).filter(\.isStalled)
      next = waiting.map(\.expires).min() ?? .zero
      return waiting.count == 4 && next > .seconds(9)
    }
    #expect(isRare)
    #expect(world.answers.isEmpty)
    let before = world.paths.values.count
    let end = BootClock.now
    try world.router.nft("delete table inet test")
    try world.paths.first("its end", from: before) { $0.noAnswers == nil && $0.status == .satisfied }
    let delay = BootClock.now - end
    // The attempt of the outage may be sent again within 1 s; the next one follows within 5 s.
    #expect(delay < .seconds(8) && delay < next)
    #expect(world.answers.count == 1)
    // The watcher keeps no connection, and no recording has an address of another end.
    #expect(
      try eventually { try diagnostics.connections(in: [.established, .synSent, .finWait1, .finWait2]).count == 4 })
    let text = world.text
    for address in World.far { #expect(!text.contains(address)) }
    let transcript = try Transcript(parsing: Array(text.utf8))
    #expect(transcript.replay().paths.map(TranscriptText.path) == transcript.publishedPaths)
    withExtendedLifetime(clients) {}
  }

  /// A resume voids all evidence, so the answer is of no use any more. The kernel would wait for it for two minutes.
  @Test func aResumeClosesTheQuestion() throws {
    let world = try World(options: PathOptions(mayAsk: true))
    let clients = try world.connect(to: World.far)
    try world.drop()
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    #expect(try eventually { try !diagnostics.connections(in: [.synSent]).isEmpty })
    try world.stepClock()
    #expect(try eventually { try diagnostics.connections(in: [.synSent]).isEmpty })
    withExtendedLifetime(clients) {}
  }

  /// A host that refuses the connection answers too.
  @Test(arguments: ["198.51.100.1", "2001:db8:2::1"]) func acceptanceAndRefusalAreAnswers(_ far: String) throws {
    let world = try World()
    let address = try #require(AnyIPAddress(far))
    let open: (AddressFamily) -> Int32 = { family in (try? world.host.inside { HostQuestion.open(family) }) ?? -1 }
    for port in [EchoServer.port, 7001] {
      let question = try HostQuestion(to: SilentHost(address: address, port: port), on: open)
      let isAnswered = eventually { question.isAnswered }
      #expect(isAnswered, "port \(port)")
    }
    try world.drop()
    let question = try HostQuestion(to: SilentHost(address: address, port: EchoServer.port), on: open)
    pause(for: .milliseconds(500))
    let isAnswered = question.isAnswered
    #expect(!isAnswered)
    // The router says that there is no such host: the host itself says nothing.
    try world.router.nft("delete table inet test")
    try world.reject()
    let other = try HostQuestion(to: SilentHost(address: address, port: EchoServer.port), on: open)
    pause(for: .milliseconds(500))
    let isOtherAnswered = other.isAnswered
    #expect(!isOtherAnswered)
  }

  /// The router's refusal of the datagram comes at once. The kernel's own question comes seconds later.
  @Test(arguments: ["192.0.2.1", "fe80::1"]) func theRefusalOfADatagramIsTheRoutersAnswer(_ router: String) throws {
    let world = try World()
    let gateway = Gateway(try #require(AnyIPAddress(router)), on: try world.interface("eth0"))
    var kicks = try world.host.inside { try KickSocket() }
    var refusals = kicks.takeRefusals(at: .zero)
    #expect(refusals.isEmpty)
    kicks.send(to: gateway, at: .seconds(1))
    let isRefused = eventually {
      refusals = kicks.takeRefusals(at: .seconds(3))
      return !refusals.isEmpty
    }
    #expect(isRefused && refusals == [gateway: .seconds(2)])
    refusals = kicks.takeRefusals(at: .seconds(3))
    #expect(refusals.isEmpty)
    // A firewall of this machine refuses it.
    try world.host.nft("table inet own { chain c { type filter hook output priority 0; udp dport 9 reject; }; }")
    kicks.send(to: gateway, at: .seconds(4))
    pause(for: .milliseconds(500))
    refusals = kicks.takeRefusals(at: .seconds(5))
    #expect(refusals.isEmpty)
    // The router drops it.
    try world.host.nft("delete table inet own")
    try world.router.nft("table inet own { chain c { type filter hook input priority 0; udp dport 9 drop; }; }")
    kicks.send(to: gateway, at: .seconds(6))
    pause(for: .milliseconds(500))
    refusals = kicks.takeRefusals(at: .seconds(7))
    #expect(refusals.isEmpty)
    // Errors that waited do not stop the next datagram.
    try world.router.nft("delete table inet own")
    for time in 8...9 { kicks.send(to: gateway, at: .seconds(time)) }
    let isRefusedAgain = eventually {
      refusals = kicks.takeRefusals(at: .seconds(10))
      return !refusals.isEmpty
    }
    #expect(isRefusedAgain && refusals == [gateway: .seconds(1)])
  }

  /// Everything goes into a tunnel to a far server. Routes into it name no router, but its packets leave through one.
  @Test func connectionsThroughATunnelCount() throws {
    let inner = ["10.99.0.1", "10.99.0.2", "10.99.0.3"]
    let world = try World { network in
      let ends = [(network.host, "192.0.2.10", World.far[0]), (network.farSide, World.far[0], "192.0.2.10")]
      for (number, (end, local, remote)) in ends.enumerated() {
        try end.ip(
          "link add vx0 address 02:00:00:00:99:0\(number) type vxlan id 5 local \(local) remote \(remote) dstport 4789",
          "link set vx0 up")
      }
      for address in inner {
        try network.farSide.ip("addr add \(address)/24 dev vx0")
        try network.host.ip("neigh add \(address) lladdr 02:00:00:00:99:01 dev vx0 nud permanent")
      }
      try network.farSide.ip("neigh add 10.99.0.10 lladdr 02:00:00:00:99:00 dev vx0 nud permanent")
      try network.host.ip(
        "addr add 10.99.0.10/24 dev vx0", "route add \(World.far[0]) via 192.0.2.1",
        "route replace default dev vx0", "-6 route del default")
    }
    #expect(world.paths.values.last?.usedInterfaces.map(\.name) == ["vx0", "eth0"])
    let clients = try world.connect(to: inner + inner)
    try world.drop()
    let path = try world.paths.first("the claim", where: { $0.noAnswers != nil })
    #expect(path.status == .satisfied && path.noAnswers?.hosts ?? 0 >= 2)
    let before = world.paths.values.count
    try world.router.nft("delete table inet test")
    let others = try world.connect(to: inner)
    try world.paths.first("its end", from: before) { $0.noAnswers == nil && $0.status == .satisfied }
    withExtendedLifetime((clients, others)) {}
  }

  /// While acknowledgements come, the kernel reports nothing, and there is no look.
  @Test func connectionsThatAreAnsweredCauseNoWork() throws {
    let world = try World()
    let clients = try world.connect(to: World.far)
    let before = world.looks.count
    try clients.wait(forAnswers: 60)
    #expect(world.looks.count == before && !world.hasClaimed)
  }

  @Test func noClaimForOneFarHost() throws {
    let world = try World()
    let clients = try world.connect(to: [World.far[0], World.far[0], World.far[0]])
    try world.drop("ip daddr \(World.far[0])")
    try world.look("three old stalls") { look in look.stalls.filter { $0.age > .seconds(8) }.count == 3 }
    #expect(!world.hasClaimed)
    withExtendedLifetime(clients) {}
  }

  @Test func noClaimWhileDatagramsAreAnswered() throws {
    let world = try World()
    let datagrams = try EchoClients(SOCK_DGRAM, in: world.host, to: [World.far[2]])
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop("ip daddr { \(World.far[0]), \(World.far[1]) }")
    try world.look("two old stalls") { look in
      Set(look.stalls.filter { $0.age > .seconds(9) }.map(\.host)).count == 2
    }
    #expect(!world.hasClaimed)
    withExtendedLifetime((datagrams, clients)) {}
  }

  /// A connection that was answered and closed between two looks leaves no socket.
  @Test func noClaimWhileShortConnectionsAreAnswered() throws {
    let world = try World()
    let server = try ClosingServer(in: world.farSide)
    // Rarely enough that the router's entry becomes STALE in between, and the looks begin.
    let short = ShortConnections(to: World.far[2], in: world.host, interval: .seconds(4))
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop("ip daddr { \(World.far[0]), \(World.far[1]) }")
    try world.look("two old stalls") { look in
      Set(look.stalls.filter { $0.age > .seconds(9) }.map(\.host)).count == 2
    }
    #expect(!world.hasClaimed && short.count > 2)
    withExtendedLifetime((server, clients)) {}
  }

  @Test func aShortConnectionEndsTheClaim() throws {
    let world = try World()
    let server = try ClosingServer(in: world.farSide)
    let clients = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop()
    try world.paths.first("the claim") { $0.noAnswers != nil }
    let before = world.paths.values.count
    // In one step, so that no connection of the claim is answered.
    try world.router.nft(
      "delete table inet test; table inet test { chain c { type filter hook forward priority 0; "
        + "ip daddr { \(World.far[0]), \(World.far[1]) } drop; }; }")
    let short = ShortConnections(to: World.far[2], in: world.host)
    try world.paths.first("its end", from: before) { $0.noAnswers == nil && $0.status == .satisfied }
    withExtendedLifetime((server, clients, short)) {}
  }

  @Test func noClaimForHostsOfTheLocalNetwork() throws {
    let world = try World()
    // This traffic goes through the router and gets no answers, so the router's entry becomes STALE again and again.
    let oneWay = try DatagramTraffic(to: World.far[0], in: world.host)
    defer { oneWay.end() }
    let clients = try world.connect(to: World.near)
    try world.nearSide.nft("table inet test { chain c { type filter hook input priority 0; meta l4proto tcp drop; }; }")
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    #expect(
      try eventually {
        try diagnostics.connections(in: [.established]).filter { $0.stallAge ?? .zero > .seconds(7) }.count == 2
      })
    let before = world.looks.count
    #expect(eventually { world.looks.count > before })
    #expect(!world.hasClaimed && world.looks.allSatisfy { $0.count == 0 })
    withExtendedLifetime(clients) {}
  }

  @Test func noClaimForConnectionsThatAreBeingMade() throws {
    let world = try World()
    try world.drop("ip daddr 198.51.100.128/25")
    let clients = try EchoClients(
      in: world.host, to: (200..<220).map { "198.51.100.\($0)" }, waits: false)
    #expect(eventually { world.looks.count { $0.connecting == 20 } >= 2 })
    // They make a check ask its server.
    #expect(eventually { !world.suggestions.values.isEmpty } && world.looks.contains { $0.overdue == 20 })
    #expect(!world.hasClaimed)
    withExtendedLifetime(clients) {}
  }

  @Test func noClaimWhileEachThirdPacketIsLost() throws {
    let world = try World()
    let clients = try world.connect(to: World.far + World.far + World.far)
    try world.drop("numgen random mod 100 < 30")
    try clients.wait(forAnswers: 250)
    #expect(!world.hasClaimed)
  }

  @Test func aProgramMayTurnItOff() throws {
    let world = try World(options: PathOptions(detectsNoAnswers: false, detectsNotSent: false))
    let clients = try world.connect(to: World.far)
    try world.drop()
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    #expect(
      try eventually {
        try diagnostics.connections(in: [.established]).filter { $0.stallAge ?? .zero > .seconds(7) }.count == 3
      })
    #expect(world.looks.isEmpty && !world.hasClaimed)
    withExtendedLifetime(clients) {}
  }
}
