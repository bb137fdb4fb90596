/// What the kernel would do with a packet for the internet, named as in Apple's Network framework.
public struct NWPath: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable {
    /// The kernel would send the packet out of a link that can carry it. It does not promise that anyone answers.
    case satisfied
    case unsatisfied
    /// A dial-on-demand link would come up first.
    case requiresConnection = "requires-connection"
    /// The kernel could not be asked (no netlink in this sandbox). Treated as satisfied: a monitor that fails must not claim
    /// an outage.
    case unknown
  }

  /// Why a path is not satisfied. The raw values are what other programs read.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No route leads to the internet (`ENETUNREACH`: none, throw, or a rule that says so).
    case noRoute = "no-route"
    /// The route's type is `unreachable` (`EHOSTUNREACH`).
    case unreachable
    /// The route's type is `blackhole` (`EINVAL` without an explanation).
    case blackhole
    /// The route's type is `prohibit` (`EACCES`).
    case prohibited
    /// The route's interface is administratively down.
    case linkDown = "link-down"
    /// The route's interface is up, but nothing is at the other end of the cable (no `IFF_LOWER_UP`).
    case noCarrier = "no-carrier"
    /// The route's interface waits for something, such as authentication (operstate dormant or testing).
    case dormant
    /// The route's interface has no address of that family from which to send.
    case noAddress = "no-address"
    /// The route's interface is a tunnel, and no link that could carry its packets can carry any.
    case noUnderlay = "no-underlay"
    /// The route ends in the loopback interface.
    case loopback
    /// The user's configuration ignores the route's interface.
    case ignored
    /// The kernel could not be asked.
    case noNetlink = "no-netlink"
  }

  public var status: Status
  /// Why not; nil when satisfied.
  public var reason: Reason?
  /// The answer to "why" as one sentence: `offline: default via 192.0.2.1 dev eth0 has no carrier`.
  public var explanation: String
  /// The cause in few words, for a banner: `eth0 has no carrier`. Empty when satisfied.
  public var cause: String
  /// The one the kernel would use first, then the others that lead to the internet.
  public var availableInterfaces: [NWInterface]
  /// Addresses of the routers of ``availableInterfaces``, in the same order; on-link routes have none.
  public var gateways: [String]
  public var supportsIPv4: Bool
  public var supportsIPv6: Bool
  /// A nameserver of the resolver's configuration can be reached.
  public var supportsDNS: Bool
  /// Cellular, tethered by Bluetooth, or marked so by configuration.
  public var isExpensive: Bool
  /// Marked so by configuration.
  public var isConstrained: Bool
  /// The networks that the user named, in the order of ``PathOptions/targets``. Empty while the kernel cannot be asked.
  public var targets: [Target]

  public init(
    status: Status, reason: Reason? = nil, explanation: String = "", cause: String = "",
    availableInterfaces: [NWInterface] = [], gateways: [String] = [], supportsIPv4: Bool = false,
    supportsIPv6: Bool = false, supportsDNS: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false,
    targets: [Target] = []
  ) {
    self.status = status
    self.reason = reason
    self.explanation = explanation
    self.cause = cause
    self.availableInterfaces = availableInterfaces
    self.gateways = gateways
    self.supportsIPv4 = supportsIPv4
    self.supportsIPv6 = supportsIPv6
    self.supportsDNS = supportsDNS
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
    self.targets = targets
  }

  /// Whether the first, used interface is of this type.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
    availableInterfaces.first?.type == type
  }
}
