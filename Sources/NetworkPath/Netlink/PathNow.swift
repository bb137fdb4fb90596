extension NWPath {
  /// Asks the kernel for the current path, without a monitor.
  ///
  /// The path is unknown when the kernel's tables change faster than this can read them. One look cannot know that a router is silent.
  ///
  /// - Parameters:
  ///   - word: what the running monitor has found.
  package static func current(
    options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    word: MonitorWord? = nil,
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> NWPath {
    try look(options: options, resolverConfiguration: resolverConfiguration, word: word, ask: ask).path
  }

  /// The routers of the path that the kernel asks in vain now. That alone proves nothing: a router may have a new hardware address.
  package static func routersWithoutAnswer(
    options: PathOptions = PathOptions(),
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> [Gateway] {
    let found = try look(options: options, resolverConfiguration: "/etc/resolv.conf", ask: ask)
    return found.queries.neighbours(found.gateways).filter { $0.state == .failed || $0.state == .incomplete }
      .map(\.gateway)
  }

  /// The data on which the current path is based.
  package struct Basis {
    /// The neighbour table's entries of the routers by which the path leads; nil for a router without an entry.
    package var routers: [Gateway: Neighbour?] = [:]
    /// What the look has found about the tunnels by which the routes lead.
    package var tunnels: [(name: String, report: TunnelReport)] = []
    /// The TCP connections through these routers, or the reason why the kernel does not list them. Nil without a router, and if the options
    /// do not ask for them.
    package var connections: Result<ConnectionLook, NetlinkError>?
    /// The figures of the connections by the path, or the reason why the kernel does not list them. Nil while offline.
    package var quality: Result<QualityLook, NetlinkError>?
    /// The families of which this machine refuses UDP to the internet, and not to itself. That is no outage: a company may switch off QUIC.
    package var refusedDatagrams: [AddressFamily] = []

    package init() {}
  }

  /// The current path, and the data on which it is based.
  ///
  /// - Parameter word: as for ``current(options:resolverConfiguration:word:ask:)``.
  package static func currentWithBasis(
    options: PathOptions = PathOptions(), word: MonitorWord? = nil,
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> (path: NWPath, basis: Basis) {
    let found = try look(options: options, resolverConfiguration: "/etc/resolv.conf", word: word, ask: ask)
    let (path, tables) = (found.path, found.tables)
    var basis = Basis()
    for gateway in found.gateways { basis.routers[gateway] = .some(found.queries.neighbours([gateway]).first) }
    basis.tunnels = found.tunnels.keys.sorted().compactMap { index in
      guard let link = tables.links[index], let report = found.tunnels[index] else { return nil }
      return (link.name, report)
    }
    if path.status == .satisfied { basis.refusedDatagrams = path.families.filter(TentativeConnection.refusesDatagrams) }
    if path.status == .satisfied, path.isKnown {
      basis.quality = Result { () throws(NetlinkError) in
        try ConnectionLooker().quality(of: path, tables: tables)
      }
    }
    if options.looksAtConnections, !found.gateways.isEmpty {
      basis.connections = Result { () throws(NetlinkError) in
        try ConnectionLooker().look(
          .thorough, routers: Set(found.gateways), tunnels: tables.tunnels(of: path), tables: tables)
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
    let found = try look(options: options, resolverConfiguration: resolverConfiguration, ask: ask)
    guard found.path.status == .satisfied, found.path.isKnown else { return .notLost }
    let entries = found.queries.neighbours(found.gateways)
    let states = Set(entries.compactMap(\.state))
    guard states.contains(.failed) || states.contains(.incomplete) else { return .notLost }
    // The kernel asks a router only while packets go there. Both families often have one router, of which only the used address is FAILED.
    let heard: Set<Neighbour.State> = [.reachable, .permanent, .noARP]
    let answering = entries.filter { entry in entry.state.map(heard.contains) ?? false }.map(\.gateway)
    let others = Dictionary(
      uniqueKeysWithValues: Set(found.gateways).subtracting(answering).map { ($0, RouterSilence.heard(ago: .zero)) })
    let remaining = try look(
      options: options, resolverConfiguration: resolverConfiguration, silent: others,
      ask: { () throws(NetlinkError) in found.queries }
    ).path
    if remaining.status == .satisfied { return .notLost }
    return states.contains(.failed) ? .lost : .pending
  }

  /// Looks at the quality of the connection by which packets leave now.
  package struct QualityWatch: ~Copyable {
    private let looker: ConnectionLooker
    private let options: PathOptions

    package init(options: PathOptions) throws(NetlinkError) {
      looker = try ConnectionLooker()
      self.options = options
    }

    /// The current path, and a look at the connections; nil while offline.
    package func look() throws(NetlinkError) -> (path: NWPath, look: QualityLook?) {
      let found = try NWPath.look(options: options, resolverConfiguration: "/etc/resolv.conf") {
        () throws(NetlinkError) in try QuerySocket()
      }
      guard found.path.status == .satisfied, found.path.isKnown else { return (found.path, nil) }
      return (found.path, try looker.quality(of: found.path, tables: found.tables))
    }
  }

  /// What one look has found.
  private struct Found {
    var path: NWPath
    var queries: QuerySocket
    var tables = NetworkTables()
    var gateways: [Gateway] = []
    var tunnels: [Int: TunnelReport] = [:]
  }

  /// - Parameter silent: routers that count as silent, besides those of the monitor's word.
  private static func look(
    options: PathOptions, resolverConfiguration: String, word: MonitorWord? = nil,
    silent: [Gateway: RouterSilence] = [:], ask: () throws(NetlinkError) -> QuerySocket
  ) throws(NetlinkError) -> Found {
    let queries = try ask()
    for _ in 1...ReadingSchedule.dumpAttempts {
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
        tables: tables, options: options, silentRouters: silent.merging(word?.silent ?? [:]) { old, _ in old },
        tunnels: TunnelKnowledge(word: word?.tunnel), endsOutage: word?.mayWaitForRouter ?? false, oracle: oracle)
      let evaluation = try queries.answered(decision.evaluation)
      var path = evaluation.path
      if let word, evaluation.waits(queries, after: word) {
        path = path.waiting(for: evaluation.neededRouters, since: word.since)
      }
      return Found(
        path: path, queries: queries, tables: tables, gateways: Array(evaluation.routers.keys),
        tunnels: evaluation.tunnels)
    }
    return Found(path: .unknown(because: "the kernel's tables change faster than they can be read"), queries: queries)
  }
}

extension PathEvaluation {
  /// Whether the running monitor still waits for an answer of one of the routers.
  fileprivate func waits(_ queries: QuerySocket, after word: MonitorWord) -> Bool {
    guard word.mayWaitForRouter, path.status == .satisfied, path.isKnown, mayKick, !neededRouters.isEmpty else {
      return false
    }
    return !queries.neighbours(Array(neededRouters)).contains(where: \.hasAnswered)
  }
}

/// What the kernel knows at one moment about the routers by which a path leads.
package enum RouterContact: Equatable, Sendable {
  /// A router answers, or none has been asked.
  case notLost
  /// The kernel is asking, and has no answer yet. It gives up after three questions, which take three seconds by default.
  case pending
  /// The kernel has asked in vain, and refuses packets (`EHOSTUNREACH`). One such failure is no proof for a monitor: a router with a new
  /// hardware address answers a moment later.
  case lost
}
