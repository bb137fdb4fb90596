/// Outages, and the time that somebody watched: what the lines of a history add up to.
package struct History: Hashable, Sendable {
  /// Time without a network.
  package struct Outage: Hashable, Sendable {
    /// Why nothing is known of the network after ``Outage/end``, or nothing before ``Outage/start``.
    package enum Edge: Hashable, Sendable {
      /// The network went, or came back.
      case known
      /// The monitor began to watch during the outage, or ended during it, as it was told to.
      case monitor
      /// The monitor was killed during the outage. It ended at some time from ``Outage/end`` on, at the latest when the next monitor
      /// looked.
      case killed(latest: Int64)
      /// It lasts.
      case now
    }

    /// Milliseconds since 1970.
    package var start: Int64
    package var beginning: Edge
    /// The last moment that is known to belong to it.
    package var end: Int64
    package var ending: Edge
    /// Milliseconds in which the machine was awake: what a person had to go without.
    package var awake: Int64
    package var cause: HistoryRecord.Cause

    /// Milliseconds of it that the machine slept.
    package var asleep: Int64 { max(0, end - start - awake) }
  }

  /// A time that one monitor watched.
  package struct Watch: Hashable, Sendable {
    package var start: Int64
    package var end: Int64
    /// Milliseconds in which the machine was awake.
    package var awake: Int64
  }

  /// In the order in which they were written.
  package var outages: [Outage] = []
  package var watches: [Watch] = []

  /// - Parameters:
  ///   - bytes: a history file; what is no record in it is passed over.
  ///   - now: this moment.
  ///   - isAlive: whether the monitor of a session still runs.
  package init(_ bytes: some Collection<UInt8>, now: HistoryTime, isAlive: (HistoryRecord.Session) -> Bool) {
    let records = bytes.split(separator: 0x0a).compactMap { HistoryRecord(line: $0) }
    var rest = records[...]
    while let first = rest.first {
      let session = rest.prefix { $0.session == first.session }
      rest = rest.dropFirst(session.count)
      add(session, next: rest.first?.time.wall, now: now, isAlive: rest.isEmpty && isAlive(first.session))
    }
  }

  /// - Parameter next: when the next monitor began to watch.
  private mutating func add(_ records: ArraySlice<HistoryRecord>, next: Int64?, now: HistoryTime, isAlive: Bool) {
    guard let first = records.first, let last = records.last else { return }
    let end = isAlive ? now : last.time
    // Clocks are set right after a start rather than wrong: the last word on what time it is holds for the whole session. A clock that
    // was set back in it makes no outage shorter, nor one end before it begins.
    func wall(_ time: HistoryTime) -> Int64 { end.wall - (end.boot - time.boot) }
    watches.append(
      Watch(start: wall(first.time), end: end.wall, awake: max(0, end.awake - first.time.awake)))
    for (index, record) in zip(records.indices, records) {
      guard case .offline(let cause, let isFound) = record.event else { continue }
      let following = records[(index + 1)...].first
      let edge: Outage.Edge
      switch following?.event {
      case .online: edge = .known
      case .ended: edge = .monitor
      // No ledger writes two beginnings in a row: the line between them is lost.
      case .offline: edge = .killed(latest: wall(following!.time))
      case nil: edge = isAlive ? .now : .killed(latest: max(wall(record.time), next ?? now.wall))
      }
      let close = edge.isLost ? record.time : following?.time ?? end
      outages.append(
        Outage(
          start: wall(record.time), beginning: isFound ? .monitor : .known, end: max(wall(record.time), wall(close)),
          ending: edge, awake: max(0, close.awake - record.time.awake), cause: cause))
    }
  }
}

extension History.Outage.Edge {
  /// Nobody knows how long it went on.
  package var isLost: Bool {
    switch self {
    case .killed: true
    case .known, .monitor, .now: false
    }
  }
}

// MARK: - Sums

extension History {
  package struct Sum: Hashable, Sendable {
    package var outages = 0
    /// Milliseconds without a network while the machine was awake; at least so many where ``isAtLeast``.
    package var offline: Int64 = 0
    /// Milliseconds in which the machine was awake and somebody watched.
    package var watched: Int64 = 0
    package var isAtLeast = false

    /// The part of the watched time with a network, 0 to 1; nil when nobody watched.
    package var availability: Double? {
      watched > 0 ? 1 - min(1, Double(offline) / Double(watched)) : nil
    }
  }

  /// What falls into a time; of what is partly in it, that part.
  package func sum(from start: Int64, to end: Int64) -> Sum {
    var sum = Sum()
    for watch in watches { sum.watched += Self.part(of: watch.awake, watch.start, watch.end, from: start, to: end) }
    // One whose length nobody knows is at its beginning.
    for outage in outages where outage.start < end && max(outage.end, outage.start + 1) > start {
      sum.outages += 1
      sum.offline += Self.part(of: outage.awake, outage.start, outage.end, from: start, to: end)
      sum.isAtLeast = sum.isAtLeast || outage.ending.isLost
    }
    return sum
  }

  /// Sleep is taken to be spread evenly over a time that is cut.
  private static func part(of awake: Int64, _ first: Int64, _ last: Int64, from start: Int64, to end: Int64) -> Int64 {
    let (lower, upper) = (max(first, start), min(last, end))
    guard lower < upper else { return 0 }
    return lower == first && upper == last ? awake : Int64(Double(awake) * Double(upper - lower) / Double(last - first))
  }

  /// What one cell of a chart says of a time.
  package enum Cell: Hashable, Sendable {
    /// Nobody watched.
    case unwatched
    case online
    /// Milliseconds without a network, more than none.
    case offline(Int64)
  }

  package func cell(from start: Int64, to end: Int64) -> Cell {
    // An outage whose length nobody knows is one all the same.
    let sum = sum(from: start, to: end)
    if sum.outages > 0 { return .offline(max(1, sum.offline)) }
    return sum.watched > 0 ? .online : .unwatched
  }
}

// MARK: - Keeping it small

extension History {
  /// The newest lines of a file, for a new one in its place: those since the `keep`th newest outage began.
  ///
  /// - Returns: whole records only; never more than ``mostLines(keeping:)``.
  package static func newest(_ keep: Int, of bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: 0x0a).filter { HistoryRecord(line: $0) != nil }
    var outages = 0
    var start = lines.endIndex
    while start > lines.startIndex, lines.count - start < mostLines(keeping: keep) {
      if outages == keep { break }
      start -= 1
      if case .offline? = HistoryRecord(line: lines[start])?.event { outages += 1 }
    }
    return lines[start...].reduce(into: []) { $0 += $1 + [0x0a] }
  }

  /// Two lines for an outage, and one for a monitor's start or end now and then.
  package static func mostLines(keeping keep: Int) -> Int { 3 * keep }

  /// A file with more lines is to be made smaller: so many that this comes to little for each line.
  package static func isTooLong(lines: Int, keeping keep: Int) -> Bool { lines > 4 * keep + 16 }
}
