/// The result of one look at the machine's TCP connections, without the addresses of their other ends.
package struct ConnectionLook: Equatable, Sendable {
  /// A connection through a router of the path whose other end has stopped acknowledging.
  package struct Stall: Equatable, Sendable {
    /// The number of the other end: the same for the same host within one look.
    package var host: Int
    /// The time since the data was sent first: at least this long.
    package var age: Duration
    /// The router through which the kernel would send to the other end.
    package var router: Gateway

    package init(host: Int, age: Duration, router: Gateway) {
      self.host = host
      self.age = age
      self.router = router
    }
  }

  /// How much a look asks the kernel.
  package enum Depth: Comparable, Sendable {
    /// Only the connections that the last whole look found waiting.
    case followed
    /// All connections, and the counters of packets.
    case whole
    /// Also the connections that have ended, and the sockets for datagrams: all that could refute a claim.
    case thorough
  }

  package var depth: Depth
  package var isWhole: Bool { depth != .followed }
  /// The connections through a router of the path.
  package var count = 0
  package var stalls: [Stall] = []
  /// Connections that sent the same data again once: they may have stalled.
  package var doubtful = 0
  /// Connections whose first packet was sent again.
  package var connecting = 0
  /// Those of them whose first packet was sent ``overdueAge`` ago or earlier.
  package var overdue = 0
  /// The time since the last packet for any of the connections through a router; nil for none.
  package var heardAge: Duration?
  /// The time since the kernel stamped a host with a connection in FIN_WAIT2; nil for none. The kernel does so when a program closes that
  /// connection, without any packet: it is a sign of life only if packets came that nothing else explains.
  package var halfClosedAge: Duration?
  /// Nil where they cannot be read, and in a look at followed connections.
  package var counters: DatagramCounters?
  /// The counters with which the next look compares its own: they were read after the connections, ``counters`` before. Nil in older
  /// recordings, where both are one.
  package var baseline: DatagramCounters?
  /// Whether data leaves this machine. Empty in a look at followed connections.
  package var sending = SendingLook()
  /// Whether any socket may receive datagrams through a router. Only a thorough look asks.
  package var mayHearDatagrams = false
  /// The time since each router answered the kernel.
  package var routers: [Gateway: Duration] = [:]

  /// The processor time of the look.
  package var cost = Duration.zero

  package init(_ depth: Depth) { self.depth = depth }

  /// The maximum number of other ends whose router one look asks the kernel for.
  package static let maximumHostCount = 256
  /// A stall counts only if the other end was heard this recently before it: a NAT router that has dropped idle flows stalls all of them,
  /// although new ones work.
  private static let freshness = Duration.seconds(60)
  /// A server on the other side of the earth accepts within half a second. Until then the first packet was sent again at least twice.
  package static let overdueAge = Duration.seconds(5)

  /// - Parameters:
  ///   - ended: connections that have ended by a packet of the other end, the last one first. Each is a sign of life: one that was answered
  ///     and closed between two looks is not among `connections`.
  ///   - stamped: the hosts in the kernel's TCP metrics, the last one first. They are signs of life too, except for those of
  ///     ``halfClosedAge``.
  ///   - owners: the users whose stalls count. Connections of other users are signs of life, and wait for nothing.
  ///   - isOwn: whether this machine may send from an address.
  ///   - router: the router of the path by which the kernel would send to an address; nil for none, such as on the local network.
  ///   - isInPlace: whether a connection leaves by the link that its address or its socket belongs to. After a change of the routes an old
  ///     connection may leave by another one, and gets no answer there.
  ///   - stalled: called with the address and the port of the other end of each stall.
  package init(
    _ connections: [TCPConnection], ended: [EndedConnection] = [], stamped: [EndedConnection] = [], depth: Depth,
    owners: StallOwners, isOwn: (AnyIPAddress) -> Bool, router: (AnyIPAddress) -> Gateway?,
    isInPlace: (TCPConnection.ID) -> Bool = { _ in true }, stalled: (AnyIPAddress, UInt16) -> Void = { _, _ in }
  ) {
    self.init(depth)
    var routers: [AnyIPAddress: Gateway?] = [:]
    var hosts: [AnyIPAddress: Int] = [:]
    let halfClosed = Self.halfClosed(connections)
    let others = stamped.filter { !halfClosed.contains($0.host.unmapped) }
    heardAge = Self.earlier(Self.newest(ended, router), Self.newest(others, router))
    halfClosedAge = Self.newest(stamped.filter { halfClosed.contains($0.host.unmapped) }, router)
    // Connections that wait first, so that the limit does not drop them; then those heard most recently.
    for connection in connections.sorted(by: { Self.isMoreImportant($0, $1, owners) }) {
      let remote = connection.id.remoteAddress.unmapped
      let local = connection.id.localAddress.unmapped
      if remote.isLoopback || !isOwn(local) { continue }
      if routers[remote] == nil {
        guard routers.count < Self.maximumHostCount else {
          // Its router is unknown. Count it as a sign of life: a false claim is worse than none.
          heardAge = Self.earlier(heardAge, connection.heardAge)
          continue
        }
        routers.updateValue(router(remote), forKey: remote)
      }
      guard let router = routers[remote] ?? nil else { continue }
      count += 1
      heardAge = Self.earlier(heardAge, connection.heardAge)
      guard connection.mayWait, owners.include(connection), isInPlace(connection.id) else { continue }
      if connection.state == .synSent {
        if connection.retransmits > 0 { connecting += 1 }
        if let age = connection.connectingAge, age >= Self.overdueAge { overdue += 1 }
      } else if let age = connection.stallAge {
        if let heard = connection.heardAge, heard - age <= Self.freshness {
          let host = hosts[remote] ?? hosts.count
          hosts[remote] = host
          stalls.append(Stall(host: host, age: age, router: router))
          stalled(remote, connection.id.remotePort)
        }
      } else if connection.awaitsAcknowledgement, connection.retransmits > 0 {
        doubtful += 1
      }
    }
  }

  /// The hosts with a connection in FIN_WAIT2.
  static func halfClosed(_ connections: [TCPConnection]) -> Set<AnyIPAddress> {
    Set(connections.lazy.filter { $0.state == .finWait2 }.map(\.id.remoteAddress.unmapped))
  }

  /// The age of the last connection through a router.
  private static func newest(_ ended: [EndedConnection], _ router: (AnyIPAddress) -> Gateway?) -> Duration? {
    let candidates = ended.lazy.filter { !$0.host.isLoopback }.prefix(maximumHostCount)
    return candidates.first { router($0.host) != nil }?.age
  }

  /// The result in words for users: `12 by this path, answered 1 s ago`.
  package var words: String {
    if count == 0 { return "no TCP connection uses this path" }
    let through = "\(count) by this path"
    if let oldest = sending.stalls.map(\.age).max() {
      let hosts = Set(sending.stalls.map(\.host)).count
      return
        "\(through), \(sending.stalls.count) to \(hosts == 1 ? "1 host" : "\(hosts) hosts") with data that does not "
        + "leave this machine, for \(oldest.components.seconds) s"
    }
    if let oldest = stalls.map(\.age).max() {
      let hosts = Set(stalls.map(\.host)).count
      return "\(through), \(stalls.count) to \(hosts == 1 ? "1 host" : "\(hosts) hosts") without an answer, "
        + "for \(oldest.components.seconds) s"
    }
    return heardAge.map { "\(through), answered \($0.components.seconds) s ago" } ?? through
  }

  private static func isMoreImportant(
    _ one: TCPConnection, _ other: TCPConnection, _ owners: StallOwners
  ) -> Bool {
    let (isWaiting, isOtherWaiting) = (owners.isWaiting(one), owners.isWaiting(other))
    if isWaiting != isOtherWaiting { return isWaiting }
    return one.heardAge ?? .seconds(Int64.max) < other.heardAge ?? .seconds(Int64.max)
  }

  private static func earlier(_ one: Duration?, _ other: Duration?) -> Duration? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

extension TCPConnection {
  /// Whether something was sent again, so that later looks follow the connection.
  package var isUnanswered: Bool { retransmits > 0 && (awaitsAcknowledgement || state == .synSent) }
}

extension TCPConnection {
  /// Whether anything waits for a packet of the other end.
  fileprivate var mayWait: Bool { state == .synSent || stallAge != nil || (awaitsAcknowledgement && retransmits > 0) }
}
