import Dispatch
import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTranscripts
import Testing

/// A kernel case that is recorded while it happens.
struct RecordedCase: Sendable, CustomTestStringConvertible {
  /// The name of its transcript in the folder `Transcripts`.
  let name: String
  /// The setup before the watcher starts, as `ip` lines. The far end of eth0, and of eth1 if there is one, is in another namespace.
  let prepare: [String]
  /// The steps that follow: `ip` lines; those that begin with `far` run at the other end, `sysctl` writes one.
  let steps: [(lines: [String], status: NWPath.Status)]

  var testDescription: String { name }

  var needsTunDevice: Bool { prepare.contains { $0.contains("tun0") } }

  /// The routers at the far ends.
  private static let routers = [
    "eth0": ["192.0.2.1/24", "2001:db8::1/64", "fe80::1/64"], "eth1": ["198.51.100.1/24"],
  ]
  private static let uplink = ["addr add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1"]
  private static let uplink6 = ["addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via 2001:db8::1"]

  static let all: [RecordedCase] = [
    .init(
      name: "K1-carrier", prepare: uplink + uplink6,
      steps: [(["far link set eth0p down"], .unsatisfied), (["far link set eth0p up"], .satisfied)]),
    .init(
      name: "K2-down-and-up", prepare: uplink,
      steps: [
        (["link set eth0 down", "link set eth0 up"], .unsatisfied), (["route add default via 192.0.2.1"], .satisfied),
      ]),
    .init(
      name: "K3-last-address", prepare: uplink,
      steps: [(["addr del 192.0.2.2/24 dev eth0"], .unsatisfied), (uplink, .satisfied)]),
    .init(
      name: "K4-nexthop-deleted",
      prepare: [
        "addr add 192.0.2.2/24 dev eth0", "nexthop add id 7 via 192.0.2.1 dev eth0", "route add default nhid 7",
      ],
      steps: [(["nexthop del id 7"], .unsatisfied)]),
    .init(
      name: "K8-two-defaults",
      prepare: [
        "addr add 192.0.2.2/24 dev eth0", "addr add 198.51.100.2/24 dev eth1",
        "route add default via 192.0.2.1 metric 100", "route add default via 198.51.100.1 metric 600",
      ],
      steps: [
        (["far link set eth0p down"], .unsatisfied),
        (["sysctl net/ipv4/conf/all/ignore_routes_with_linkdown 1"], .satisfied),
      ]),
    .init(
      name: "K9-rule",
      prepare: ["addr add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1 table 52"],
      steps: [(["rule add pref 100 table 52"], .satisfied), (["rule del pref 100"], .unsatisfied)]),
    .init(
      name: "K12-refusals", prepare: ["addr add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1 metric 100"],
      steps: [
        (["route add unreachable default metric 1"], .unsatisfied),
        (["route del unreachable default metric 1"], .satisfied),
        (["route add blackhole default metric 1"], .unsatisfied),
        (["route del blackhole default metric 1"], .satisfied),
        (["route add prohibit default metric 1"], .unsatisfied),
        (["route del prohibit default metric 1"], .satisfied),
        (["route add throw default metric 1"], .unsatisfied),
      ]),
    .init(name: "K16-deleted", prepare: uplink, steps: [(["link del eth0"], .unsatisfied)]),
    .init(
      name: "K17-tentative",
      prepare: [
        "sysctl net/ipv6/neigh/eth0/retrans_time_ms 300", "-6 route add default via fe80::1 dev eth0",
        "addr add 2001:db8::2/64 dev eth0",
      ],
      steps: [([], .satisfied), (["addr del 2001:db8::2/64 dev eth0"], .unsatisfied)]),
    .init(
      name: "K25-tunnel",
      prepare: uplink + [
        "link set tun0 up", "addr add 10.8.0.2/24 dev tun0", "route add default dev tun0 table 51820",
        "rule add not fwmark 51820 table 51820",
        "rule add table main suppress_prefixlength 0",
      ], steps: [(["far link set eth0p down"], .unsatisfied), (["far link set eth0p up"], .satisfied)]),
    .init(
      name: "K26-dead-vpn",
      prepare: uplink + [
        "addr add 10.9.0.2/24 dev eth1", "link set tun0 up", "addr add 10.8.0.2/24 dev tun0",
        "route add 203.0.113.9 via 192.0.2.1", "route replace default dev tun0",
      ],
      steps: [
        (["far link set eth0p down"], .unsatisfied), (["far link set eth0p up"], .satisfied),
        (["link set eth0 down"], .unsatisfied),
        (["link set eth0 up", "route add 203.0.113.9 via 192.0.2.1"], .satisfied),
      ]),
    .init(
      name: "K29-router-end",
      prepare: [
        "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0 proto ra expires 2",
      ], steps: [([], .unsatisfied)]),
  ]

  /// Runs the case.
  ///
  /// - Returns: the recording, and the paths that were published meanwhile.
  func record() throws -> (text: [UInt8], published: [NWPath]) {
    let namespace = try NetworkNamespace()
    let far = try NetworkNamespace()
    for link in prepare.contains(where: { $0.contains("eth1") }) ? ["eth0", "eth1"] : ["eth0"] {
      try namespace.ip("link add \(link) type veth peer name \(link)p")
      try namespace.move("\(link)p", to: far)
      try far.ip("link set \(link)p up")
      for router in Self.routers[link] ?? [] { try far.ip("addr add \(router) dev \(link)p nodad") }
      try namespace.ip("link set \(link) up")
    }
    let tunnel = try needsTunDevice ? TunDevice("tun0", in: namespace) : nil
    defer { withExtendedLifetime(tunnel) {} }
    try run(prepare, namespace, far)
    let text = Recorder<[UInt8]>()
    let paths = Recorder<NWPath>()
    let recorder = TranscriptRecorder(write: { text.record($0) }, onStop: { _ in })
    let watcher = PathWatcher(
      queue: DispatchQueue(label: "test.record"), resolverConfiguration: "/nonexistent", recorder: recorder,
      open: { () throws(NetlinkError) in try inside(namespace) }, onPath: { paths.record($0) })
    try watcher.start()
    defer { watcher.cancel() }
    try paths.wait("the first path") { !$0.isEmpty }
    for step in steps {
      let before = step.lines.isEmpty ? 0 : paths.values.count
      try run(step.lines, namespace, far)
      try paths.first("\(step)", from: before) { $0.status == step.status }
    }
    watcher.cancel()
    return (text.values.flatMap(\.self), paths.values)
  }

  private func run(_ lines: [String], _ namespace: NetworkNamespace, _ far: NetworkNamespace) throws {
    for line in lines {
      let words = line.split(separator: " ")
      switch words[0] {
      case "far": try far.ip(String(line.dropFirst(4)))
      case "sysctl": try namespace.sysctl(String(words[1]), String(words[2]))
      default: try namespace.ip(line)
      }
    }
  }
}
