/// Outages and watched time, computed from the lines of a history.
package struct History: Equatable, Sendable {
  /// Time without a network, or with a limited one.
  package struct Outage: Equatable, Sendable {
    /// The event at ``Outage/start`` or ``Outage/end``, or the reason why that event is unknown.
    package enum Edge: Equatable, Sendable {
      /// The network was lost or limited, or came back.
      case known
      /// The monitor started during the outage, or was stopped during it.
      case monitor
      /// The monitor was killed during the outage. The outage ended after ``Outage/end``, and before `latest`; nil if nothing shows that it
      /// has ended: no monitor has run since, or the next one found the network as this one had seen it.
      case killed(latest: Int64?)
      /// Ongoing.
      case now
    }

    /// Milliseconds since 1970.
    package var start: Int64
    package var beginning: Edge
    /// The last moment known to belong to the outage.
    package var end: Int64
    package var ending: Edge
    /// Milliseconds in which the machine was awake: the time without a network for the user.
    package var awake: Int64
    package var cause: HistoryRecord.Cause

    /// Milliseconds of the outage in which the machine was asleep.
    package var asleep: Int64 { max(0, end - start - awake) }
  }

  /// A period in which one monitor was running.
  package struct Watch: Equatable, Sendable {
    package var start: Int64
    package var end: Int64
    /// Milliseconds in which the machine was awake.
    package var awake: Int64
  }

  /// In the order of the file.
  package var outages: [Outage] = []
  /// The times with a limited connection. They are no outages and not contained in ``outages``.
  package var limited: [Outage] = []
  package var watches: [Watch] = []

  /// - Parameters:
  ///   - bytes: a history file. Lines that are no records are ignored.
  ///   - now: the current time.
  ///   - isAlive: returns whether the monitor of a session still runs.
  package init(_ bytes: some Collection<UInt8>, now: HistoryTime, isAlive: (HistoryRecord.Session) -> Bool) {
    let records = bytes.split(separator: 0x0a).compactMap { HistoryRecord(line: $0) }
    var rest = records[...]
    while let first = rest.first {
      let session = rest.prefix { $0.session == first.session }
      rest = rest.dropFirst(session.count)
      add(session, next: rest.first, now: now, isAlive: rest.isEmpty && isAlive(first.session))
    }
  }

  /// - Parameter next: what the next monitor found when it started.
  private mutating func add(
    _ records: ArraySlice<HistoryRecord>, next: HistoryRecord?, now: HistoryTime, isAlive: Bool
  ) {
    guard let first = records.first, let last = records.last else { return }
    let end = isAlive ? now : last.time
    // If the clock was set after a start, it was probably wrong before, so the last wall time applies to the whole session. So a clock that
    // was set back during the session neither shortens an outage nor moves its end before its beginning.
    func wall(_ time: HistoryTime) -> Int64 { end.wall - (end.boot - time.boot) }
    watches.append(
      Watch(start: wall(first.time), end: end.wall, awake: max(0, end.awake - first.time.awake)))
    for (index, record) in zip(records.indices, records) {
      guard let cause = record.event.cause else { continue }
      let following = records[(index + 1)...].first
      let edge: Outage.Edge
      switch (record.event, following?.event) {
      case (_, .online), (.limited, .offline): edge = .known
      case (_, .ended): edge = .monitor
      // An ``OutageLedger`` never writes these two in a row: the line between them was lost.
      case (_, .offline), (_, .limited): edge = .killed(latest: wall(following!.time))
      case (_, nil):
        let isOver = next.map { record.event.isOver(at: $0.event) } ?? false
        edge = isAlive ? .now : .killed(latest: isOver ? next.map { max(wall(record.time), $0.time.wall) } : nil)
      }
      let close = edge.isLost ? record.time : following?.time ?? end
      let isFound = if case .offline(_, true) = record.event { true } else { false }
      let outage = Outage(
        start: wall(record.time), beginning: isFound ? .monitor : .known, end: max(wall(record.time), wall(close)),
        ending: edge, awake: max(0, close.awake - record.time.awake), cause: cause)
      if case .limited = record.event { limited.append(outage) } else { outages.append(outage) }
    }
  }
}

