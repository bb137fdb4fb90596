/// Decides a path from the tables of interfaces and the kernel's answers.
///
/// The kernel is the oracle: it returns the route that it would take. The decision only checks that the route's legs are alive. Policy
/// rules, tables, metrics and route types are right by construction.
package struct PathDecision {
  let tables: NetworkTables
  let options: PathOptions
  let lastUsed: [NWInterface]
  let oracle: any PathOracle
  /// What is known of the tunnels from earlier looks.
  let tunnels: TunnelKnowledge
  /// The links under the tunnels, looked up once per decision, and only when a route leads into a tunnel.
  let search = Memo<UnderlaySearch>()
  /// The links under taps, looked up in the same way.
  let searchUnderTaps = Memo<UnderlaySearch>()
  /// Whether this look may end an outage, so that it must tell which routers are needed.
  let endsOutage: Bool
  /// What the links under each tunnel mean for it.
  let judged = Memo<[Int: Underlay]>()
  /// What this decision has found about the tunnels.
  let reports = Memo<[Int: TunnelReport]>()
  private let earliestEnd = Memo<Duration>()
  private let decisive = Memo<[AnyIPAddress]>()
  /// The routers of the usable legs that were looked at.
  let routers = Memo<Set<Gateway>>()
  /// The routers that do not answer.
  let silentRouters: [Gateway: RouterSilence]
  /// True when no message announces a change: the kernel's filter hides routes to a VPN's server, and nothing announces the packets of a
  /// dead tunnel or the end of a refusal.
  let mustLookAgain = Memo<Bool>()

  /// - Parameter lastUsed: the interfaces of the last satisfied path, the kernel's choice first and the links under it last. If a route and
  ///   one of these interfaces vanish together, the interface is the cause.
  package init(
    tables: NetworkTables, options: PathOptions = PathOptions(), lastUsed: [NWInterface] = [],
    silentRouters: [Gateway: RouterSilence] = [:], tunnels: TunnelKnowledge = TunnelKnowledge(),
    endsOutage: Bool = false, oracle: any PathOracle
  ) {
    self.endsOutage = endsOutage
    self.tunnels = tunnels
    self.silentRouters = silentRouters
    self.tables = tables
    self.options = options
    self.lastUsed = lastUsed
    self.oracle = oracle
  }

  /// The current path. Asks the oracle a few questions, and a few more for each interface that could lead to the internet.
  package func path() -> NWPath { evaluation().path }

  /// The current path, and whether it may change without an announcement.
  package func evaluation() -> PathEvaluation {
    let verdicts = AddressFamily.allCases.map(verdict)
    let path = path(verdicts)
    let isAssumed = options.assumption == .online
    let neededRouters =
      options.isClassic || !endsOutage || isAssumed ? [] : neededRouters(of: verdicts.flatMap(\.ways))
    let mayChangeUnannounced = mayChangeUnannounced(verdicts.flatMap(\.prefixLengths))
    return PathEvaluation(
      path: isAssumed ? path.assumedOnline : path, mayChangeUnannounced: mayChangeUnannounced,
      lifetime: earliestEnd.value,
      gaps: Set(AddressFamily.allCases.indices.filter { verdicts[$0].isGap }.map { AddressFamily.allCases[$0] }),
      routers: linkStates(), neededRouters: neededRouters,
      mayKick: options.mayKick && options.detectsSilence, isClassic: options.isClassic,
      terms: ConnectionMachine.Terms(
        isOn: options.detectsNoAnswers && !isAssumed, watchesSending: options.watchesSending && !isAssumed,
        isSatisfied: path.status == .satisfied, mayKick: options.mayKick, mayAsk: options.mayAsk),
      quality: options.quality, tunnels: reports.value ?? [:])
  }

  // MARK: Routers

  /// Whether the router of a usable leg does not answer. This also records the router.
  func isSilent(_ leg: RouteMatch.Leg) -> Bool {
    guard options.needsRouters, let address = leg.gateway else { return false }
    let gateway = Gateway(address, on: leg.interface)
    routers.value = (routers.value ?? []).union([gateway])
    return options.detectsSilence && silentRouters[gateway] != nil
  }

  func silence(of leg: RouteMatch.Leg) -> RouterSilence? {
    leg.gateway.flatMap { silentRouters[Gateway($0, on: leg.interface)] }
  }

  private func linkStates() -> [Gateway: RouterMachine.LinkState] {
    var linkStates: [Gateway: RouterMachine.LinkState] = [:]
    for gateway in routers.value ?? [] {
      let link = tables.links[gateway.interface]
      linkStates[gateway] = RouterMachine.LinkState(
        isUp: link?.isUp ?? false, hasCarrier: link?.hasCarrier ?? false,
        addresses: Set(
          (tables.addresses[gateway.interface] ?? [:]).keys.filter { $0.address.family == gateway.address.family }))
    }
    return linkStates
  }

  /// The route that the kernel would take. This also records the route's end.
  func ask(_ probe: RouteProbe) -> RouteAnswer {
    let answer = oracle.route(probe)
    if probe.kind == .match, case .route(let match) = answer, let lifetime = match.lifetime {
      earliestEnd.value = min(earliestEnd.value ?? lifetime, lifetime)
    }
    return answer
  }

  private func path(_ verdicts: [FamilyVerdict]) -> NWPath {
    var verdicts = verdicts
    let others = otherWays(than: verdicts.flatMap(\.ways))
    for index in verdicts.indices where verdicts[index].isDiverted && !verdicts[index].isViable {
      // If a program excludes the type of the kernel's choice, it binds its sockets to an interface of another type.
      verdicts[index].ways = others.filter { $0.family == AddressFamily.allCases[index] }
    }
    let used = verdicts.flatMap(\.ways)
    let ways = used + others

    let isViable = verdicts.contains(where: \.isViable)
    if !isViable, let errno = verdicts.lazy.compactMap(\.fault).first {
      return .unknown(because: "the kernel answers no question about routes (error \(errno))")
    }
    var path = NWPath(status: isViable ? .satisfied : .unsatisfied)
    path.supportsIPv4 = verdicts[0].isViable
    path.supportsIPv6 = verdicts[1].isViable
    path.availableInterfaces = unique(ways.map(\.leg.interface)).map(interface)
    path.usedInterfaces = unique(used.map(\.leg.interface) + underlays(of: used)).map(interface)
    path.gateways = unique(
      ways.compactMap { way in
        way.leg.gateway.map { gateway in
          NWEndpoint(gateway: gateway, on: path.availableInterfaces.first { $0.index == way.leg.interface })
        }
      })
    path.supportsDNS =
      path.status == .satisfied
      && oracle.nameservers().contains { isReachable($0, by: path.availableInterfaces) }
    // With a VPN, the modem under the tunnel costs money, not the tunnel.
    let judged = isViable ? path.usedInterfaces : Array(path.availableInterfaces.prefix(1))
    path.isExpensive = judged.contains {
      $0.type == .cellular || oracle.hardware(of: $0.name).isBluetooth || options.expensive.match($0.name)
    }
    path.isConstrained = judged.contains { options.constrained.match($0.name) }
    path.targets = targets()
    path.tunnels = tunnels(used, verdicts.compactMap(\.obstacle))
    if path.status == .satisfied {
      path.explanation = PathWords.online(path, gateway: ways.first?.leg.gateway)
    } else {
      let obstacle = worst(verdicts.compactMap(\.obstacle))
      path.reason = obstacle.reason
      path.cause = named(PathWords.cause(obstacle, links: tables.links))
      path.silence = obstacle.silence?.age
      path.deadTunnel = deadTunnel(obstacle, path.cause)
      path.explanation = named(
        PathWords.offline(obstacle, links: tables.links, shadowed: path.availableInterfaces))
    }
    return path
  }

  private func deadTunnel(_ obstacle: Obstacle, _ cause: String) -> DeadTunnel? {
    guard obstacle.reason == .noUnderlay, let way = obstacle.way else { return nil }
    return DeadTunnel(
      name: tables.links[way.leg.interface]?.name ?? "", cause: obstacle.under == nil ? "" : cause,
      isLooping: obstacle.under?.isLoop ?? false)
  }

  /// True for a router without a default route: the matching routes have prefixes that the filter drops, or no route matches yet. Also true
  /// for a VPN whose server has its own route.
  private func mayChangeUnannounced(_ matched: [Int]) -> Bool {
    if mustLookAgain.value == true { return true }
    // The filter passes every route that covers these networks.
    if !options.onlineMeans.isEmpty { return false }
    if matched.isEmpty { return !tables.ready().isEmpty }
    return matched.contains { $0 > RouteProbe.maximumAnnouncedPrefixLength }
  }

  /// Whether a look-up failed because this kernel lacks the family: rtnetlink returns `EOPNOTSUPP` for one that is not registered
  /// (`ipv6.disable=1`). IPv4 is always registered: an unsupported IPv4 look-up means a sandbox without look-ups.
  static func lacksFamily(_ family: AddressFamily, _ errno: Int32) -> Bool {
    family == .ipv6 && errno == Errno.notSupported
  }

  // MARK: Destinations

  /// The addresses whose routes decide about a family: one in each network of the options, else on either side of the internet.
  func destinations(_ family: AddressFamily) -> [AnyIPAddress] {
    if options.onlineMeans.isEmpty { return RouteProbe.destinations(family) }
    return decisive.value { tables.destinations(in: options.onlineMeans).compactMap(\.self) }.filter {
      $0.family == family
    }
  }

  /// A sentence about the internet, with the options' networks in its place, and the addresses that were looked up.
  func named(_ sentence: String) -> String {
    if options.onlineMeans.isEmpty { return sentence }
    let destinations = tables.destinations(in: options.onlineMeans)
    return PathWords.about(Array(zip(options.onlineMeans, destinations)), sentence)
  }

  // MARK: One family

  private func verdict(_ family: AddressFamily) -> FamilyVerdict {
    var verdict = FamilyVerdict()
    guard options.families.contains(family) else { return verdict }
    for destination in destinations(family) {
      switch route(to: destination) {
      case .failure(let obstacle): verdict.note(obstacle)
      case .success(.route(let match)):
        verdict.prefixLengths.append(match.prefix.length)
        for leg in match.legs {
          let way = Way(match: match, leg: leg)
          if let reason = obstacle(of: leg, to: destination) {
            if reason == .excluded { verdict.isDiverted = true }
            let under = reason == .noUnderlay ? underlay(under: leg.interface).fault : nil
            let silence = reason == .routerSilent ? silence(of: leg) : under?.silence
            verdict.note(Obstacle(reason: reason, family: family, way: way, silence: silence, under: under))
          } else {
            verdict.ways.append(way)
          }
        }
        if match.legs.isEmpty { verdict.note(noRoute(family)) }
      case .success(.refused(.failed(let errno))):
        // A kernel without this family has no such route. Any other error is a fault of the question, never an outage.
        if !Self.lacksFamily(family, errno) { verdict.fault = errno }
        verdict.note(noRoute(family))
      case .success(.refused(let refusal)):
        verdict.note(obstacle(refusal, family))
      }
    }
    // The question is that of an unbound socket. Programs that choose an interface may have rules of their own.
    let asksForRefusals =
      options.interface == nil && !options.areSelective && !options.isClassic && options.onlineMeans.isEmpty
    if verdict.isViable, asksForRefusals, oracle.refusesConnections(family) {
      verdict.block(Obstacle(reason: .blocked, family: family))
      mustLookAgain.value = true
    }
    return verdict
  }

  func obstacle(_ refusal: RouteRefusal, _ family: AddressFamily) -> Obstacle {
    switch refusal {
    case .networkUnreachable, .failed: noRoute(family)
    case .hostUnreachable: Obstacle(reason: .unreachable, family: family)
    case .blackhole: Obstacle(reason: .blackhole, family: family)
    case .prohibited: Obstacle(reason: .prohibited, family: family)
    }
  }

  /// The obstacle when there is no route. A link that carries nothing is the more useful cause: the link last used, or all the links there
  /// are.
  private func noRoute(_ family: AddressFamily) -> Obstacle {
    if let last = lastUsed.first, let link = tables.links[last.index], let reason = link.obstacle {
      return Obstacle(reason: reason, family: family, link: link.index)
    }
    // Called for each probe; the search ends at the first live link.
    let links = tables.links.values.lazy.filter { !$0.isLoopback }
    guard let first = links.first, links.allSatisfy({ $0.obstacle != nil }) else {
      return Obstacle(reason: .noRoute, family: family)
    }
    let nearest = links.max { ($0.nearness, -$0.index) < ($1.nearness, -$1.index) } ?? first
    // Of several links that are down or without a carrier no one is to blame. A link that waits for something is.
    let isToBlame = nearest.nearness == .max || links.dropFirst().isEmpty
    return Obstacle(reason: nearest.obstacle ?? .noRoute, family: family, link: isToBlame ? nearest.index : nil)
  }

  // MARK: One leg

  /// The reason why a leg cannot carry packets, or nil when it can.
  func obstacle(of leg: RouteMatch.Leg, to destination: AnyIPAddress) -> NWPath.Reason? {
    guard let link = tables.links[leg.interface], link.isUp else { return .linkDown }
    if link.isLoopback { return .loopback }
    if options.ignored.match(link.name) { return .ignored }
    if options.areSelective && !options.admit(tables.interfaceType(of: leg.interface, oracle: oracle)) {
      return .excluded
    }
    if let reason = link.obstacle { return reason }
    if leg.isLinkDown { return .noCarrier }
    if leg.isDead { return .linkDown }
    guard canSend(leg, to: destination) else { return .noAddress }
    if isSilent(leg) { return .routerSilent }
    return link.isTunnel && !underlay(under: link.index).isViable ? .noUnderlay : nil
  }

  func canSend(_ leg: RouteMatch.Leg, to destination: AnyIPAddress, mark: UInt32 = 0) -> Bool {
    let addresses = tables.addresses(on: leg.interface, destination.family)
    if addresses.contains(where: \.isRoutable) { return true }
    // A link-local address (RFC 3927) reaches the internet through a router that translates it, such as a tethered phone.
    if destination.family == .ipv4, leg.gateway != nil,
      addresses.contains(where: { $0.isUsable && $0.key.address.isLinkLocal })
    {
      return true
    }
    // An unnumbered uplink sends from an address of another interface. Only the kernel knows its choice.
    let probe = RouteProbe(destination: destination, kind: .resolve, outputInterface: leg.interface, mark: mark)
    guard case .route(let resolved) = ask(probe), let source = resolved.preferredSource else { return false }
    return !source.isLinkLocal && !source.isLoopback && tables.hasUsable(source)
  }

  // MARK: The other interfaces

  /// The ways that the kernel would take for sockets bound to the other interfaces. Only interfaces that could send are looked up: a
  /// thousand container interfaces must not cost a thousand look-ups.
  private func otherWays(than used: [Way]) -> [Way] {
    var ways: [Way] = []
    if options.interface != nil { return ways }
    for index in tables.ready() {
      // If the kernel's choice for one family is excluded, the interface used for the other family may replace it.
      if !options.areSelective && used.contains(where: { $0.leg.interface == index }) { continue }
      for family in options.families where tables.isRoutable(from: index, family) {
        if used.contains(where: { $0.leg.interface == index && $0.family == family }) { continue }
        guard let destination = destinations(family).first else { continue }
        let probe = RouteProbe(destination: destination, outputInterface: index)
        guard case .route(let match) = ask(probe) else { continue }
        // A bound multipath answer lists all its legs.
        ways += match.legs.filter { $0.interface == index && obstacle(of: $0, to: destination) == nil }
          .map { Way(match: match, leg: $0) }
      }
    }
    return ways
  }

  func interface(_ index: Int) -> NWInterface {
    NWInterface(
      name: tables.links[index]?.name ?? "", index: index, type: tables.interfaceType(of: index, oracle: oracle))
  }

  /// The obstacle to report. An obstacle with a leg precedes one with a route type, and IPv4 precedes IPv6.
  private func worst(_ obstacles: [Obstacle]) -> Obstacle {
    let ranked = obstacles.enumerated().max { ($0.element.rank, -$0.offset) < ($1.element.rank, -$1.offset) }
    return ranked?.element ?? Obstacle(reason: .noRoute, family: .ipv4)
  }
}

/// The elements in order, each once.
private func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
