/// The kernel's counters that show whether packets came from outside the machine that no look at the TCP connections explains: datagrams, or
/// segments of connections that have ended.
///
/// `InDatagrams` shows less: it counts a datagram when a program reads it, which may be minutes later, and each piece of a segmented one.
package struct DatagramCounters: Equatable, Sendable {
  /// IPv4 packets that came for this machine alone, without ICMP.
  package var ipv4: Int64
  /// The same of IPv6.
  package var ipv6: Int64
  /// Packets by the loopback interface.
  package var loopback: Int64
  /// TCP segments.
  package var segments: Int64
  /// TCP segments that looks have found in connections beyond loopback. They may be more than ``segments``: the kernel joins segments before
  /// it counts them.
  package var explained: Int64

  package init(ipv4: Int64, ipv6: Int64 = 0, loopback: Int64 = 0, segments: Int64 = 0, explained: Int64 = 0) {
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.loopback = loopback
    self.segments = segments
    self.explained = explained
  }

  /// The multicast messages of ICMPv6. They are among the multicast packets already.
  private static let multicast = [
    "RouterSolicits", "RouterAdvertisements", "GroupMembQueries", "GroupMembResponses", "GroupMembReductions",
    "MLDv2Reports",
  ]

  /// From the texts of `/proc/net/snmp`, `/proc/net/netstat`, `/proc/net/snmp6` and `/proc/net/dev`; nil if a number is missing. Without
  /// IPv6 the kernel has no `snmp6`.
  package init?(snmp: String, netstat: String, snmp6: String, dev: String) {
    let (basic, more, new) = (Self.pairs(of: snmp), Self.pairs(of: netstat), Self.lines(of: snmp6))
    guard let arrived = basic["Ip:InDelivers"], let messages = basic["Icmp:InMsgs"], let segments = basic["Tcp:InSegs"],
      let multicast = more["IpExt:InMcastPkts"], let broadcast = more["IpExt:InBcastPkts"],
      let loopback = Self.loopback(dev)
    else { return nil }
    ipv4 = arrived &- multicast &- broadcast &- messages
    // Routers and neighbours ask for this machine's hardware address with ICMPv6, also when nothing else works.
    let multicastMessages = Self.multicast.reduce(0) { $0 &+ (new["Icmp6In\($1)"] ?? 0) }
    ipv6 =
      (new["Ip6InDelivers"] ?? 0) &- (new["Ip6InMcastPkts"] ?? 0)
      &- ((new["Icmp6InMsgs"] ?? 0) &- multicastMessages)
    self.loopback = loopback
    self.segments = segments
    explained = 0
  }

  /// Whether packets came that neither loopback nor the connections explain.
  package func hasNewsFromOutside(since earlier: DatagramCounters) -> Bool {
    let arrived = Self.growth(ipv4, earlier.ipv4) + Self.growth(ipv6, earlier.ipv6)
    let known = min(Self.growth(segments, earlier.segments), Self.growth(explained, earlier.explained))
    return arrived > Self.growth(loopback, earlier.loopback) + known
  }

  /// Zero for a number that went back: the kernel has restarted its counter, or more packets were subtracted than counted.
  private static func growth(_ new: Int64, _ old: Int64) -> Int64 { new > old ? new - old : 0 }

  /// `/proc/net/snmp` has two lines for each protocol: names, then numbers.
  static func pairs(of text: String) -> [String: Int64] {
    var values: [String: Int64] = [:]
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    for (names, numbers) in zip(lines, lines.dropFirst()) where names.first == numbers.first {
      guard let protocolName = names.first else { continue }
      for (name, number) in zip(names, numbers).dropFirst() { values["\(protocolName)\(name)"] = Self.number(number) }
    }
    return values
  }

  /// `Ip6InDelivers   12`
  static func lines(of text: String) -> [String: Int64] {
    var values: [String: Int64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      if words.count == 2 { values[String(words[0])] = number(words[1]) }
    }
    return values
  }

  /// The packets of `lo`: the second number of its line.
  private static func loopback(_ text: String) -> Int64? {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == "lo" else { continue }
      let numbers = parts[1].split(separator: " ")
      return numbers.count > 1 ? number(numbers[1]) : nil
    }
    return nil
  }

  /// Numbers wrap at 62 bits, so that sums of them fit.
  private static func number(_ word: Substring) -> Int64? { UInt64(word).map { Int64($0 & .max >> 2) } }
}
