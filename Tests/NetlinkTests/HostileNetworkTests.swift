import Dispatch
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What others on the machine and on its network can make a monitor claim, send and do.
@Suite(.ownThread, .enabled(if: ForwardingWorld.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
struct HostileNetworkTests {
  typealias World = ForwardingWorld

  /// Opens a thousand connections to two hosts, and sends on each for each line of its input.
  private static let crowd = """
    import socket, sys
    sockets = []
    for number in range(1000):
      one = socket.create_connection((sys.argv[1 + number % 2], int(sys.argv[3])))
      one.sendall(b"x"); one.recv(1); one.setblocking(False)
      sockets.append(one)
    print("READY", flush=True)
    for line in sys.stdin:
      for one in sockets: one.send(b"x")
    """

  /// Two hosts that play along fall silent: all that another user can do without the rights to drop packets.
  @Test(
    "a thousand stalled connections of another user claim nothing, and do not hide two of this user's",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can change to another user"))
  func aThousandStalledConnections() throws {
    let world = try World()
    let orders = try Pipe()
    let crowd = try world.host.inside {
      try TestProgram(
        "setpriv",
        ["--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c", Self.crowd] + World.far.prefix(2)
          + ["\(EchoServer.port)"],
        environment: TmuxTestServer.environment, inheriting: [(orders.reading.rawValue, 0)])
    }
    try crowd.lines.wait("a thousand connections") { !$0.isEmpty }
    // Both ways: a host that sends its own data again is heard.
    let hosts = "ip saddr { \(World.far[0]), \(World.far[1]) } drop; ip daddr { \(World.far[0]), \(World.far[1]) }"
    let diagnostics = try world.host.inside { try SocketDiagnostics() }
    func stalled() throws -> Int {
      try diagnostics.connections(in: [.established]).count { $0.stallAge ?? .zero > .seconds(9) }
    }
    try world.drop(hosts)
    try orders.writing.writeAll(Array("send\n".utf8))
    #expect(try eventually { try stalled() > 900 })
    let before = world.looks.count
    #expect(eventually { world.looks.count > before })
    #expect(!world.hasClaimed && world.looks.allSatisfy { $0.stalls.isEmpty })
    // Connections of this user to the same hosts are proof.
    try world.router.nft("delete table inet test")
    let mine = try world.connect(to: Array(World.far.prefix(2)))
    try world.drop(hosts)
    let path = try world.paths.first("the claim") { $0.noAnswers != nil }
    #expect(path.status == .satisfied && path.noAnswers?.connections == 2 && path.noAnswers?.hosts == 2)
    withExtendedLifetime((crowd, mine)) {}
  }

  /// Nothing is sent while the router answers. To a silent one go empty datagrams, and to no other host.
  @Test("only the router gets datagrams, empty ones, and at most one every five seconds") func whatIsSent() throws {
    let world = try World { try $0.host.ip("-6 route del default") }
    try world.host.nft(
      """
      table inet seen {
        counter other { }
        counter asked { }
        chain c {
          type filter hook output priority 0;
          oif lo accept
          ip daddr \(RoutedNetwork.gateway) udp length 8 counter name asked
          meta l4proto { tcp, udp } ip daddr != { \(World.far[0]), 192.0.2.77, \(RoutedNetwork.gateway) } counter name other
          ip6 daddr != ff00::/8 meta l4proto { tcp, udp } counter name other
        }
      }
      """)
    try world.router.nft(
      """
      table inet seen {
        counter full { }
        chain c {
          type filter hook input priority 0;
          ip daddr \(RoutedNetwork.gateway) udp length != 8 counter name full
          ip daddr \(RoutedNetwork.gateway) meta l4proto tcp counter name full
        }
      }
      """)
    func count(_ name: String, _ namespace: NetworkNamespace) throws -> Int {
      let text = try namespace.output("/usr/sbin/nft list counter inet seen \(name)")
      return try #require(text.firstMatch(of: /packets (\d+)/).flatMap { Int($0.1) }, "\(text)")
    }
    let traffic = try DatagramTraffic(to: World.far[0], in: world.host)
    defer { traffic.end() }
    #expect(try eventually { try world.host.output("ip neigh show \(RoutedNetwork.gateway)").contains("REACHABLE") })
    #expect(try count("asked", world.host) == 0)
    let start = BootClock.now
    for _ in 1...2 {
      let before = world.paths.values.count
      try world.bridge.ip("link set router0 down")
      try world.paths.first("the silence", from: before) { $0.reason == .routerSilent }
      // Two more failures: more questions of the kernel.
      let control = try DatagramTraffic(to: "192.0.2.77", in: world.host)
      try control.waitUntilRefused(times: 6)
      control.end()
      let during = world.paths.values.count
      try world.bridge.ip("link set router0 up")
      try world.paths.first("its end", from: during) { $0.status == .satisfied }
    }
    let most = Int((BootClock.now - start) / .seconds(5)) + 2
    // A silent router gets none of them: the kernel first asks for its hardware address.
    let asked = try count("asked", world.host)
    #expect(asked >= 2 && asked <= most, "\(asked) datagrams")
    #expect(try count("full", world.router) == 0)
    #expect(try count("other", world.host) == 0)
  }

  /// A new route and a new address in each, as fast as the router can send.
  private static let advertisements = """
    import socket, struct, sys
    link = sys.argv[1]
    s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, socket.if_nametoindex(link))
    s.bind(("fe80::1", 0, 0, socket.if_nametoindex(link)))
    def advertise(number, lifetime):
      prefix = socket.inet_pton(socket.AF_INET6, "2001:db8:%x::" % (0x100 + number % 4096))
      head = struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, lifetime, 0, 0)
      option = struct.pack("!BBBBIII", 3, 4, 64, 0xc0, 60, 60, 0) + prefix
      s.sendto(head + option, ("ff02::1", 0, 0, socket.if_nametoindex(link)))
    for number in range(int(sys.argv[2])): advertise(number, 1800 * (number % 2))
    advertise(0, 1800)
    print("DONE", flush=True)
    """

  /// The route of a machine with IPv6 alone comes and goes thousands of times.
  @Test("a flood of router advertisements costs at most a look each twentieth of a second, and ends in the right path")
  func aFloodOfAdvertisements() throws {
    let world = try World {
      try $0.host.ip("route del default", "-6 route del default")
      try $0.host.sysctl("net/ipv6/conf/eth0/accept_ra", "1")
    }
    let start = BootClock.now
    let flood = try world.router.inside {
      try TestProgram(
        "/usr/bin/python3", ["-c", Self.advertisements, "lan0", "50000"], environment: TmuxTestServer.environment)
    }
    try flood.lines.wait("the flood's end") { $0.contains("DONE") }
    try world.paths.wait("the path by the last route") { $0.last?.supportsIPv6 == true }
    #expect(flood.errors.values == [])
    let looks = Int((BootClock.now - start) / .milliseconds(50)) + 10
    #expect(world.paths.values.count <= looks, "\(world.paths.values.count) paths")
    // The kernel's routes are the truth: the path is that of a new reader.
    #expect(try world.host.output("ip -6 route show default").contains("fe80::1"))
  }
}
