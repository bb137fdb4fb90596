/// What a whole look at the TCP connections shows about data that does not leave this machine, without the addresses of their other ends.
package struct SendingLook: Equatable, Sendable {
  /// A connection through a router of the path whose data the kernel tries to send in vain.
  package struct Stall: Equatable, Sendable {
    /// The number of the other end: the same for the same host within one look.
    package var host: Int
    /// The time since the data was to be sent first: at least this long.
    package var age: Duration
    /// The time since the last attempt.
    package var attemptAge: Duration

    package init(host: Int, age: Duration, attemptAge: Duration) {
      self.host = host
      self.age = age
      self.attemptAge = attemptAge
    }
  }

  package var stalls: [Stall] = []
  /// Connections with unsent data that the kernel has tried to send once at most.
  package var doubtful = 0
  /// The time since the last sign that a packet for any host beyond the routers has left this machine. Nil for none, and if nothing waits.
  ///
  /// A packet from such a host is no sign: without an acknowledgement the other end sends again.
  package var leftAge: Duration?
  /// Nil where they cannot be read, and if nothing waits.
  package var counters: SendingCounters?

  package init() {}

  /// Whether data waits, so that another look may find out more.
  package var isWaiting: Bool { !stalls.isEmpty || doubtful > 0 }

  /// - Parameters:
  ///   - ended: the connections that have ended by a packet of the other end: most of them were answers to a packet of this machine.
  ///   - owners: the users whose unsent data counts. What leaves counts for all users.
  ///   - isOwn: whether this machine may send from an address.
  ///   - router: the router of the path by which the kernel would send to an address; nil for none, such as on the local network.
  package init(
    _ connections: [TCPConnection], _ progress: SendingProgress, ended: [EndedConnection], owners: StallOwners,
    isOwn: (AnyIPAddress) -> Bool, router: (AnyIPAddress) -> Gateway?, at now: Duration
  ) {
    var routers: [AnyIPAddress: Bool] = [:]
    func leads(to address: AnyIPAddress) -> Bool {
      if address.isLoopback { return false }
      if let known = routers[address] { return known }
      // The router of others is unknown. Count them as signs that packets leave: a false claim is worse than none.
      if routers.count >= ConnectionLook.maximumHostCount { return true }
      let leads = router(address) != nil
      routers[address] = leads
      return leads
    }
    let outward = connections.filter { isOwn($0.id.localAddress.unmapped) }
    var hosts: [AnyIPAddress: Int] = [:]
    for connection in outward where connection.holdsUnsentData && owners.include(connection) {
      let remote = connection.id.remoteAddress.unmapped
      guard leads(to: remote), routers[remote] != nil else { continue }
      if let age = progress.age(of: connection, at: now), let attemptAge = connection.sentAge {
        let host = hosts[remote] ?? hosts.count
        hosts[remote] = host
        stalls.append(Stall(host: host, age: age, attemptAge: attemptAge))
      } else {
        doubtful += 1
      }
    }
    guard isWaiting else { return }
    var signs = ended.map { ($0.host.unmapped, $0.age) }
    for connection in outward {
      let hasAdvanced = progress.advanced.contains(connection.id.cookie)
      guard let age = hasAdvanced ? connection.heardAge ?? .zero : connection.hasSentAll ? connection.sentAge : nil
      else { continue }
      signs.append((connection.id.remoteAddress.unmapped, age))
    }
    leftAge = signs.sorted { $0.1 < $1.1 }.first { leads(to: $0.0) }?.1
  }
}

/// The kernel's counters that show why packets do not leave this machine.
package struct SendingCounters: Equatable, Sendable {
  /// Packets that this machine made, less those that passed its firewall. Negative where it forwards packets.
  package var stopped: Int64
  /// Packets that this machine forwarded for others.
  package var forwarded: Int64
  /// Packets without a route, or which a policy of IPsec stopped.
  package var withoutRoute: Int64

  package init(stopped: Int64, forwarded: Int64 = 0, withoutRoute: Int64 = 0) {
    self.stopped = stopped
    self.forwarded = forwarded
    self.withoutRoute = withoutRoute
  }

  /// From the texts of `/proc/net/snmp` and `/proc/net/snmp6`. Nil if a number is missing: before Linux 6.7 the kernel has no
  /// `OutTransmits`.
  package init?(snmp: String, snmp6: String) {
    let old = DatagramCounters.pairs(of: snmp)
    let new = DatagramCounters.lines(of: snmp6)
    func number(_ name: String, _ nameOfNew: String) -> Int64? {
      old["Ip:\(name)"].map { $0 &+ (new["Ip6\(nameOfNew)"] ?? 0) }
    }
    guard let requests = number("OutRequests", "OutRequests"), let transmits = number("OutTransmits", "OutTransmits"),
      let fragmented = number("FragOKs", "FragOKs"), let fragments = number("FragCreates", "FragCreates"),
      let forwarded = number("ForwDatagrams", "OutForwDatagrams"),
      let withoutRoute = number("OutNoRoutes", "OutNoRoutes")
    else { return nil }
    stopped = requests &- fragmented &+ fragments &- transmits
    self.forwarded = forwarded
    self.withoutRoute = withoutRoute
  }

  /// What stops the packets of this many connections, each of which was tried since the earlier counters; nil if the counters prove nothing.
  package func origin(since earlier: SendingCounters, connections: Int) -> NWPath.NotSent.Origin? {
    guard forwarded == earlier.forwarded else { return nil }
    if withoutRoute &- earlier.withoutRoute >= Int64(connections) { return .routing }
    return stopped &- earlier.stopped >= Int64(connections) ? .firewall : nil
  }
}
