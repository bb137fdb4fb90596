public import NetworkPath

extension NWPath {
  /// A path of a ``SimulatedNetwork``: its interfaces, or the cause of an outage.
  public struct Script: Hashable, Sendable {
    let path: NWPath
    /// The names of the targets that cannot be reached, although the network is online.
    var unreachableTargets: Set<String> = []
    /// The router of a network that is online.
    var router: AnyIPAddress?

    /// The wired interface of a script that names none.
    public static let eth0 = NWInterface(name: "eth0", index: 2, type: .wiredEthernet)

    /// The network is online. The router is 192.0.2.1, or 2001:db8::1 without IPv4.
    ///
    /// - Parameters:
    ///   - interfaces: the interfaces that lead to the internet; the kernel would use the first.
    ///   - supportsIPv4: false for a network with IPv6 only.
    ///   - supportsIPv6: whether IPv6 packets have a usable route.
    ///   - supportsDNS: whether a nameserver can be reached.
    ///   - isExpensive: whether the first interface costs money by use.
    ///   - isConstrained: whether the first interface should be used sparingly.
    ///   - isAnswered: false for a network that answers no connection: 3 connections to 2 hosts, for 10 seconds
    ///     (``NetworkPath/NWPath/noAnswers-swift.property``).
    ///   - isSending: false for a machine that sends nothing: 3 connections to 2 hosts, for 10 seconds
    ///     (``NetworkPath/NWPath/notSent-swift.property``).
    ///   - linkQuality: what each monitor of the network reports. A poor one limits nothing.
    ///   - unreachableTargets: the names of targets that cannot be reached, such as an office's network without its VPN.
    public static func online(
      by interfaces: [NWInterface] = [eth0], supportsIPv4: Bool = true, supportsIPv6: Bool = false,
      supportsDNS: Bool = true, isExpensive: Bool = false, isConstrained: Bool = false, isAnswered: Bool = true,
      isSending: Bool = true, linkQuality: NWPath.LinkQuality = .unknown,
      unreachableTargets: Set<String> = []
    ) -> Script {
      let router = supportsIPv4 ? "192.0.2.1" : "2001:db8::1"
      var path = NWPath(
        status: .satisfied, availableInterfaces: interfaces,
        usedInterfaces: Array(interfaces.prefix(1)), gateways: [.hostPort(host: .init(router), port: .any)],
        supportsIPv4: supportsIPv4, supportsIPv6: supportsIPv6, supportsDNS: supportsDNS, isExpensive: isExpensive,
        isConstrained: isConstrained)
      if !isAnswered { path.noAnswers = NWPath.NoAnswers(connections: 3, hosts: 2, duration: .seconds(10)) }
      if !isSending { path.notSent = NWPath.NotSent(connections: 3, hosts: 2, duration: .seconds(10)) }
      path.quality = Self.reading(of: linkQuality)?.report
      let address = AnyIPAddress(router)
      path.explanation = PathWords.online(path, gateway: address)
      return Script(path: path, unreachableTargets: unreachableTargets, router: address)
    }

    /// A network of this quality.
    private static func reading(of level: NWPath.LinkQuality) -> QualityReading? {
      let time: Duration
      switch level {
      case .unknown: return nil
      case .minimal: time = .milliseconds(1400)
      case .moderate: time = .milliseconds(420)
      case .good: time = .milliseconds(23)
      }
      return QualityReading(roundTrip: time, shortest: time, hosts: 3)
    }

    /// The network is offline.
    ///
    /// - Parameters:
    ///   - reason: the cause. With ``NWPath/Reason/routerSilent`` the links are up, and the router does not answer.
    ///   - interface: the interface of the route that is dead.
    public static func offline(_ reason: NWPath.Reason = .noCarrier, by interface: NWInterface = eth0) -> Script {
      let words = PathWords.outage(reason, by: interface, router: deadRouter)
      return Script(
        path: NWPath(status: .unsatisfied, reason: reason, explanation: words.explanation, cause: words.cause))
    }

    private static let deadRouter = AnyIPAddress("192.0.2.1")!
  }
}
