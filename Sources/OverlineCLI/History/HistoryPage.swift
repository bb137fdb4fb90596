internal import Overline
internal import OverlineCore
internal import OverlineProcess

/// The history as one HTML page: to print, and to send to a provider. It loads nothing and runs no script. Times are local.
struct HistoryPage {
  private let report: HistoryReport
  private let days: [HistoryReport.Day]
  private var lines: [String] = []

  private static let longestCount = 10
  private static let causeCount = 20

  static func text(_ report: HistoryReport) -> String {
    var page = HistoryPage(report)
    page.write()
    return page.lines.joined(separator: "\n")
  }

  private init(_ report: HistoryReport) {
    self.report = report
    days = report.days()
  }

  private mutating func write() {
    let title = "Network outages, \(HistoryText.days(report.start, report.end))"
    lines += [
      "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
      "<title>\(title)</title>", "<style>", HistoryStyle.sheet, "</style>", "</head>", "<body>", "<h1>\(title)</h1>",
    ]
    writeSummary()
    writeCalendar()
    writeDays()
    writeCauses()
    writeTable("The longest outages", report.longest(Self.longestCount))
    writeTable("All outages and limited connections", report.periods)
    writeMethod()
    lines += ["</body>", "</html>"]
  }

  // MARK: Parts

