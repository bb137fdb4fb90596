import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Policy rules: the watcher does not reimplement them, it asks the kernel.
@Suite(.ownThread) struct RuleCaseTests {
  /// K9
  @Test(arguments: ["-4", "-6"]) func aRuleToATableComesAndGoes(_ family: String) throws {
    let world = try WatchedNamespace { namespace in
      try namespace.addUplink("eth0", gateway: nil)
      try namespace.ip(
        "addr add 2001:db8::2/64 dev eth0 nodad",
        "\(family) route add default via \(family == "-4" ? "192.0.2.1" : "2001:db8::1") dev eth0 table 52")
    }
    #expect(world.path.reason == .noRoute)
    let path = try world.after({ try world.namespace.ip("\(family) rule add table 52") }, "the rule") {
      $0.status == .satisfied
    }
    #expect(path.supportsIPv4 == (family == "-4") && path.supportsIPv6 == (family == "-6"))
    let gone = try world.after({ try world.namespace.ip("\(family) rule del table 52") }, "no rule") {
      $0.status == .unsatisfied
    }
    #expect(gone.reason == .noRoute)
  }

  /// A rule for other packets does not apply to ours.
  @Test func rulesByMarkAndBySourceAreForOthers() throws {
    let world = try WatchedNamespace { namespace in
      try namespace.addUplink("eth0", gateway: nil)
      try namespace.ip(
        "route add default via 192.0.2.1 dev eth0 table 52", "rule add fwmark 7 table 52",
        "rule add from 203.0.113.0/24 table 52")
    }
    #expect(world.path.reason == .noRoute)
    try world.after({ try world.namespace.ip("rule add uidrange 0-0 table 52") }, "a rule for us") {
      $0.status == .satisfied
    }
  }

  /// A rule may refuse by itself, each action with its own reason.
  @Test(arguments: [("unreachable", NWPath.Reason.noRoute), ("prohibit", .prohibited), ("blackhole", .blackhole)])
  func aRuleThatRefuses(_ action: String, _ reason: NWPath.Reason) throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    let path = try world.after({ try world.namespace.ip("rule add pref 100 \(action)") }, "no way") {
      $0.status == .unsatisfied
    }
    #expect(path.reason == reason)
  }

  /// Uplinks through a bridge's port and a macvlan: their type is that of the link below.
  @Test func bridgesAndMacvlansCarryThePath() throws {
    let world = try WatchedNamespace { namespace in
      try namespace.ip(
        "link add eth0 type veth peer name eth0p", "link set eth0p up", "link set eth0 up",
        "link add br0 type bridge", "link set eth0 master br0", "link set br0 up", "addr add 192.0.2.2/24 dev br0",
        "link add mac0 link br0 type macvlan mode bridge", "link set mac0 up", "addr add 198.51.100.2/24 dev mac0",
        "route add default via 192.0.2.1 dev br0 metric 10", "route add default via 198.51.100.1 dev mac0 metric 20")
    }
    let both = try world.paths.first("both") { $0.availableInterfaces.map(\.name) == ["br0", "mac0"] }
    #expect(both.availableInterfaces.map(\.type) == [.wiredEthernet, .wiredEthernet])
    // The kernel announces the bridge and the link on it one after the other.
    let dead = try world.after({ try world.namespace.ip("link set eth0p down") }, "no port with a carrier", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(dead.reason == .noCarrier)
    #expect(dead.cause == "br0 has no carrier")
  }
}
