extension NWPath {
  /// Asks the kernel for the current path, without a monitor.
  ///
  /// The path is unknown when the kernel's tables change faster than this can read them.
  package static func current(
    options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    ask: () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) throws(NetlinkError) -> NWPath {
    let queries = try ask()
    for _ in 1...PathMachine.dumpAttempts {
      let (events, complete) = try queries.dump()
      guard complete else { continue }
      var tables = NetworkTables()
      for event in events { tables.apply(event) }
      let oracle = KernelOracle(
        queries: queries,
        surroundings: SystemSurroundings(resolver: nil, files: ResolverFiles(configuration: resolverConfiguration)))
      return try queries.answered(PathDecision(tables: tables, options: options, oracle: oracle).path)
    }
    return .unknown(because: "the kernel's tables change faster than they can be read")
  }
}
