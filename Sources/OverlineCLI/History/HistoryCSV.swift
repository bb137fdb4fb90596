internal import Overline
internal import OverlineCore
internal import OverlineProcess

/// The history as comma-separated values (RFC 4180, with a line feed at the end of each line): a line for each outage, limited connection
/// and gap, in the order of their beginnings. Times are RFC 3339 in UTC.
enum HistoryCSV {
  static func text(_ report: HistoryReport) -> String {
    let periods = report.periods.map { period -> (start: Int64, fields: [String]) in
      let outage = period.outage
      return (
        outage.start,
        [
          period.isLimited ? "limited" : "offline", time(outage.start),
          outage.ending == .now || outage.ending.isLost ? "" : time(outage.end),
          outage.ending.isLost ? "" : seconds(outage.awake),
          seconds(outage.asleep), outage.cause.interface ?? "", outage.cause.reason, period.cause,
          HistoryText.remarks(on: outage).joined(separator: "; "),
        ]
      )
    }
    let gaps = report.gaps.map { gap in
      (start: gap.start, fields: ["unwatched", time(gap.start), time(gap.end)] + Array(repeating: "", count: 6))
    }
    let header = ["kind", "start", "end", "seconds", "seconds-asleep", "interface", "reason", "cause", "remarks"]
    let rows = [header] + (periods + gaps).sorted { $0.start < $1.start }.map(\.fields)
    return rows.map { $0.map(field).joined(separator: ",") }.joined(separator: "\n")
  }

  /// A spreadsheet would run a text that begins like a formula: an apostrophe makes it text.
  private static func field(_ text: String) -> String {
    // By scalars: with a combining mark a quote is another character.
    let scalars = TerminalText.sanitized(text).unicodeScalars
    let isFormula = scalars.first.map { "=+-@".unicodeScalars.contains($0) } ?? false
    let field = (isFormula ? "'" : "") + String(scalars)
    guard scalars.contains(where: { ",\"".unicodeScalars.contains($0) }) else { return field }
    var quoted = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  private static func time(_ milliseconds: Int64) -> String { WallTime(milliseconds: milliseconds).rfc3339 }
  private static func seconds(_ milliseconds: Int64) -> String {
    "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
  }
}
