extension NWPath {
  /// Asks the kernel for the current path, without a monitor.
  ///
  /// The path is unknown when the kernel's tables change faster than this can read them. One look cannot know that a router is silent.
  package static func current(
    options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> NWPath {
    try look(options: options, resolverConfiguration: resolverConfiguration, ask: ask).path
  }

  /// The data on which the current path is based.
  package struct Basis {
    /// The neighbour table's entries of the routers by which the path leads; nil for a router without an entry.
    package var routers: [Gateway: Neighbour?] = [:]
    /// The TCP connections through these routers, or the reason why the kernel does not list them. Nil without a router, and if the options
    /// do not ask for them.
    package var connections: Result<ConnectionLook, NetlinkError>?

    package init() {}
  }

  /// The current path, and the data on which it is based.
  package static func currentWithBasis(
    options: PathOptions = PathOptions(),
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> (path: NWPath, basis: Basis) {
    let (path, gateways, queries, tables) = try look(
      options: options, resolverConfiguration: "/etc/resolv.conf", ask: ask)
    var basis = Basis()
    for gateway in gateways { basis.routers[gateway] = .some(queries.neighbours([gateway]).first) }
    if options.detectsNoAnswers, !gateways.isEmpty {
      basis.connections = Result { () throws(NetlinkError) in
        try ConnectionLooker().look(
          isWhole: true, routers: Set(gateways), tunnels: tables.tunnels(of: path), tables: tables)
      }
    }
    return (path, basis)
  }

  private static func look(
    options: PathOptions, resolverConfiguration: String, ask: () throws(NetlinkError) -> QuerySocket
  ) throws(NetlinkError) -> (path: NWPath, gateways: [Gateway], queries: QuerySocket, tables: NetworkTables) {
    let queries = try ask()
    for _ in 1...PathMachine.dumpAttempts {
      let (events, complete) = try queries.dump()
      guard complete else { continue }
      var tables = NetworkTables()
      for event in events { tables.apply(event) }
      let oracle = KernelOracle(
        queries: queries,
        host: SystemHostInfo(resolver: nil, files: ResolverFiles(configuration: resolverConfiguration)))
      let evaluation = try queries.answered(PathDecision(tables: tables, options: options, oracle: oracle).evaluation)
      return (evaluation.path, Array(evaluation.routers.keys), queries, tables)
    }
    return (.unknown(because: "the kernel's tables change faster than they can be read"), [], queries, NetworkTables())
  }
}
