/// The kernel's decision on a packet for the internet, named as in Apple's Network framework.
///
/// A path is a value: it never changes, and a monitor reports a new one instead.
public struct NWPath: Hashable, Sendable {
  /// Whether there is a usable route.
  public enum Status: Hashable, Sendable {
    /// The kernel would send the packet out of a link that can carry it. That does not promise an answer.
    case satisfied
    /// There is no route, or its link is dead.
    case unsatisfied
    /// A dial-on-demand link would come up first. Never reported: Linux does not report that a link would dial.
    case requiresConnection

    /// The word for users and observers.
    package var word: String {
      switch self {
      case .satisfied: "satisfied"
      case .unsatisfied: "unsatisfied"
      case .requiresConnection: "requires-connection"
      }
    }
  }

  /// Apple's reasons why the system keeps a program from the network.
  ///
  /// Linux has no permission of this kind, so a path here always reports ``notAvailable``; ``NWPath/reason`` names the cause.
  public enum UnsatisfiedReason: Hashable, Sendable {
    /// There is no network to use.
    case notAvailable
    /// Not on Linux.
    case cellularDenied
    /// Not on Linux.
    case wifiDenied
    /// Not on Linux.
    case localNetworkDenied
    /// Not on Linux.
    case vpnInactive
  }

  /// Satisfied also when the monitor could not ask the kernel: a monitor that fails must not claim an outage. See ``isKnown``. Unsatisfied
  /// in the ``NWPathMonitor/currentPath`` of a monitor that has not been started.
  public package(set) var status: Status
  /// Whether the monitor could ask the kernel. Some sandboxes have no netlink; then the status is a guess.
  public package(set) var isKnown: Bool
  /// The cause of the outage; ``Reason/noNetlink`` while the monitor cannot ask the kernel. Nil for any other satisfied path, and before
  /// the monitor's start.
  public package(set) var reason: Reason?
  /// The status and its cause as one sentence: `offline: default via 192.0.2.1 dev eth0 has no carrier`.
  public package(set) var explanation: String
  /// The cause in few words, for a banner: `eth0 has no carrier`. Empty when satisfied.
  package var cause: String
  /// The time since the router's last answer, while the path is unsatisfied because it is silent. The monitor reports a path with a new time
  /// each time that it has doubled.
  package var silence: Duration?
  /// The tunnel that is dead; nil unless ``reason`` is ``Reason/noUnderlay``.
  package var deadTunnel: DeadTunnel?
  /// The interface that the kernel would use first, then the others that lead to the internet.
  ///
  /// While the path is unsatisfied: the interfaces by which a bound socket would still reach the internet.
  public package(set) var availableInterfaces: [NWInterface]
  /// The interfaces by which a packet of an unbound socket may leave. Empty while unsatisfied.
  package var usedInterfaces: [NWInterface]
  /// The routers of ``availableInterfaces``, in the same order, with port 0; on-link routes have none.
  public package(set) var gateways: [NWEndpoint]
  /// Whether IPv4 packets have a usable route.
  public package(set) var supportsIPv4: Bool
  /// Whether IPv6 packets have a usable route.
  public package(set) var supportsIPv6: Bool
  /// Whether a nameserver of the resolver's configuration can be reached.
  public package(set) var supportsDNS: Bool
  /// Whether one of the used interfaces is cellular, tethered by Bluetooth, or marked as expensive by configuration.
  public package(set) var isExpensive: Bool
  /// Whether one of the used interfaces is marked as constrained by configuration.
  public package(set) var isConstrained: Bool
  /// The networks that the program named, in the order of `NWPathMonitor(targets:)`. Empty while the monitor cannot ask the kernel.
  public package(set) var targets: [Target]
  /// The tunnels of this machine that carry the path, then the VPNs that do not. Empty while the monitor cannot ask the kernel.
  public package(set) var tunnels: [Tunnel]
  /// The connections that nothing beyond the router answers; nil while they are answered, or nothing is known. The path stays satisfied:
  /// the kernel would send the packet.
  public package(set) var noAnswers: NoAnswers?
  /// The connections whose data this machine does not send; nil while it sends, or nothing is known. The path stays satisfied: a kill
  /// switch may stop the packets as the user wants.
  public package(set) var notSent: NotSent?
  /// The quality of the connection; nil while it is unknown.
  package var quality: QualityReport?

