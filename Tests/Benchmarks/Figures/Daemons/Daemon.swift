internal import OverlineSystem
internal import OverlineTestSupport

/// A program that configures a machine's network.
struct Daemon: Sendable {
  var name: String
  /// The programs that it needs, from `/usr`.
  var programs: [String]
  /// The far server that is visited.
  var server = RoutedNetwork.far[0]
  /// The far servers with which connections talk.
  var peers = RoutedNetwork.far
  /// What its machine needs before it starts. The link has no address then, and no carrier.
  var prepare: @Sendable (RoutedNetwork) throws -> Void = { try $0.host.sysctl("net/ipv6/conf/all/disable_ipv6", "1") }
  /// Once: starts it, and what the machine needs besides.
  var begin: @Sendable (DaemonWorld) throws -> Void
  /// What happens in each round, in this order.
  var actions: [Action]

  struct Action: Sendable {
    var name: String
    /// Whether TCP works in the end. If not, the action itself lets the time pass.
    var endsOnline = true
    var happens: @Sendable (DaemonWorld) throws -> Void
  }

  /// The first of its programs that is neither installed nor unpacked.
  var missingProgram: String? {
    let folders = ["/usr", SimulatedMachine.packages, "\(SimulatedMachine.packages)/usr"]
    return (["sbin/dnsmasq"] + programs).first { program in
      !folders.contains { Files.exists("\($0)/\(program)") }
    }
  }

  static let all = [
    dhcpcd, udhcpc, networkManager, networkd, radvd, wireguard, openvpn, persistentOpenvpn, openconnect,
  ]
}
