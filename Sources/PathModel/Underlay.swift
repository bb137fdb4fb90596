/// The links that could carry a tunnel's packets.
struct Underlay {
  /// What is wrong with the only link that is there, or that is set up to carry anything.
  struct Fault {
    var link: Int
    var reason: NWPath.Reason
  }

  /// False only when there are candidates and none of them can carry a packet: a tunnel that is alone in its namespace has its
  /// underlay in another one.
  var isViable: Bool
  /// One that can.
  var link: Int?
  var fault: Fault?
}

extension PathDecision {
  func underlayNow() -> Underlay { underlay.value { findUnderlay() } }

  /// What carries the tunnels among the ways.
  func underlays(of ways: [Way]) -> [Int] {
    guard ways.contains(where: { tables.links[$0.leg.interface]?.isTunnel ?? false }) else { return [] }
    return underlayNow().link.map { [$0] } ?? []
  }

  private func findUnderlay() -> Underlay {
    var faults: [Underlay.Fault] = []
    for index in tables.links.keys.sorted() {
      guard let link = tables.links[index], isCandidate(link) else { continue }
      guard let reason = obstacle(under: link) else { return Underlay(isViable: true, link: index) }
      faults.append(Underlay.Fault(link: index, reason: reason))
    }
    let addressed = faults.filter { (tables.addresses[$0.link] ?? [:]).values.contains(where: \.isRoutable) }
    return Underlay(
      isViable: faults.isEmpty, fault: faults.count == 1 ? faults[0] : addressed.count == 1 ? addressed[0] : nil)
  }

  /// Whether a link is of a kind that leads out of the machine, whatever its state is now.
  private func isCandidate(_ link: Link) -> Bool {
    if link.isLoopback || link.isTunnel || options.ignored.match(link.name) { return false }
    // A port speaks through its bridge or bond. A VRF only sorts its members, which keep their addresses.
    if let master = tables.links[link.masterIndex], master.kind != "vrf" { return false }
    return !["dummy", "ifb", "nlmon", "vcan", "vxcan", "vrf"].contains(link.kind)
  }

  /// Why a link cannot carry a tunnel's packets, or nil when it can.
  private func obstacle(under link: Link) -> NWPath.Reason? {
    if let reason = link.obstacle { return reason }
    let prohibited = options.prohibitedInterfaceTypes
    if !prohibited.isEmpty && prohibited.contains(tables.interfaceType(of: link.index, oracle: oracle)) {
      return .excluded
    }
    let families = AddressFamily.allCases.filter { tables.isRoutable(from: link.index, $0) }
    if families.isEmpty {
      // By an address that is another interface's, or one that a router translates.
      let canSend = AddressFamily.allCases.contains { family in
        hasRoute(by: link, family, mark: 0) { self.canSend($0, to: $1) }
      }
      return canSend ? nil : .noAddress
    }
    // Where the only route by it is the one to the VPN's server, hardware has to be enough.
    if leadsOut(link) || families.contains(where: { hasRoute(by: link, $0, mark: 0) }) { return nil }
    // Under an unreachable default only the VPN's own packets find their way.
    let marks = oracle.marks()
    let isMarked = marks.contains { mark in families.contains { hasRoute(by: link, $0, mark: mark) } }
    return isMarked ? nil : .noRoute
  }

  private func hasRoute(
    by link: Link, _ family: AddressFamily, mark: UInt32,
    where fits: (RouteMatch.Leg, IPAddress) -> Bool = { _, _ in true }
  ) -> Bool {
    RouteProbe.destinations(family).contains { destination in
      let probe = RouteProbe(destination: destination, outputInterface: link.index, mark: mark)
      guard case .route(let match) = oracle.route(probe) else { return false }
      return match.legs.contains {
        $0.interface == link.index && !$0.isDead && !$0.isLinkDown && fits($0, destination)
      }
    }
  }

  /// Whether there is a device behind a link, or a namespace: a container's veth.
  private func leadsOut(_ link: Link) -> Bool {
    link.isPair ? link.isLowerElsewhere : hasDevice(link, depth: 8)
  }

  /// Through a vlan, bond, bridge or team.
  private func hasDevice(_ link: Link, depth: Int) -> Bool {
    // Of the ports of a containers' bridge not one has a device, and sysfs would be asked about a thousand.
    if depth == 0 || link.isPair { return false }
    // A dialled line's device is the modem, which sysfs does not name (`ARPHRD_PPP`, `ARPHRD_RAWIP`).
    if [512, 519].contains(link.hardwareType) || oracle.hardware(of: link.name).hasDevice { return true }
    switch link.kind {
    case "vlan", "macsec", "macvlan", "macvtap", "ipvlan", "ipvtap":
      return link.isLowerElsewhere || tables.links[link.lowerIndex].map { hasDevice($0, depth: depth - 1) } ?? false
    case "bond", "bridge", "team":
      return tables.links.values.contains {
        $0.masterIndex == link.index && $0.hasCarrier && hasDevice($0, depth: depth - 1)
      }
    default:
      return false
    }
  }
}

extension Link {
  /// Whether packets leave again by another link, wrapped: by kind or `ARPHRD_…` of if_arp.h, never by name. Neither a tap nor a
  /// dialled line is one.
  var isTunnel: Bool {
    // ARPHRD_TUNNEL, ARPHRD_TUNNEL6, ARPHRD_SIT, ARPHRD_IPGRE
    if [768, 769, 776, 778].contains(hardwareType) { return true }
    return ["wireguard", "tun", "ipip", "sit", "xfrm", "gtp"].contains(kind)
      || ["gre", "ip6", "vti", "ovpn"].contains { kind.hasPrefix($0) }
  }

  /// One of two ends, the other of which may be in another namespace: a container's.
  var isPair: Bool { kind == "veth" || kind == "netkit" }

  /// Why this link carries nothing, whatever the route, or nil when it can.
  var obstacle: NWPath.Reason? {
    if !isUp { return .linkDown }
    if !hasCarrier { return .noCarrier }
    switch operationalState {
    case .up, .unknown: return nil
    case .dormant, .testing: return .dormant
    case .down, .lowerLayerDown, .notPresent: return .noCarrier
    }
  }
}

/// A value that is found when it is first asked for.
final class Memo<Value> {
  private var value: Value?

  func value(_ find: () -> Value) -> Value {
    if let value { return value }
    let found = find()
    value = found
    return found
  }
}
