extension NWPath {
  /// Asks the kernel for the current path, without a monitor.
  ///
  /// The path is unknown when the kernel's tables change faster than this can read them. One look cannot know that a router is silent.
  ///
  /// - Parameters:
  ///   - silent: the routers that another process has found silent, each with the time since its last answer.
  ///   - tunnel: the running monitor's word about the tunnel in use.
  package static func current(
    options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    silent: [Gateway: RouterSilence] = [:], tunnel: TunnelWord? = nil,
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> NWPath {
    try look(
      options: options, resolverConfiguration: resolverConfiguration, silent: silent, tunnel: tunnel, ask: ask
    ).path
  }

  /// The routers of the path that the kernel asks in vain now. That alone proves nothing: a router may have a new hardware address.
  package static func routersWithoutAnswer(
    options: PathOptions = PathOptions(),
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> [Gateway] {
    let (_, gateways, queries, _) = try look(
      options: options, resolverConfiguration: "/etc/resolv.conf", silent: [:], ask: ask)
    return queries.neighbours(gateways).filter { $0.state == .failed || $0.state == .incomplete }.map(\.gateway)
  }

  /// The data on which the current path is based.
  package struct Basis {
    /// The neighbour table's entries of the routers by which the path leads; nil for a router without an entry.
    package var routers: [Gateway: Neighbour?] = [:]
    /// The TCP connections through these routers, or the reason why the kernel does not list them. Nil without a router, and if the options
    /// do not ask for them.
    package var connections: Result<ConnectionLook, NetlinkError>?
    /// The families of which this machine refuses UDP to the internet, and not to itself. That is no outage: a company may switch off QUIC.
    package var refusedDatagrams: [AddressFamily] = []

    package init() {}
  }

  /// The current path, and the data on which it is based.
  ///
  /// - Parameters:
  ///   - silent: as for ``current(options:resolverConfiguration:silent:tunnel:ask:)``.
  ///   - tunnel: likewise.
  package static func currentWithBasis(
    options: PathOptions = PathOptions(), silent: [Gateway: RouterSilence] = [:], tunnel: TunnelWord? = nil,
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> (path: NWPath, basis: Basis) {
    let (path, gateways, queries, tables) = try look(
      options: options, resolverConfiguration: "/etc/resolv.conf", silent: silent, tunnel: tunnel, ask: ask)
    var basis = Basis()
    for gateway in gateways { basis.routers[gateway] = .some(queries.neighbours([gateway]).first) }
    if path.status == .satisfied { basis.refusedDatagrams = path.families.filter(TentativeConnection.refusesDatagrams) }
    if options.detectsNoAnswers, !gateways.isEmpty {
      basis.connections = Result { () throws(NetlinkError) in
        try ConnectionLooker().look(
          .thorough, routers: Set(gateways), tunnels: tables.tunnels(of: path), tables: tables)
      }
    }
    return (path, basis)
  }

  /// What the kernel knows now about the routers by which the path leads.
  ///
  /// A connection may fail seconds before a monitor calls the router silent: the kernel refuses packets from the first FAILED on.
  package static func routerContact(
    options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> RouterContact {
    guard options.detectsSilence else { return .notLost }
    let (path, gateways, queries, _) = try look(
      options: options, resolverConfiguration: resolverConfiguration, silent: [:], ask: ask)
    guard path.status == .satisfied, path.isKnown else { return .notLost }
    let entries = queries.neighbours(gateways)
    let states = Set(entries.compactMap(\.state))
    guard states.contains(.failed) || states.contains(.incomplete) else { return .notLost }
    // The kernel asks a router only while packets go there. Both families often have one router, of which only the used address is FAILED.
    let heard: Set<Neighbour.State> = [.reachable, .permanent, .noARP]
    let answering = entries.filter { entry in entry.state.map(heard.contains) ?? false }.map(\.gateway)
    let others = Dictionary(
      uniqueKeysWithValues: Set(gateways).subtracting(answering).map { ($0, RouterSilence.heard(ago: .zero)) })
    let remaining = try look(
      options: options, resolverConfiguration: resolverConfiguration, silent: others,
      ask: { () throws(NetlinkError) in queries }
    ).path
    if remaining.status == .satisfied { return .notLost }
    return states.contains(.failed) ? .lost : .pending
  }

  private static func look(
    options: PathOptions, resolverConfiguration: String, silent: [Gateway: RouterSilence], tunnel: TunnelWord? = nil,
    ask: () throws(NetlinkError) -> QuerySocket
  ) throws(NetlinkError) -> (path: NWPath, gateways: [Gateway], queries: QuerySocket, tables: NetworkTables) {
    let queries = try ask()
    for _ in 1...PathMachine.dumpAttempts {
      let (events, complete) = try queries.dump()
      guard complete else { continue }
      var tables = NetworkTables()
      for event in events { tables.apply(event) }
      let oracle = KernelOracle(
        queries: queries,
        host: SystemHostInfo(
          resolver: nil, files: ResolverFiles(configuration: resolverConfiguration),
          connection: TentativeConnection(open: HostQuestion.open), diagnostics: { try? SocketDiagnostics() }))
      let decision = PathDecision(
        tables: tables, options: options, silentRouters: silent, tunnels: TunnelKnowledge(word: tunnel), oracle: oracle)
      let evaluation = try queries.answered(decision.evaluation)
      return (evaluation.path, Array(evaluation.routers.keys), queries, tables)
    }
    return (.unknown(because: "the kernel's tables change faster than they can be read"), [], queries, NetworkTables())
  }
}

/// What the kernel knows at one moment about the routers by which a path leads.
package enum RouterContact: Hashable, Sendable {
  /// A router answers, or none has been asked.
  case notLost
  /// The kernel is asking, and has no answer yet. It gives up after three questions, which take three seconds by default.
  case pending
  /// The kernel has asked in vain, and refuses packets (`EHOSTUNREACH`). One such failure is no proof for a monitor: a router with a new
  /// hardware address answers a moment later.
  case lost
}
