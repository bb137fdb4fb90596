internal import OverlineSystem

/// Looks at the machine's TCP connections, in the network namespace of the thread that opens it.
///
/// Its requests contain the addresses of other hosts. So it has its own sockets, which no transcript records. Not thread-safe.
final class ConnectionLooker {
  let diagnostics: SocketDiagnostics
  private let routes: QuerySocket
  private let counters = DatagramFiles()
  /// Nil where the kernel keeps no TCP metrics.
  private let ended: EndedConnections?
  private let owners = StallOwners(user: geteuid())
  /// The connections that the last whole look found unanswered.
  private var followed: [TCPConnection.ID] = []
  private var received = ReceivedSegments()
  private var progress = SendingProgress()
  /// Whether a look since the last ``forget()`` found so many connections that their memory is worth giving back.
  private var wasCrowded = false
  private static let crowd = 1000
  private var hosts = HostNumbers()
  /// The other ends of the stalls that the last look with any has found, those first that were asked longest ago. Like all addresses of
  /// other ends, they are never printed, recorded or published.
  private var silentHosts: [SilentHost] = []

  /// Connections in other states neither wait for an answer nor receive one.
  private static let states: Set<TCPConnection.State> = [
    .established, .synSent, .finWait1, .finWait2, .closeWait, .lastAck, .closing,
  ]

  /// Throws the kernel's reason if it does not list its TCP sockets.
  func check() throws(NetlinkError) { _ = try diagnostics.connections(in: [.closing]) { _ in false } }

  /// Whether the kernel counts datagrams. Without the counters ``ConnectionMachine`` never makes a claim.
  var countsDatagrams: Bool { counters.read(.packetsFirst).datagrams != nil }

  init() throws(NetlinkError) {
    diagnostics = try SocketDiagnostics()
    routes = try QuerySocket()
    ended = try? EndedConnections()
  }

  /// - Parameters:
  ///   - routers: the routers of the path.
  ///   - tunnels: the path's tunnels. Routes into them name no router, but the tunnel's packets leave through one of `routers`.
  func look(
    _ depth: ConnectionLook.Depth, routers: Set<Gateway>, tunnels: Set<Int>, tables: NetworkTables
  ) throws(NetlinkError) -> ConnectionLook {
    let start = ThreadClock.now
    let filter = DestinationFilter.program(without: Self.local + tables.ownNetworks())
    let now = BootClock.now
    // A packet that comes between two readings must not look like one that nothing explains. So packets are counted up to a moment before
    // the connections are read, and the next look counts from a moment after it.
    let counted = depth == .followed ? nil : counters.read(.packetsFirst)
    let found = try connections(depth, filter, at: now)
    let baseline = depth == .followed ? nil : counters.read(.packetsLast)
    let legs = Memo<[AnyIPAddress: RouteMatch.Leg?]>()
    func leg(to address: AnyIPAddress) -> RouteMatch.Leg? {
      if let known = legs.value?[address] { return known }
      let leg = self.leg(to: address)
      legs.value = (legs.value ?? [:]).merging([address: leg]) { $1 }
      return leg
    }
    let router: (AnyIPAddress) -> Gateway? = { self.router(leg(to: $0), routers: routers, tunnels: tunnels) }
    let isThorough = depth == .thorough
    let closed = isThorough ? try closedConnections(filter) : []
    let stamped = isThorough ? (try? ended?.hosts()) ?? [] : []
    var stalled: [SilentHost] = []
    var look = ConnectionLook(
      found, ended: closed, stamped: stamped, depth: depth, owners: owners, isOwn: { tables.hasUsable($0) },
      router: router, isInPlace: { tables.isInPlace($0, leg: leg(to: $0.remoteAddress.unmapped)) },
      stalled: { stalled.append(SilentHost(address: $0, port: $1)) })
    if isThorough { look.mayHearDatagrams = mayHearDatagrams(router) }
    note(stalled, isLast: look.connecting == 0 && look.doubtful == 0)
    if look.isWhole {
      let halfClosed = ConnectionLook.halfClosed(found)
      var sending = SendingLook(
        found, progress, ended: closed + stamped.filter { !halfClosed.contains($0.host.unmapped) }, owners: owners,
        isOwn: { tables.hasUsable($0) }, router: router, at: now)
      look.counters = counted?.datagrams
      look.counters?.explained = received.total
      look.baseline = baseline?.datagrams
      look.baseline?.explained = received.total
      if sending.isWaiting { sending.counters = counted?.sending }
      look.sending = sending
    }
    for entry in routes.neighbours(routers.sorted()) where entry.hasLinkAddress {
      look.routers[entry.gateway] = entry.confirmedAge
    }
    look.cost = ThreadClock.now - start
    return look
  }

  /// This machine: the kernel leaves its connections to itself out of the dumps.
  private static let local = [
    (address: AnyIPAddress(family: .ipv4, value: 127 << 24), length: 8),
    (address: AnyIPAddress(family: .ipv6, value: 1), length: 128),
  ]

  private func connections(
    _ depth: ConnectionLook.Depth, _ filter: [UInt8], at now: Duration
  ) throws(NetlinkError) -> [TCPConnection] {
    guard depth != .followed else {
      var found: [TCPConnection] = []
      for id in followed { if let connection = try diagnostics.connection(id) { found.append(connection) } }
      return found
    }
    let found = try diagnostics.connections(in: Self.states, filter: filter)
    progress.note(found, at: now)
    followed = found.filter(owners.isWaiting).map(\.id)
    received.note(found)
    if found.count > Self.crowd { wasCrowded = true }
    return found
  }

