internal import Overline
internal import OverlineMonitor
internal import OverlineSystem

/// The history as sentences.
enum HistoryText {
  /// The lines for all outages and limited connections that end at or after a time, in the order of their beginnings.
  static func lines(_ history: History, from start: Int64) -> [String] {
    let periods =
      history.outages.map { ($0, cause($0.cause)) }
      + history.limited.map { ($0, "limited\($0.cause.interface.map { " via \($0)" } ?? ""): \($0.cause.explanation)") }
    return periods.filter { $0.0.end >= start }.sorted { $0.0.start < $1.0.start }.map(line)
  }

  /// A line for an outage: its start, length and cause, and remarks on anything uncertain.
  private static func line(_ outage: History.Outage, _ cause: String) -> String {
    let length = (outage.ending.isLost ? "? " : "") + self.length(outage.awake)
    let padding = String(repeating: " ", count: max(0, 12 - length.count))
    let words = [remark(beginning: outage), remark(ending: outage), sleep(outage)].compactMap(\.self)
    let remarks = words.isEmpty ? "" : " (\(words.joined(separator: "; ")))"
    return "\(moment(outage.start))  \(padding)\(length)  \(cause)\(remarks)"
  }

  private static func remark(beginning outage: History.Outage) -> String? {
    switch outage.beginning {
    case .monitor: "it had begun before the monitor started"
    case .known, .killed, .now: nil
    }
  }

  private static func remark(ending outage: History.Outage) -> String? {
    switch outage.ending {
    case .known: nil
    case .now: "it lasts"
    case .monitor: "until the monitor ended"
    case .killed(let latest): "the monitor was killed during it; it ended by \(moment(latest))"
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
    guard let availability = sum.availability else { return "no monitor watched in this time" }
    let outages = sum.outages == 1 ? "1 outage" : "\(sum.outages) outages"
    let offline = "\(sum.isAtLeast ? "at least " : "")\(length(sum.offline)) offline"
    let most = sum.isAtLeast ? "at most " : ""
    let limited = sum.limited > 0 ? ", \(length(sum.limited)) limited" : ""
    return "\(outages), \(offline)\(limited); online \(most)\(percent(availability)) of \(length(sum.watched)) watched"
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
