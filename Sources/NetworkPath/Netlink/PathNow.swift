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

  /// The current path, and the neighbour table's entries of the routers by which it leads; nil for a router without an entry.
  package static func currentWithRouters(
    options: PathOptions = PathOptions(),
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> (path: NWPath, routers: [Gateway: Neighbour?]) {
    let (path, gateways, queries) = try look(options: options, resolverConfiguration: "/etc/resolv.conf", ask: ask)
    var routers: [Gateway: Neighbour?] = [:]
    for gateway in gateways { routers[gateway] = .some(queries.neighbours([gateway]).first) }
    return (path, routers)
  }

  private static func look(
    options: PathOptions, resolverConfiguration: String, ask: () throws(NetlinkError) -> QuerySocket
  ) throws(NetlinkError) -> (path: NWPath, gateways: [Gateway], queries: QuerySocket) {
    let queries = try ask()
    for _ in 1...PathMachine.dumpAttempts {
      let (events, complete) = try queries.dump()
      guard complete else { continue }
      var tables = NetworkTables()
      for event in events { tables.apply(event) }
      let oracle = KernelOracle(
        queries: queries,
        surroundings: SystemSurroundings(resolver: nil, files: ResolverFiles(configuration: resolverConfiguration)))
      let evaluation = try queries.answered(PathDecision(tables: tables, options: options, oracle: oracle).evaluation)
      return (evaluation.path, Array(evaluation.routers.keys), queries)
    }
    return (.unknown(because: "the kernel's tables change faster than they can be read"), [], queries)
  }
}