  package init(
    status: Status, isKnown: Bool = true, reason: Reason? = nil, explanation: String = "", cause: String = "",
    availableInterfaces: [NWInterface] = [], usedInterfaces: [NWInterface] = [], gateways: [NWEndpoint] = [],
    supportsIPv4: Bool = false, supportsIPv6: Bool = false, supportsDNS: Bool = false, isExpensive: Bool = false,
    isConstrained: Bool = false, targets: [Target] = [], tunnels: [Tunnel] = []
  ) {
    self.status = status
    self.isKnown = isKnown
    self.reason = reason
    self.explanation = explanation
    self.cause = cause
    self.availableInterfaces = availableInterfaces
    self.usedInterfaces = usedInterfaces
    self.gateways = gateways
    self.supportsIPv4 = supportsIPv4
    self.supportsIPv6 = supportsIPv6
    self.supportsDNS = supportsDNS
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
    self.targets = targets
    self.tunnels = tunnels
  }

  /// Always ``UnsatisfiedReason/notAvailable``; ``reason`` names the cause.
  public var unsatisfiedReason: UnsatisfiedReason { .notAvailable }

  /// Always nil, as in each path of Apple's monitor. Only the path of a connection has endpoints.
  public var localEndpoint: NWEndpoint? { nil }
  /// Always nil: see ``localEndpoint``.
  public var remoteEndpoint: NWEndpoint? { nil }

  /// Always false: Linux does not report such a link, for example to a satellite.
  public var isUltraConstrained: Bool { false }

  /// The path of a monitor that has not been started: unsatisfied, as in Apple's framework, and not ``isKnown``.
  static let notStarted = NWPath(
    status: .unsatisfied, isKnown: false, explanation: "unknown: the monitor has not been started",
    cause: "the monitor has not been started")

  /// Whether connections may send by an interface of this type. The interfaces that count are those that the kernel chooses for IPv4 or
  /// IPv6, including all legs of a multipath route. An interface that is only available does not count. False while unsatisfied.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
    usedInterfaces.contains { $0.type == type }
  }

  /// The time since the last answer, while none comes: of the router, or of the hosts beyond it. Nil while answers come, or nothing is known.
  package var answerAge: Duration? { status == .unsatisfied ? silence : noAnswers?.duration }

  /// Whether the path says that connections do not work, although it is satisfied.
  package var isLimited: Bool { noAnswers != nil || notSent != nil }

  /// The status as one word for other programs: `unknown` when the monitor could not ask the kernel.
  package var statusName: String { isKnown ? status.word : "unknown" }
}

extension NWPath: CustomDebugStringConvertible {
  /// In Apple's style, for logs: `satisfied (Path is satisfied), interface: wlan0[802.11], ipv4, ipv6, dns`.
  public var debugDescription: String {
    switch status {
    case .unsatisfied: return "unsatisfied (\(cause.isEmpty || reason == .noRoute ? "No network route" : cause))"
    case .satisfied, .requiresConnection: break
    }
    var words = [
      status == .satisfied
        ? "satisfied (Path is \(isKnown ? "satisfied" : "unknown"))" : "satisfiable (Path needs a connection)"
    ]
    if let interface = availableInterfaces.first {
      words.append("interface: \(interface.name)\(interface.type == .wifi ? "[802.11]" : "")")
    }
    if supportsIPv4 { words.append("ipv4") }
    if supportsIPv6 { words.append("ipv6") }
    if supportsDNS { words.append("dns") }
    if isExpensive { words.append("expensive") }
    if isConstrained { words.append("constrained") }
    return words.joined(separator: ", ")
  }
}
