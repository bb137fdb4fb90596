package import NetworkPath

/// The figures of one program's connections.
package struct ProgramQuality: Equatable, Sendable {
  package var name: String
  package var connections: Int
  /// The middle one of its connections' round trips; nil without traffic.
  package var roundTrip: Duration?
  /// Segments with data that were sent while Overline looked, and those of them that were lost.
  package var sent = 0
  package var lost = 0

  /// With fewer segments a single lost one would read as more than 5 %.
  private static let sufficientSegments = 20

  /// One or two lost segments may be chance.
  private static let sufficientLosses = 3

  /// The part of the data that was sent again; nil while too little was sent.
  package var sentAgain: Double? { sent < Self.sufficientSegments ? nil : Double(lost) / Double(sent) }

  package var reading: QualityReading {
    // Two hosts, so that the distance counts: for this program it is what makes it slow.
    QualityReading(roundTrip: roundTrip, hosts: 2, sentAgain: lost < Self.sufficientLosses ? nil : sentAgain)
  }
}

/// What the looks of the last half minute say of each program of the user's. A value without a clock.
package struct ProgramQualities: Sendable {
  private struct Connection {
    var name: String
    var roundTrip: (time: Duration, value: Duration)?
    var counts: [Count] = []
  }

  private struct Count {
    var time: Duration
    var sent: Int
    var lost: Int
  }

  private var connections: [UInt64: Connection] = [:]
  /// Whether data that counts was lost since the first look, or is sent again now.
  package private(set) var haveLost = false
  /// Whether any connection had traffic in the last look.
  package private(set) var haveTraffic = false
  /// Whether data was sent again at least twice, and nothing at all has come meanwhile.
  package var isUnanswered: Bool {
    samples.values.contains { $0.isUnanswered && $0.retransmits > 1 }
      && samples.values.allSatisfy { $0.heardAge >= Self.silence }
  }

  private static let silence = Duration.seconds(2)
  private var samples: [UInt64: QualitySample] = [:]
  private var sampledAt = Duration.zero

  private static let memory = Duration.seconds(30)

  package init() {}

  /// - Parameter names: the user's programs by the inodes of their sockets. Other sockets have no row.
  package mutating func take(_ look: QualityLook, names: [UInt32: String], at now: Duration) {
    haveTraffic = !look.samples.isEmpty
    for sample in look.samples {
      let earlier = samples[sample.connection]
      let isCounted = earlier.map { sample.isLossCounted(since: $0, after: now - sampledAt) } ?? false
      let lost = isCounted ? earlier.map { Int(sample.lost(since: $0)) } ?? 0 : 0
      if lost > 0 || sample.isUnanswered { haveLost = true }
      guard let name = names[sample.inode] ?? connections[sample.connection]?.name else { continue }
      var known = connections[sample.connection] ?? Connection(name: name)
      let newest = earlier.map { sample.roundTrip(since: $0) } ?? (sample.isSettled ? sample.roundTrip : nil)
      if let newest { known.roundTrip = (now, newest) }
      if let earlier, isCounted {
        known.counts.append(Count(time: now, sent: Int(sample.sent(since: earlier)), lost: lost))
      }
      known.counts.removeAll { now - $0.time >= Self.memory }
      if let (time, _) = known.roundTrip, now - time >= Self.memory { known.roundTrip = nil }
      connections[sample.connection] = known
    }
    samples = Dictionary(look.samples.map { ($0.connection, $0) }) { $1 }
    sampledAt = now
    connections = connections.filter { samples[$0.key] != nil }
  }

  /// The slowest first.
  package var rows: [ProgramQuality] {
    let groups = Dictionary(grouping: connections.values, by: \.name)
    let rows = groups.map { name, members in
      let times = members.compactMap(\.roundTrip?.value).sorted()
      let counts = members.flatMap(\.counts)
      return ProgramQuality(
        name: name, connections: members.count, roundTrip: times.isEmpty ? nil : times[times.count / 2],
        sent: counts.map(\.sent).reduce(0, +), lost: counts.map(\.lost).reduce(0, +))
    }
    return rows.sorted { ($1.roundTrip ?? .zero, $0.name) < ($0.roundTrip ?? .zero, $1.name) }
  }
}
