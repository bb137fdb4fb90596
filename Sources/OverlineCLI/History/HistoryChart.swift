internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The history drawn with characters: the last day in one row, the last days as a calendar.
struct HistoryChart {
  /// The characters of cells, from online to a long outage. Colours, if available, only repeat the information of the characters.
  private struct Glyphs {
    var online: Character
    var limited: Character
    /// From a short outage to a long one.
    var offline: [Character]
  }

  let history: History
  let now: WallTime
  let capabilities: TerminalCapabilities

  private var glyphs: Glyphs {
    capabilities.usesASCII
      ? Glyphs(online: "_", limited: "~", offline: ["-", "+", "x", "#"])
      : Glyphs(online: "▁", limited: "▒", offline: ["▃", "▅", "▆", "█"])
  }

  private static let hour: Int64 = 3_600_000
  private static let minute: Int64 = 60_000
  static let days = 30

  // MARK: - The day

  /// The last 24 hours in at most `columns` cells, and below them their start and end.
  func day(columns: Int) -> [String] {
    // Each cell is a whole number of minutes.
    let cells = [96, 72, 48, 24].first { $0 <= columns } ?? 24
    let start = now.milliseconds - 24 * Self.hour
    let length = 24 * Self.hour / Int64(cells)
    let row = (0..<Int64(cells)).map { index in
      let cell = history.cell(from: start + index * length, to: start + (index + 1) * length)
      return glyph(cell, steps: [length / 4, length / 2, length * 3 / 4])
    }
    let label = HistoryText.clock(LocalTime(WallTime(milliseconds: start)))
    return [row.joined(), label + String(repeating: " ", count: cells - label.count - 3) + "now"]
  }

  // MARK: - The month

  /// The last 30 days, a row for each day of the week and a column for each week.
  func month() -> [String] {
    let today = LocalTime(now)
    // Days since the Monday of the first week.
    let count = Self.days + (today.weekday - Self.days % 7 + 7) % 7
    let first = today.day - count + 1
    let weeks = (count + 6) / 7
    func day(_ index: Int) -> LocalTime { LocalTime(year: today.year, month: today.month, day: first + index) }
    func start(_ index: Int) -> WallTime { day(index).wallTime ?? now }
    func beginsMonth(_ week: Int) -> Bool { LocalTime(start(week * 7)).day <= 7 }
    var (names, header) = ("     ", "     ")
    for week in 0..<weeks {
      let monday = LocalTime(start(week * 7))
      // The month of the first column, and where another one begins. A name is as wide as its column, so two have a column between them.
      let isNamed = beginsMonth(week) || week == 0 && !beginsMonth(1)
      names += isNamed ? HistoryText.months[monday.month - 1].prefix(3) : "   "
      header += HistoryText.two(monday.day) + " "
    }
    var rows = [names.trimmed, header.trimmed]
    for (weekday, name) in HistoryText.weekdays.enumerated() {
      var row = "\(name)  "
      for week in 0..<weeks {
        let index = week * 7 + weekday
        let isShown = index >= count - Self.days && index < count
        let cell = isShown ? history.cell(from: start(index).milliseconds, to: end(start(index + 1))) : .unwatched
        row += glyph(cell, steps: Self.steps, width: 2) + " "
      }
      rows.append(row.trimmed)
    }
    return rows + ["", legend]
  }

  private static let steps = [minute, 10 * minute, hour]

  private func end(_ end: WallTime) -> Int64 { min(end, now).milliseconds }

  private var legend: String {
    let words = ["under 1 min", "under 10 min", "under 1 h", "more"]
    let levels = zip([0, Self.minute, 10 * Self.minute, Self.hour], words).map { milliseconds, word in
      "\(glyph(.offline(max(1, milliseconds)), steps: Self.steps)) \(word)"
    }
    let limited = history.limited.isEmpty ? "" : "\(glyph(.limited, steps: Self.steps)) limited  "
    return
      "\(glyph(.online, steps: Self.steps)) online  \(limited)\(levels.joined(separator: "  "))  (blank: no monitor was running)"
  }

  // MARK: - Cells

  /// - Parameter steps: the lengths in milliseconds from which the second, third and fourth glyph apply.
  private func glyph(_ cell: History.Cell, steps: [Int64], width: Int = 1) -> String {
    switch cell {
    case .unwatched: return String(repeating: " ", count: width)
    case .online: return painted(glyphs.online, .green, width)
    case .limited: return painted(glyphs.limited, .yellow, width)
    case .offline(let milliseconds):
      return painted(glyphs.offline[steps.count { milliseconds >= $0 }], .red, width)
    }
  }

  /// Uses the terminal's own colours: the user has chosen them to be legible on the background.
  private func painted(_ glyph: Character, _ color: TerminalColor.ANSI, _ width: Int) -> String {
    let text = String(repeating: glyph, count: width)
    if capabilities.colors == .monochrome { return text }
    return TextStyle(textColor: .ansi(color)).controlSequence(colors: capabilities.colors) + text
      + TextStyle().controlSequence(colors: capabilities.colors)
  }
}

extension String {
  /// The text without trailing spaces.
  fileprivate var trimmed: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
