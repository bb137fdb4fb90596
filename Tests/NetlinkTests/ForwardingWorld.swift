import Dispatch
@testable import NetworkPath
import OverlineSystem
import OverlineTestKit
import Synchronization

/// A host behind a bridge and a router that forwards to far servers, each in a namespace of its own. The kernel's timers for neighbours are
/// short.
final class ForwardingWorld {
  static let canRun = Files.exists("/usr/sbin/nft")
  /// Servers behind the router.
  static let far = ["198.51.100.1", "198.51.100.2", "198.51.100.3"]
  static let far6 = ["2001:db8:2::1", "2001:db8:2::2", "2001:db8:2::3"]
  /// Hosts on the network of the host.
  static let near = ["192.0.2.20", "192.0.2.21"]

  let bridge: NetworkNamespace
  let host: NetworkNamespace
  let router: NetworkNamespace
  let farSide: NetworkNamespace
  let nearSide: NetworkNamespace
  let paths = Recorder<NWPath>()
  /// One for each suggested check.
  let suggestions = Recorder<Void>()
  private let transcript = Recorder<[UInt8]>()
  private let servers: [EchoServer]
  private let watcher: PathWatcher

  init(options: PathOptions = PathOptions()) throws {
    bridge = try NetworkNamespace()
    host = try NetworkNamespace()
    router = try NetworkNamespace()
    farSide = try NetworkNamespace()
    nearSide = try NetworkNamespace()
    try bridge.ip("link add br0 type bridge mcast_snooping 0", "link set br0 up")
    for namespace in [host, router, farSide, nearSide] {
      try namespace.sysctl("net/ipv6/conf/default/accept_dad", "0")
    }
    typealias World = RouterSilenceTests.World
    try World.plug("eth0", of: host, into: bridge, as: "host0")
    try World.plug("lan0", of: router, into: bridge, as: "router0")
    try World.plug("eth0", of: nearSide, into: bridge, as: "near0")
    try router.ip("link add wan0 type veth peer name eth0")
    try router.move("eth0", to: farSide)
    // An entry that was used within the delay becomes DELAY without an event. So, as in the defaults, the reachable time is longer.
    for family in ["ipv4", "ipv6"] {
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
    let (host, paths, suggestions, transcript) = (host, paths, suggestions, transcript)
    watcher = PathWatcher(
      queue: DispatchQueue(label: "test.answers"), options: options,
      recorder: TranscriptRecorder(write: { transcript.record($0) }, onStop: { _ in }),
      open: { () throws(NetlinkError) in try inside(host) }, onCheckSuggested: { suggestions.record(()) },
      onPath: { paths.record($0) })
    try watcher.start()
    try paths.wait("the first path") { !$0.isEmpty }
  }

  deinit { watcher.cancel() }

  /// Sends a byte every fifth of a second by each of these connections, and waits for the first answers.
  func connect(to addresses: [String]) throws -> EchoClients {
    let clients = try EchoClients(in: host, to: addresses)
    try clients.wait(forAnswers: 2 * addresses.count)
    return clients
  }

  func nft(_ namespace: NetworkNamespace, _ rules: String) throws {
    let result = try namespace.inside { try Subprocess.run("/usr/sbin/nft", [rules], timeout: .seconds(60)) }
    if result.status != 0 { throw TestKitError("nft: \(result.errorText)") }
  }

  /// The router drops these packets without a word.
  func drop(_ what: String = "") throws {
    try nft(router, "table inet test { chain c { type filter hook forward priority 0; \(what) drop; }; }")
  }

  /// The router forwards nothing, and says so.
  func reject() throws {
    try nft(
      router,
      "table inet test { chain c { type filter hook forward priority 0; reject with icmpx host-unreachable; }; }")
  }

  /// The number of the host's link.
  func interface(_ name: String) throws -> Int {
    guard let number = Int(try host.output("ip -o link show \(name) | cut -d: -f1").filter(\.isNumber)) else {
      throw TestKitError("no link \(name)")
    }
    return number
  }

  /// The recorded answers of silent hosts.
  var answers: [Substring] { text.split(separator: "\n").filter { $0.hasSuffix(" answered") } }

  /// The recording so far.
  var text: String { String(decoding: transcript.values.flatMap(\.self), as: UTF8.self) }

  /// The looks at connections so far.
  var looks: [ConnectionLook] {
    text.split(separator: "\n").filter { $0.hasPrefix("connections ") }.compactMap { line in
      ConnectionLook(transcriptWords: line.split(separator: " ").dropFirst().map(String.init))
    }
  }

  /// Waits for a look that has found these connections.
  func look(_ what: String, where fits: (ConnectionLook) -> Bool) throws {
    if !eventually({ looks.contains(where: fits) }) { throw TestKitError("no look found \(what)") }
  }

  var hasClaimed: Bool { paths.values.contains { $0.noAnswers != nil || $0.status != .satisfied } }
}
