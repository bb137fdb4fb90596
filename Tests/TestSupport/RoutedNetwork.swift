internal import OverlineSystem

/// A host behind a bridge, a router that forwards to far servers, and other hosts on the host's network, each in a namespace of its own.
/// The kernel's timers for the host's neighbours are short, unless the caller wants the default ones.
///
///     host ── bridge ── router ── farSide (198.51.100.1 …)
///               └── nearSide (192.0.2.20 …)
package final class RoutedNetwork: Sendable {
  package static let canRun = Files.exists("/usr/sbin/nft")
  package static let gateway = "192.0.2.1"
  /// Servers behind the router.
  package static let far = ["198.51.100.1", "198.51.100.2", "198.51.100.3"]
  package static let far6 = ["2001:db8:2::1", "2001:db8:2::2", "2001:db8:2::3"]
  /// Hosts on the network of the host.
  package static let near = ["192.0.2.20", "192.0.2.21"]

  package let bridge: NetworkNamespace
  package let host: NetworkNamespace
  package let router: NetworkNamespace
  package let farSide: NetworkNamespace
  package let nearSide: NetworkNamespace
  private let servers: [EchoServer]

  package init(usesDefaultTimers: Bool = false) throws {
    bridge = try NetworkNamespace()
    host = try NetworkNamespace()
    router = try NetworkNamespace()
    farSide = try NetworkNamespace()
    nearSide = try NetworkNamespace()
    try bridge.ip("link add br0 type bridge mcast_snooping 0", "link set br0 up")
    for namespace in [host, router, farSide, nearSide] {
      try namespace.sysctl("net/ipv6/conf/default/accept_dad", "0")
    }
    try host.plug("eth0", into: bridge, as: "host0")
    try router.plug("lan0", into: bridge, as: "router0")
    try nearSide.plug("eth0", into: bridge, as: "near0")
    try router.ip("link add wan0 type veth peer name eth0")
    try router.move("eth0", to: farSide)
    // An entry that was used within the delay becomes DELAY without an event. So, as in the defaults, the reachable time is longer.
    for family in usesDefaultTimers ? [] : ["ipv4", "ipv6"] {
      try host.sysctl("net/\(family)/neigh/eth0/base_reachable_time_ms", "2200")
      try host.sysctl("net/\(family)/neigh/eth0/delay_first_probe_time", "1")
      try host.sysctl("net/\(family)/neigh/eth0/retrans_time_ms", "200")
    }
    for address in Self.near { try nearSide.ip("addr add \(address)/24 dev eth0") }
    try router.ip(
      "addr add 192.0.2.1/24 dev lan0", "addr add fe80::1/64 dev lan0 nodad", "link set wan0 up",
      "addr add 198.51.100.254/24 dev wan0", "addr add 2001:db8:2::fe/64 dev wan0 nodad",
      "addr add 2001:db8:1::1/64 dev lan0 nodad")
    try farSide.ip("link set eth0 up")
    for address in Self.far { try farSide.ip("addr add \(address)/24 dev eth0") }
    for address in Self.far6 { try farSide.ip("addr add \(address)/64 dev eth0 nodad") }
    try farSide.ip("route add default via 198.51.100.254", "-6 route add default via 2001:db8:2::fe")
    try router.sysctl("net/ipv4/ip_forward", "1")
    try router.sysctl("net/ipv6/conf/all/forwarding", "1")
    try host.ip(
      "addr add 192.0.2.10/24 dev eth0", "addr add 2001:db8:1::10/64 dev eth0 nodad",
      "route add default via 192.0.2.1", "-6 route add default via fe80::1 dev eth0")
    servers = try [EchoServer(in: farSide), EchoServer(in: nearSide)]
  }

  /// Sends a byte every fifth of a second by each of these connections, and waits for the first answers.
  package func connect(to addresses: [String]) throws -> EchoClients {
    let clients = try EchoClients(in: host, to: addresses)
    try clients.wait(forAnswers: 2 * addresses.count)
    return clients
  }

  /// The router drops these packets without a word.
  package func drop(_ what: String = "") throws {
    try router.nft("table inet test { chain c { type filter hook forward priority 0; \(what) drop; }; }")
  }
}

extension NetworkNamespace {
  /// Adds a link that is plugged into the bridge `br0` of another namespace.
  package func plug(_ link: String, into bridge: NetworkNamespace, as port: String) throws {
    try ip("link add \(link) type veth peer name \(port)")
    try move(port, to: bridge)
    try bridge.ip("link set \(port) master br0 up")
    try ip("link set \(link) up")
  }

  package func nft(_ rules: String) throws {
    let result = try inside { try Subprocess.run("/usr/sbin/nft", [rules], timeout: .seconds(60)) }
    if result.status != 0 { throw TestKitError("nft: \(result.errorText)") }
  }

  /// The output of a command in the namespace.
  package func output(_ command: String) throws -> String {
    try inside { try Subprocess.run("sh", ["-c", command]).outputText }
  }
}
