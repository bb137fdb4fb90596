internal import Overline
internal import OverlineCore

/// The history as Markdown (GitHub's tables), to paste into an issue or a message. Times are local.
enum HistoryMarkdown {
  static func text(_ report: HistoryReport) -> String {
    var lines = [
      "# Network outages", "", "\(HistoryText.span(report.start, report.end)): \(HistoryText.line(report.sum)).",
    ]
    if !report.periods.isEmpty {
      lines += ["", "| start | length | cause |", "| --- | --- | --- |"]
      lines += report.periods.map { period in
        let remarks = HistoryText.remarks(on: period.outage)
        let cause = period.cause + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
        return
          "| \(HistoryText.moment(period.outage.start)) | \(HistoryText.length(of: period.outage)) | \(escaped(cause)) |"
      }
    }
    if !report.gaps.isEmpty {
      lines += ["", "Nothing was recorded:", ""]
      lines += report.gaps.map { "- \(HistoryText.moment($0.start)) to \(HistoryText.moment($0.end))" }
    }
    return lines.joined(separator: "\n")
  }

  /// Names of interfaces may contain any character but a slash and white space.
  private static func escaped(_ text: String) -> String {
    // By scalars: with a combining mark a bar is another character.
    TerminalText.sanitized(text).unicodeScalars.reduce(into: "") { result, scalar in
      if "\\`*_{}[]<>#|!&~".unicodeScalars.contains(scalar) { result += "\\" }
      // GitHub would notify the user whose name follows.
      if scalar == "@" { result += "&#64;" } else { result.unicodeScalars.append(scalar) }
    }
  }
}