  private func closedConnections(_ filter: [UInt8]) throws(NetlinkError) -> [EndedConnection] {
    let closed = try diagnostics.closedConnections(filter: filter)
    if closed.count > Self.crowd { wasCrowded = true }
    return closed.sorted { $0.age < $1.age }
  }

  /// Looks at the figures of the connections by which the path leads to other networks.
  func quality(of path: NWPath, tables: NetworkTables) throws(NetlinkError) -> QualityLook {
    let start = ThreadClock.now
    let used = Set(path.usedInterfaces.map(\.index))
    var counts: [AnyIPAddress: Bool] = [:]
    let samples = try diagnostics.samples(
      filter: DestinationFilter.program(without: Self.local + tables.ownNetworks()), usedWithin: Self.activity,
      owners: owners
    ) { id in
      let (remote, local) = (id.remoteAddress.unmapped, id.localAddress.unmapped)
      if remote.isLoopback { return nil }
      if counts[remote] == nil {
        guard counts.count < ConnectionLook.maximumHostCount else { return nil }
        counts[remote] = leg(to: remote).map { used.contains($0.interface) && tables.leadsBeyond($0) } ?? false
      }
      guard counts[remote] == true, tables.hasUsable(local) else { return nil }
      return hosts.number(of: remote)
    }
    hosts.forget(except: counts.keys)
    return QualityLook(samples, cost: ThreadClock.now - start)
  }

  /// A connection that is idle for longer says nothing about the network of today.
  private static let activity = Duration.seconds(60)

  /// True where the kernel does not list its UDP sockets: a false claim is worse than none.
  private func mayHearDatagrams(_ router: (AnyIPAddress) -> Gateway?) -> Bool {
    guard let sockets = try? diagnostics.datagramSockets() else { return true }
    return sockets.contains { $0.mayHearBeyond(router) }
  }

  /// No look follows for a while: gives the memory back.
  func forget() {
    followed = []
    silentHosts = []
    received = ReceivedSegments()
    progress = SendingProgress()
    if wasCrowded { ProcessEnvironment.trimHeap() }
    wasCrowded = false
  }

  /// Programs give up while the outage lasts, so hosts without a stalled connection stay, until nothing waits any more.
  private func note(_ stalled: [SilentHost], isLast: Bool) {
    if stalled.isEmpty {
      if isLast { silentHosts = [] }
      return
    }
    let found = Set(stalled)
    let known = silentHosts.filter(found.contains)
    silentHosts = found.subtracting(known) + known
  }

  /// The silent host that was asked longest ago; nil for none.
  func nextSilentHost() -> SilentHost? {
    guard let host = silentHosts.first else { return nil }
    silentHosts.removeFirst()
    silentHosts.append(host)
    return host
  }

  private func leg(to address: AnyIPAddress) -> RouteMatch.Leg? {
    guard case .route(let match) = routes.route(RouteProbe(destination: address, kind: .resolve)) else { return nil }
    return match.legs.first
  }

  private func router(_ leg: RouteMatch.Leg?, routers: Set<Gateway>, tunnels: Set<Int>) -> Gateway? {
    guard let leg else { return nil }
    guard let address = leg.gateway else { return tunnels.contains(leg.interface) ? routers.min() : nil }
    let router = Gateway(address, on: leg.interface)
    return routers.contains(router) ? router : nil
  }
}

/// The kernel's files with counters, open in the network namespace of the thread that opens them.
private struct DatagramFiles: ~Copyable {
  private let snmp = Self.open("snmp")
  private let netstat = Self.open("netstat")
  private let snmp6 = Self.open("snmp6")
  private let dev = Self.open("dev")

  private static func open(_ name: String) -> FileDescriptor? {
    try? FileDescriptor(reading: "/proc/thread-self/net/\(name)")
  }

  /// Whether packets are counted before or after those that explain them.
  enum Order {
    case packetsFirst, packetsLast
  }

  func read(_ order: Order) -> (datagrams: DatagramCounters?, sending: SendingCounters?) {
    var (snmp, netstat, snmp6, dev) = ("", "", "", "")
    for isPackets in order == .packetsFirst ? [true, false] : [false, true] {
      if isPackets {
        (snmp, snmp6) = (Self.text(self.snmp), Self.text(self.snmp6))
      } else {
        (netstat, dev) = (Self.text(self.netstat), Self.text(self.dev))
      }
    }
    return (
      DatagramCounters(snmp: snmp, netstat: netstat, snmp6: snmp6, dev: dev), SendingCounters(snmp: snmp, snmp6: snmp6)
    )
  }

  /// Empty where there is no such file: a kernel without IPv6 has only two of them.
  private static func text(_ file: borrowing FileDescriptor?) -> String {
    switch file {
    case .some(let file): String(decoding: (try? file.readAgain()) ?? [], as: UTF8.self)
    case nil: ""
    }
  }
}

/// A number for each host, the same in all looks while the host has connections. Addresses stay in here.
private struct HostNumbers {
  private var numbers: [AnyIPAddress: Int] = [:]
  private var last = 0

  mutating func number(of host: AnyIPAddress) -> Int {
    if let number = numbers[host] { return number }
    last += 1
    numbers[host] = last
    return last
  }

  mutating func forget(except hosts: some Sequence<AnyIPAddress>) {
    let known = Set(hosts)
    numbers = numbers.filter { known.contains($0.key) }
  }
}

extension NetworkTables {
  /// Whether a packet leaves for another network there, and not for a neighbour on the link.
  fileprivate func leadsBeyond(_ leg: RouteMatch.Leg) -> Bool {
    leg.gateway != nil || links[leg.interface].map { $0.isPointToPoint || !$0.resolvesAddresses } ?? false
  }
}
