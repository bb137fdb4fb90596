/// The result of a look at the network.
package struct PathEvaluation: Equatable, Sendable {
  package var path: NWPath
  /// True when the path may change without an announcement that passes the filter: it depends on a route with a longer prefix, or on the
  /// absence of any route. Only periodic looks detect such a change.
  package var mayChangeUnannounced: Bool
  /// The shortest lifetime of the routes that were looked up; nil when none has a lifetime. The kernel announces the end of such a route up
  /// to 30 s late.
  package var lifetime: Duration?

  /// The families without a way only because a route or an address is missing, or because the link of the route is down. If the links that
  /// were used carry packets, that may be a gap of milliseconds.
  package var gaps: Set<AddressFamily>

  /// The routers by which the routes lead, of a path whose silent routers matter.
  package var routers: [Gateway: RouterMachine.LinkState]
  /// The routers of which one must answer before packets can leave. Empty if the path needs no router's answer.
  package var neededRouters: Set<Gateway>
  /// Whether a silent router may be sent a datagram.
  package var mayKick: Bool
  /// ``PathOptions/isClassic``
  package var isClassic: Bool
  package var terms: ConnectionMachine.Terms
  /// ``PathOptions/quality``
  package var quality: QualityUse
  /// What the look has found about the tunnels by which the routes lead.
  package var tunnels: [Int: TunnelReport]

  package init(
    path: NWPath, mayChangeUnannounced: Bool = false, lifetime: Duration? = nil,
    gaps: Set<AddressFamily> = [], routers: [Gateway: RouterMachine.LinkState] = [:],
    neededRouters: Set<Gateway> = [], mayKick: Bool = true, isClassic: Bool = false,
    terms: ConnectionMachine.Terms = .init(isOn: false, watchesSending: false),
    quality: QualityUse = .unmeasured, tunnels: [Int: TunnelReport] = [:]
  ) {
    self.quality = quality
    self.tunnels = tunnels
    self.terms = terms
    self.routers = routers
    self.neededRouters = neededRouters
    self.mayKick = mayKick
    self.isClassic = isClassic
    self.path = path
    self.mayChangeUnannounced = mayChangeUnannounced
    self.lifetime = lifetime
    self.gaps = gaps
  }
}

extension NWPath {
  /// The same path where the user's configuration says that the machine is online.
  var assumedOnline: NWPath {
    var path = self
    let isOnline = isKnown && status == .satisfied
    path.explanation =
      isOnline ? "\(explanation); assumed online" : "online: assumed by the configuration; \(explanation)"
    (path.status, path.isKnown, path.reason) = (.satisfied, true, nil)
    (path.cause, path.silence, path.deadTunnel) = ("", nil, nil)
    return path
  }

  /// Whether an evaluation has lost a part of this path, the last published one, only by what may be a gap.
  func isGap(_ evaluation: PathEvaluation) -> Bool {
    guard isKnown else { return false }
    let new = evaluation.path
    let lost = Set(families).subtracting(new.families)
    let targets = zip(targets, new.targets).filter { $0.isReachable && !$1.isReachable }.map(\.1)
    if lost.isEmpty && targets.isEmpty { return false }
    return evaluation.gaps.isSuperset(of: lost) && targets.allSatisfy { $0.reason?.isGap ?? false }
  }

  /// The families with a usable route.
  var families: [AddressFamily] { (supportsIPv4 ? [.ipv4] : []) + (supportsIPv6 ? [.ipv6] : []) }
}

extension NWPath.Reason {
  /// True for a missing route or address.
  var isGap: Bool { self == .noRoute || self == .noAddress }
}

extension NetworkTables {
  /// Whether all these interfaces still carry packets.
  func carry(_ interfaces: [NWInterface]) -> Bool {
    interfaces.allSatisfy { interface in links[interface.index].map { $0.obstacle == nil } ?? false }
  }
}

extension RouteProbe {
  /// The filter passes changes of routes with longer prefixes only for a target: a router has a million such routes. No provider splits the
  /// default route finer than into eighths of the internet, and no route to all of it is longer than a few bits.
  package static let maximumAnnouncedPrefixLength = 8
}
