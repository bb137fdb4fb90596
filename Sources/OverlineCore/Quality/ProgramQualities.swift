package import NetworkPath

/// The figures of one program's connections.
package struct ProgramQuality: Hashable, Sendable {
  package var name: String
  package var connections: Int
  /// The middle one of its connections' round trips; nil without traffic.
  package var roundTrip: Duration?
  /// Segments with data that were sent while Overline looked, and those of them that were lost.
  package var sent = 0
  package var lost = 0

  /// So few segments prove no loss of a tenth.
  private static let sufficientSegments = 20

  /// The part of the data that was sent again; nil while too little was sent.
  package var sentAgain: Double? { sent < Self.sufficientSegments ? nil : Double(lost) / Double(sent) }

  package var reading: QualityReading {
    // Two hosts, so that the distance counts: for this program it is what makes it slow.
    QualityReading(roundTrip: roundTrip, hosts: 2, sentAgain: sentAgain)
  }
}

/// What several looks say of each program of the user's. A value without a clock.
package struct ProgramQualities: Hashable, Sendable {
  private struct Connection: Hashable {
    var name: String
    var sample: QualitySample
    var roundTrip: Duration?
    var sent = 0
    var lost = 0
  }

  private var connections: [UInt64: Connection] = [:]
  /// Whether any connection of the machine has lost data since the first look, or sends the same data again now.
  package private(set) var haveLost = false
  private var samples: [UInt64: QualitySample] = [:]

  package init() {}

  /// - Parameter names: the user's programs by the inodes of their sockets. Other sockets have no row.
  package mutating func take(_ look: QualityLook, names: [UInt32: String]) {
    for sample in look.samples {
      let earlier = samples[sample.connection]
      samples[sample.connection] = sample
      let lost = earlier.map { Int(sample.lost(since: $0)) } ?? 0
      if lost > 0 || sample.isWaiting && sample.retransmits > 0 { haveLost = true }
      guard let name = names[sample.inode] ?? connections[sample.connection]?.name else { continue }
      var known = connections[sample.connection] ?? Connection(name: name, sample: sample)
      known.roundTrip =
        earlier.flatMap { sample.roundTrip(since: $0) } ?? known.roundTrip
        ?? (sample.isSettled ? sample.roundTrip : nil)
      // A bulk transfer fills the way until something is lost, also on a good one.
      if let earlier, earlier.isApplicationLimited, sample.isApplicationLimited {
        known.sent += Int(sample.sent(since: earlier))
        known.lost += lost
      }
      connections[sample.connection] = known
    }
    let current = Set(look.samples.map(\.connection))
    connections = connections.filter { current.contains($0.key) }
    samples = samples.filter { current.contains($0.key) }
  }

  /// The slowest first.
  package var rows: [ProgramQuality] {
    let groups = Dictionary(grouping: connections.values, by: \.name)
    let rows = groups.map { name, members in
      let times = members.compactMap(\.roundTrip).sorted()
      return ProgramQuality(
        name: name, connections: members.count, roundTrip: times.isEmpty ? nil : times[times.count / 2],
        sent: members.map(\.sent).reduce(0, +), lost: members.map(\.lost).reduce(0, +))
    }
    return rows.sorted { ($1.roundTrip ?? .zero, $0.name) < ($0.roundTrip ?? .zero, $1.name) }
  }
}