  private mutating func writeSummary() {
    let sum = report.sum
    guard let availability = sum.availability else {
      return lines.append("<p>No monitor was running in this time, so nothing was recorded.</p>")
    }
    let most = sum.isAtLeast ? "at most " : ""
    let least = sum.isAtLeast ? "at least " : ""
    var facts = [
      (sum.limited > 0 ? "online or limited" : "online", most + HistoryText.percent(availability)),
      ("outages", String(sum.outages)),
      ("offline", least + HistoryText.length(sum.offline)),
    ]
    if let longest = report.longest(1).first {
      facts.append(("longest outage", HistoryText.length(longest.outage.awake)))
    }
    if sum.limited > 0 { facts.append(("limited", HistoryText.length(sum.limited))) }
    facts.append(("watched", HistoryText.length(sum.watched)))
    lines.append("<dl class=\"facts\">")
    lines += facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }
    lines.append("</dl>")
    if report.periods.isEmpty { lines.append("<p>No outage was recorded.</p>") }
  }

  /// A block for each month, with a row for each week.
  private mutating func writeCalendar() {
    lines += ["<h2>Calendar</h2>", "<div class=\"months\">"]
    var month: [HistoryReport.Day] = []
    for day in days {
      if let last = month.last, last.date.month != day.date.month {
        writeMonth(month)
        month = []
      }
      month.append(day)
    }
    writeMonth(month)
    let legend = [
      ("online", "online"), ("limited", "limited"), ("short", "offline for less than 10 min"),
      ("long", "offline for less than 1 h"), ("longest", "longer"), ("unwatched", "nothing recorded"),
    ]
    lines.append("</div>")
    lines.append(
      "<p class=\"legend\">" + legend.map { "<i class=\"\($0.0)\"></i> \($0.1)" }.joined(separator: " ") + "</p>")
  }

  private mutating func writeMonth(_ days: [HistoryReport.Day]) {
    guard let first = days.first else { return }
    lines.append(
      "<table class=\"month\"><caption>\(HistoryText.months[first.date.month - 1]) \(first.date.year)</caption>")
    lines.append("<tr>" + HistoryText.weekdays.map { "<th>\($0.prefix(1))</th>" }.joined() + "</tr>")
    var row = String(repeating: "<td></td>", count: first.date.weekday - 1)
    for day in days {
      if day.date.weekday == 1, !row.isEmpty {
        lines.append("<tr>\(row)</tr>")
        row = ""
      }
      let (name, words) = Self.name(of: day.cell)
      row += "<td class=\"\(name)\" title=\"\(words)\">\(day.date.day)</td>"
    }
    lines += ["<tr>\(row)</tr>", "</table>"]
  }

  private static func name(of cell: History.Cell) -> (name: String, words: String) {
    switch cell {
    case .unwatched: ("unwatched", "nothing recorded")
    case .online: ("online", "online")
    case .limited: ("limited", "limited")
    case .offline(let milliseconds):
      (
        milliseconds < 600_000 ? "short" : milliseconds < 3_600_000 ? "long" : "longest",
        milliseconds <= 1 ? "offline for an unknown time" : "offline for \(HistoryText.length(milliseconds))"
      )
    }
  }

  /// A line of 24 hours for each day with an outage.
  private mutating func writeDays() {
    let days = days.filter(\.hasTrouble)
    if days.isEmpty { return }
    lines += [
      "<h2>Days with an outage or a limited connection</h2>", "<div class=\"days\">",
      "<div class=\"day hours\"><b></b><span>"
        + [0, 6, 12, 18, 24].map { "<i style=\"left:\(percent(Double($0) / 24))\">\($0)</i>" }.joined()
        + "</span></div>",
    ]
    for day in days {
      let date =
        "\(HistoryText.weekdays[day.date.weekday - 1]) \(day.date.day) \(HistoryText.months[day.date.month - 1].prefix(3))"
      let bars = day.segments.map { segment in
        "<i class=\"\(segment.kind.rawValue)\" style=\"left:\(percent(segment.start));width:\(percent(segment.end - segment.start))\"></i>"
      }
      let counts = [false, true].map { isLimited in day.periods.count { $0.isLimited == isLimited } }
      let outages = counts[0] == 1 ? "1 outage" : "\(counts[0]) outages"
      let words = counts[0] == 0 ? "limited" : "\(outages), \(Self.name(of: day.cell).words)"
      lines.append("<div class=\"day\"><b>\(date)</b><span title=\"\(words)\">\(bars.joined())</span></div>")
    }
    lines.append("</div>")
  }

  private mutating func writeCauses() {
    let causes = report.causes
    if causes.isEmpty { return }
    lines += ["<h2>Causes</h2>", "<table class=\"list\"><tr><th>cause</th><th>times</th><th>in total</th></tr>"]
    for cause in causes.prefix(Self.causeCount) {
      lines.append(
        "<tr><td>\(escaped(cause.words))</td><td>\(cause.count)</td><td>\(HistoryText.length(cause.awake))</td></tr>")
    }
    lines.append("</table>")
    if causes.count > Self.causeCount { lines.append("<p>\(causes.count - Self.causeCount) more causes.</p>") }
  }

  private mutating func writeTable(_ title: String, _ periods: [HistoryText.Period]) {
    if periods.isEmpty { return }
    lines += ["<h2>\(title)</h2>", "<table class=\"list\"><tr><th>start</th><th>length</th><th>cause</th></tr>"]
    for period in periods {
      let remarks = HistoryText.remarks(on: period.outage)
      let cause = period.cause + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
      lines.append(
        "<tr\(period.isLimited ? " class=\"limited\"" : "")><td>\(HistoryText.moment(period.outage.start))</td>"
          + "<td>\(HistoryText.length(of: period.outage))</td><td>\(escaped(cause))</td></tr>")
    }
    lines.append("</table>")
  }

  private mutating func writeMethod() {
    let zone = LocalTime.zone.map { " (\(escaped($0)))" } ?? ""
    lines += [
      "<h2>How this was recorded</h2>",
      """
      <p>While Overline’s monitor runs on this computer, it records when the computer has no usable way to the internet, and why. \
      <em>Limited</em> is a connection beyond whose router nothing answers, or that wants a log-in: the fault is beyond this computer. It \
      does not count as an outage. Times are those of this computer’s clock and time zone\(zone). Time in which the computer sleeps, or in \
      which the monitor does not run, counts neither as online nor as offline. Made on \(HistoryText.moment(WallTime.now.milliseconds)) with Overline \(escaped(Version.text)).</p>
      """,
    ]
  }

  // MARK: Text

  private func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded())
    return "\(hundredths / 100).\(HistoryText.two(hundredths % 100))%"
  }

  /// Text for HTML, without control characters.
  private func escaped(_ text: String) -> String {
    TerminalText.sanitized(text).markupEscaped
  }
}