extension HistoryRecord.Event {
  /// Whether an outage or a limited connection is over when a monitor that starts later sees this.
  fileprivate func isOver(at next: Self) -> Bool {
    switch (self, next) {
    case (.offline, .online), (.offline, .limited), (.limited, .offline): true
    // A monitor that starts has not yet seen why the connection may be limited.
    case (.limited, .online), (.limited, .limited), (.offline, .offline), (.online, _), (.ended, _), (_, .ended): false
    }
  }
}

extension History.Outage.Edge {
  /// True if the outage's length is unknown.
  package var isLost: Bool {
    switch self {
    case .killed: true
    case .known, .monitor, .now: false
    }
  }
}

// MARK: - Sums

extension History {
  package struct Sum: Equatable, Sendable {
    package var outages = 0
    /// Milliseconds without a network while the machine was awake. A lower bound if ``isAtLeast`` is true.
    package var offline: Int64 = 0
    /// Milliseconds in which the machine was awake and a monitor was running.
    package var watched: Int64 = 0
    package var isAtLeast = false
    /// Milliseconds with a limited connection while the machine was awake.
    package var limited: Int64 = 0

    /// The part of the watched time with a network, 0 to 1; nil when no monitor was running.
    package var availability: Double? {
      watched > 0 ? 1 - min(1, Double(offline) / Double(watched)) : nil
    }
  }

  /// The totals for a period. Of an outage or watch that lies partly in the period, only that part counts.
  package func sum(from start: Int64, to end: Int64) -> Sum {
    var sum = Sum()
    for watch in watches { sum.watched += Self.part(of: watch.awake, watch.start, watch.end, from: start, to: end) }
    // An outage of unknown length counts at its beginning.
    for outage in outages where outage.start < end && max(outage.end, outage.start + 1) > start {
      sum.outages += 1
      sum.offline += Self.part(of: outage.awake, outage.start, outage.end, from: start, to: end)
      sum.isAtLeast = sum.isAtLeast || outage.ending.isLost
    }
    for period in limited {
      sum.limited += Self.part(of: period.awake, period.start, period.end, from: start, to: end)
    }
    return sum
  }

  /// The awake time of a part. Sleep is assumed to be spread evenly over the whole.
  private static func part(of awake: Int64, _ first: Int64, _ last: Int64, from start: Int64, to end: Int64) -> Int64 {
    let (lower, upper) = (max(first, start), min(last, end))
    guard lower < upper else { return 0 }
    return lower == first && upper == last ? awake : Int64(Double(awake) * Double(upper - lower) / Double(last - first))
  }

  /// The content of one cell of a chart.
  package enum Cell: Equatable, Sendable {
    /// No monitor was running.
    case unwatched
    case online
    /// A limited connection, and no outage.
    case limited
    /// Milliseconds without a network, more than 0.
    case offline(Int64)
  }

  package func cell(from start: Int64, to end: Int64) -> Cell {
    // An outage of unknown length also counts.
    let sum = sum(from: start, to: end)
    if sum.outages > 0 { return .offline(max(1, sum.offline)) }
    if limited.contains(where: { $0.start < end && max($0.end, $0.start + 1) > start }) { return .limited }
    return sum.watched > 0 ? .online : .unwatched
  }
}

// MARK: - Keeping it small

extension History {
  /// The newest lines of a file, to replace the file: all lines since the beginning of the `keep`th newest outage or limited
  /// connection.
  ///
  /// - Returns: whole records only; never more than ``maximumLineCount(keeping:)``.
  package static func newest(_ keep: Int, of bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: 0x0a).filter { HistoryRecord(line: $0) != nil }
    var outages = 0
    var start = lines.endIndex
    while start > lines.startIndex, lines.count - start < maximumLineCount(keeping: keep) {
      if outages == keep { break }
      start -= 1
      if HistoryRecord(line: lines[start])?.event.cause != nil { outages += 1 }
    }
    return lines[start...].reduce(into: []) { $0 += $1 + [0x0a] }
  }

  /// Two lines for each outage, and sometimes one for a monitor's start or end.
  package static func maximumLineCount(keeping keep: Int) -> Int { 3 * keep }

  /// True when a file has so many lines that rewriting it costs little per line.
  package static func isTooLong(lines: Int, keeping keep: Int) -> Bool { lines > 4 * keep + 16 }
}
