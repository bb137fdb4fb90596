/// The kernel's counters that show whether UDP datagrams came from outside the machine.
package struct DatagramCounters: Hashable, Sendable {
  /// UDP datagrams that arrived, also those that no program received.
  package var datagrams: UInt64
  /// Packets by the loopback interface.
  package var loopback: UInt64
  /// Packets other than UDP that loopback may carry: TCP segments, and ICMP errors about closed ports. The counters include those of other
  /// interfaces. So loopback explains too few datagrams rather than too many, which prevents false claims.
  package var others: UInt64

  package init(datagrams: UInt64, loopback: UInt64 = 0, others: UInt64 = 0) {
    self.datagrams = datagrams
    self.loopback = loopback
    self.others = others
  }

  /// From the texts of `/proc/net/snmp`, `/proc/net/snmp6` and `/proc/net/dev`; nil if a number is missing. Without IPv6 the kernel has no
  /// second file.
  package init?(snmp: String, snmp6: String, dev: String) {
    let ipv4 = Self.pairs(of: snmp)
    let ipv6 = Self.lines(of: snmp6)
    guard let received = ipv4["Udp:InDatagrams"], let segments = ipv4["Tcp:InSegs"], let loopback = Self.loopback(dev)
    else { return nil }
    datagrams = [
      received, ipv4["Udp:NoPorts"], ipv4["Udp:InErrors"], ipv6["Udp6InDatagrams"], ipv6["Udp6NoPorts"],
      ipv6["Udp6InErrors"],
    ].reduce(0) { $0 &+ ($1 ?? 0) }
    self.loopback = loopback
    others = segments &+ (ipv4["Icmp:OutDestUnreachs"] ?? 0) &+ (ipv6["Icmp6OutDestUnreachs"] ?? 0)
  }

  /// Whether more datagrams arrived than loopback explains.
  package func hasNewsFromOutside(since earlier: DatagramCounters) -> Bool {
    let carried = Self.growth(loopback, earlier.loopback)
    let others = Self.growth(others, earlier.others)
    return Self.growth(datagrams, earlier.datagrams) > (carried > others ? carried - others : 0)
  }

  /// Zero for a counter that went back: the kernel has restarted it.
  private static func growth(_ new: UInt64, _ old: UInt64) -> UInt64 { new > old ? new - old : 0 }

  /// `/proc/net/snmp` has two lines for each protocol: names, then numbers.
  private static func pairs(of text: String) -> [String: UInt64] {
    var values: [String: UInt64] = [:]
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    for (names, numbers) in zip(lines, lines.dropFirst()) where names.first == numbers.first {
      guard let protocolName = names.first else { continue }
      for (name, number) in zip(names, numbers).dropFirst() { values["\(protocolName)\(name)"] = UInt64(number) }
    }
    return values
  }

  /// `Udp6InDatagrams   12`
  private static func lines(of text: String) -> [String: UInt64] {
    var values: [String: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      if words.count == 2 { values[String(words[0])] = UInt64(words[1]) }
    }
    return values
  }

  /// The packets of `lo`: the second number of its line.
  private static func loopback(_ text: String) -> UInt64? {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == "lo" else { continue }
      let numbers = parts[1].split(separator: " ")
      return numbers.count > 1 ? UInt64(numbers[1]) : nil
    }
    return nil
  }
}
