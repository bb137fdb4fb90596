internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The history as sentences.
enum HistoryText {
  /// A period in which the network was not online, with its cause.
  struct Period {
    var outage: History.Outage
    var isLimited = false
    var cause: String
  }

  /// The outages and limited connections between two times, also those that have begun before, in the order of their beginnings.
  static func periods(_ history: History, from start: Int64, to end: Int64) -> [Period] {
    let outages = history.outages.map { Period(outage: $0, cause: cause($0.cause)) }
    let limited = history.limited.map { outage in
      let way = outage.cause.interface.map { " via \($0)" } ?? ""
      return Period(outage: outage, isLimited: true, cause: "limited\(way): \(outage.cause.explanation)")
    }
    return (outages + limited).filter { $0.outage.end >= start && $0.outage.start < end }
      .sorted { $0.outage.start < $1.outage.start }
  }

  /// The periods below a header, by month.
  static func table(_ periods: [Period]) -> [String] {
    var lines = ["Start           " + padded("Length", 14) + "  Cause"]
    var month: [Int] = []
    for period in periods {
      let start = LocalTime(WallTime(milliseconds: period.outage.start))
      if month != [start.year, start.month] {
        month = [start.year, start.month]
        lines.append("\(months[start.month - 1]) \(start.year)")
      }
      lines.append(line(period, start))
    }
    return lines
  }

  /// A line for a period: its start, length and cause, and remarks on anything uncertain.
  private static func line(_ period: Period, _ start: LocalTime) -> String {
    let outage = period.outage
    let words = remarks(on: outage)
    let remarks = words.isEmpty ? "" : " (\(words.joined(separator: "; ")))"
    let day = "\(weekdays[start.weekday - 1]) \(start.day < 10 ? " " : "")\(start.day)"
    return "\(day)  \(clock(start)):\(two(start.second))\(padded(length(of: outage), 14))  \(period.cause)\(remarks)"
  }

  /// `?` if it is unknown: the history has no moment after the beginning of a lost outage.
  static func length(of outage: History.Outage) -> String { outage.ending.isLost ? "?" : length(outage.awake) }

  /// What is uncertain or unusual about a period.
  static func remarks(on outage: History.Outage) -> [String] {
    [remark(beginning: outage), remark(ending: outage), sleep(outage)].compactMap(\.self)
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - text.count)) + text
  }

  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  private static func remark(beginning outage: History.Outage) -> String? {
    switch outage.beginning {
    case .monitor: "it had begun before the monitor started"
    case .known, .killed, .now: nil
    }
  }

  private static func remark(ending outage: History.Outage) -> String? {
    switch outage.ending {
    case .known: nil
    case .now: "ongoing"
    case .monitor: "until the monitor ended"
    case .killed(let latest?): "the monitor was killed during it; it ended by \(moment(latest))"
    case .killed(nil): "the monitor was killed during it; its end is unknown"
    }
  }

  private static func sleep(_ outage: History.Outage) -> String? {
    outage.asleep >= 1000 ? "and \(length(outage.asleep)) asleep" : nil
  }

  /// The explanation without its first word, which all explanations of outages share.
  private static func cause(_ cause: HistoryRecord.Cause) -> String {
    let word = "offline: "
    let text = cause.explanation.hasPrefix(word) ? String(cause.explanation.dropFirst(word.count)) : cause.explanation
    guard let interface = cause.interface, !text.contains(interface) else { return text }
    return "\(interface): \(text)"
  }

  /// The summary.
  static func line(_ sum: History.Sum) -> String {
    guard let availability = sum.availability else { return "no monitor was running" }
    let outages = sum.outages == 1 ? "1 outage" : "\(sum.outages) outages"
    let offline =
      sum.isAtLeast && sum.offline == 0
      ? "offline for an unknown time" : "\(sum.isAtLeast ? "at least " : "")\(length(sum.offline)) offline"
    let most = sum.isAtLeast ? "at most " : ""
    let limited = sum.limited > 0 ? ", \(length(sum.limited)) limited" : ""
    return "\(outages), \(offline)\(limited); online \(most)\(percent(availability)) of \(length(sum.watched)) watched"
  }

  /// `2026-11-20 21:04:05 to 2026-11-21 08:00:00`
  static func span(_ start: Int64, _ end: Int64) -> String { "\(moment(start)) to \(moment(end))" }

  /// `1 November 2026 to 29 November 2026`
  static func days(_ start: Int64, _ end: Int64) -> String {
    // The end is the first moment after the period.
    let dates = [start, max(start, end - 1)].map { time in
      let date = LocalTime(WallTime(milliseconds: time))
      return "\(date.day) \(months[date.month - 1]) \(date.year)"
    }
    return dates[0] == dates[1] ? dates[0] : dates.joined(separator: " to ")
  }

  /// `2026-11-20 21:04:05`
  static func moment(_ milliseconds: Int64) -> String {
    let time = LocalTime(WallTime(milliseconds: milliseconds))
    let date = [time.month, time.day].map { "-\(two($0))" }.joined()
    return "\(time.year)\(date) \(clock(time)):\(two(time.second))"
  }

  /// `21:04`
  static func clock(_ time: LocalTime) -> String { "\(two(time.hour)):\(two(time.minute))" }

  static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

  /// The largest unit and the next one, without zeros: `2 d 3 h`, `12 min 4 s`, `350 ms`.
  static func length(_ milliseconds: Int64) -> String {
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let units: [(name: String, size: Int64)] = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
    var rest = milliseconds / 1000
    var parts: [String] = []
    let first = units.firstIndex { rest >= $0.size } ?? 3
    for unit in units[first...].prefix(2) {
      if rest / unit.size > 0 { parts.append("\(rest / unit.size) \(unit.name)") }
      rest %= unit.size
    }
    return parts.joined(separator: " ")
  }

  /// Rounded down, so that 100 % always means no outage.
  static func percent(_ share: Double) -> String {
    let parts = Int((share * 10_000).rounded(.down))
    return parts == 10_000 ? "100 %" : "\(parts / 100).\(two(parts % 100)) %"
  }
}
