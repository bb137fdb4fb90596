@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// K39: connections that this machine itself refuses, although a route leads to the internet.
@Suite(.ownThread) struct RefusalTests {
  private static let refusals = [
    ("xfrm policy add src 0.0.0.0/0 dst 0.0.0.0/0 dir out action block", "xfrm policy flush"),
    ("rule add pref 40 ipproto tcp prohibit", "rule del pref 40"),
  ]

  /// No event announces an IPsec policy. Any other event leads to a look.
  private func look(_ world: WatchedNamespace, _ lines: String...) throws {
    try world.namespace.ip((lines + ["link set eth0 mtu 1400", "link set eth0 mtu 1500"]).joined(separator: "\n"))
  }

  private func prepare(_ namespace: NetworkNamespace) throws {
    // Without the messages of duplicate address detection, which would count as packets.
    try namespace.sysctl("net/ipv6/conf/default/disable_ipv6", "1")
    try namespace.addUplink("eth0")
  }

  @Test(arguments: refusals) func aRefusalIsAnOutage(_ refuse: String, _ allow: String) throws {
    let world = try WatchedNamespace(prepare: prepare)
    #expect(world.path.status == .satisfied)
    let path = try world.after({ try look(world, refuse) }, "the refusal") { $0.status == .unsatisfied }
    #expect(path.reason == .blocked)
    #expect(path.cause == "this machine refuses connections to the internet")
    let now = try world.namespace.inside { try NWPath.current(resolverConfiguration: "/dev/null") }
    #expect(now.reason == .blocked)
    try world.after({ try look(world, allow) }, "the end") { $0.status == .satisfied }
  }

  /// A company may switch off QUIC, a provider port 25. Neither is an outage.
  @Test(arguments: [
    ("xfrm policy add src 0.0.0.0/0 dst 0.0.0.0/0 proto udp dir out action block", true),
    ("rule add pref 40 ipproto udp prohibit", true), ("rule add pref 40 ipproto tcp dport 25 prohibit", false),
    ("rule add pref 40 to 64.0.0.0/8 ipproto tcp prohibit", false),
  ])
  func aRefusalOfSomethingElseIsNot(_ line: String, _ isOfDatagrams: Bool) throws {
    let world = try WatchedNamespace(prepare: prepare)
    let before = world.watcher.counters.evaluations
    try look(world, line)
    #expect(eventually { world.watcher.counters.evaluations > before })
    let (path, basis) = try world.namespace.inside { try NWPath.currentWithBasis() }
    #expect(path.status == .satisfied)
    #expect(basis.refusedDatagrams == (isOfDatagrams ? [.ipv4] : []))
    #expect(world.paths.values.allSatisfy { $0.status == .satisfied })
  }

  /// If the process may not connect to its own machine either, only the process is confined.
  @Test func aRefusalOfEverythingIsTheProcesssOwn() throws {
    let world = try WatchedNamespace(prepare: prepare)
    // The rule precedes that of the machine's own addresses.
    try world.namespace.ip("rule add pref 10 lookup local", "rule del pref 0", "rule add pref 5 ipproto tcp prohibit")
    let path = try world.namespace.inside { try NWPath.current(resolverConfiguration: "/dev/null") }
    #expect(path.status == .satisfied)
    #expect(world.paths.values.map(\.status) == [.satisfied])
  }

  @Test func nothingIsSent() throws {
    let world = try WatchedNamespace(prepare: prepare)
    func sent() throws -> [Substring] {
      let text = try world.namespace.inside { try Files.read("/proc/thread-self/net/dev") }
      return String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst(2).map { line in
        let words = line.split(separator: " ")
        return words[0] + words[10]
      }
    }
    let before = try sent()
    #expect(before.contains("eth0:0") && before.contains("lo:0"), "\(before)")
    try look(world)
    for (refuse, allow) in Self.refusals {
      try world.after({ try look(world, refuse) }, "the refusal") { $0.reason == .blocked }
      try world.after({ try look(world, allow) }, "the end") { $0.status == .satisfied }
    }
    #expect(try sent() == before)
  }
}
