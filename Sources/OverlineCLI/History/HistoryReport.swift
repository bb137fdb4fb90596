internal import OverlineCore
internal import OverlineProcess

/// The history of a period, arranged for a provider or an issue: what `--format html`, `markdown` and `csv` print.
struct HistoryReport {
  /// A part of a day, from its beginning (0) to its end (1).
  struct Segment: Equatable {
    enum Kind: String, CaseIterable {
      /// Before or after the report's period.
      case outside
      /// No monitor was running.
      case unwatched
      case limited
      case offline
    }

    var kind: Kind
    var start: Double
    var end: Double
  }

  struct Day {
    var date: LocalTime
    var start: Int64
    var end: Int64
    var cell: History.Cell
    /// Those that are drawn over others come last.
    var segments: [Segment]
    /// The outages and limited connections that begin on this day, or last from an earlier one.
    var periods: [HistoryText.Period]

    var hasTrouble: Bool { !periods.isEmpty }
  }

  struct Cause {
    var words: String
    var count: Int
    var awake: Int64
  }

  let history: History
  /// Milliseconds since 1970.
  let start: Int64
  let end: Int64
  let periods: [HistoryText.Period]
  /// Times of at least a minute in which no monitor was running.
  let gaps: [(start: Int64, end: Int64)]

  /// The time between a monitor's end and the next one's start, as at an update, is no gap.
  private static let shortestGap: Int64 = 60_000

  init(_ history: History, from start: Int64, to end: Int64) {
    self.history = history
    self.start = start
    self.end = end
    periods = HistoryText.periods(history, from: start, to: end)
    gaps = Self.gaps(history.watches, from: start, to: end)
  }

  var sum: History.Sum { history.sum(from: start, to: end) }
  var outages: [HistoryText.Period] { periods.filter { !$0.isLimited } }

  private static func gaps(_ watches: [History.Watch], from start: Int64, to end: Int64) -> [(start: Int64, end: Int64)]
  {
    var gaps: [(start: Int64, end: Int64)] = []
    var covered = start
    for watch in watches.sorted(by: { $0.start < $1.start }) where watch.end > start && watch.start < end {
      if watch.start - covered >= shortestGap { gaps.append((covered, watch.start)) }
      covered = max(covered, watch.end)
    }
    if end - covered >= shortestGap { gaps.append((covered, end)) }
    return gaps
  }

  // MARK: Days

  /// Each day, also the first and the last one, which may be incomplete. Of the time before the first record at most a month.
  func days() -> [Day] {
    var days: [Day] = []
    let begin = history.watches.map(\.start).min().map { min(max($0 - 30 * 86_400_000, start), end - 1) } ?? start
    let first = LocalTime(WallTime(milliseconds: begin))
    var index = 0
    while let day = day(first, index), day.start < end {
      days.append(day)
      index += 1
    }
    return days
  }

  private func day(_ first: LocalTime, _ index: Int) -> Day? {
    func midnight(_ day: Int) -> WallTime? { LocalTime(year: first.year, month: first.month, day: day).wallTime }
    guard let from = midnight(first.day + index), let to = midnight(first.day + index + 1), from < to else {
      return nil
    }
    let (lower, upper) = (max(from.milliseconds, start), min(to.milliseconds, end))
    let length = Double(to.milliseconds - from.milliseconds)
    func segment(_ kind: Segment.Kind, _ first: Int64, _ last: Int64) -> Segment? {
      let (first, last) = (max(first, lower), min(max(last, first), upper))
      guard first <= last, first < upper, last >= lower else { return nil }
      return Segment(
        kind: kind, start: Double(first - from.milliseconds) / length, end: Double(last - from.milliseconds) / length)
    }
    let own = periods.filter { $0.outage.start < upper && max($0.outage.end, $0.outage.start + 1) > lower }
    let outside = [(from.milliseconds, lower), (upper, to.milliseconds)].filter { $0.0 < $0.1 }.map { first, last in
      Segment(
        kind: .outside, start: Double(first - from.milliseconds) / length,
        end: Double(last - from.milliseconds) / length)
    }
    let segments =
      outside + gaps.compactMap { segment(.unwatched, $0.start, $0.end) }
      + own.filter(\.isLimited).compactMap { segment(.limited, $0.outage.start, $0.outage.end) }
      + own.filter { !$0.isLimited }.compactMap { segment(.offline, $0.outage.start, $0.outage.end) }
    return Day(
      date: LocalTime(from), start: lower, end: upper, cell: history.cell(from: lower, to: upper), segments: segments,
      periods: own)
  }

  // MARK: Summaries

  /// The causes of outages and limited connections, the one with the longest time first.
  var causes: [Cause] {
    var causes: [String: Cause] = [:]
    for period in periods {
      let old = causes[period.cause] ?? Cause(words: period.cause, count: 0, awake: 0)
      causes[period.cause] = Cause(words: old.words, count: old.count + 1, awake: old.awake + period.outage.awake)
    }
    return causes.values.sorted { ($0.awake, $0.count, $1.words) > ($1.awake, $1.count, $0.words) }
  }

  /// The longest outages whose length is known, the longest first.
  func longest(_ count: Int) -> [HistoryText.Period] {
    Array(outages.filter { !$0.outage.ending.isLost }.sorted { $0.outage.awake > $1.outage.awake }.prefix(count))
  }
}
