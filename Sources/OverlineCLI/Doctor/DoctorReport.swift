internal import Overline
internal import OverlineCore

/// The findings for people: a mark for each, in colour, with hanging indents and a summary. In a pipe, a line for each.
struct DoctorReport {
  let findings: [Finding]
  let columns: Int
  let capabilities: TerminalCapabilities

  private static let areaColumns = 13
  /// The mark, the area and the spaces around them.
  private static let indent = 2 + 3 + areaColumns + 2

  /// - Parameter isTerminal: false for a reader that may be a program.
  func lines(isTerminal: Bool) -> [String] {
    isTerminal ? findings.flatMap(paragraph) + ["", summary] : findings.map { TerminalText.sanitized($0.line) }
  }

  private func paragraph(_ finding: Finding) -> [String] {
    let room = max(20, columns - Self.indent)
    let hang = String(repeating: " ", count: Self.indent)
    let area = finding.area + String(repeating: " ", count: max(0, Self.areaColumns - finding.area.count))
    var lines = wrapped(finding.text, room)
    lines = lines.enumerated().map { $0 == 0 ? "  \(mark(finding.verdict))  \(area)  \($1)" : hang + $1 }
    guard let remedy = finding.remedy else { return lines }
    let arrow = capabilities.usesASCII ? "-> " : "→ "
    let rest = String(repeating: " ", count: arrow.count)
    return lines + wrapped(remedy, room - arrow.count).enumerated().map { hang + ($0 == 0 ? arrow : rest) + $1 }
  }

  private func wrapped(_ text: String, _ columns: Int) -> [String] {
    TerminalText.wrapped(TerminalText.sanitized(text), toColumns: columns, lines: 100)
  }

  private func mark(_ verdict: Finding.Verdict) -> String {
    switch verdict {
    case .ok: painted(capabilities.usesASCII ? "+" : "✓", .green)
    case .note: painted("!", .yellow)
    case .problem: painted(capabilities.usesASCII ? "x" : "✗", .red)
    }
  }

  /// `11 ok, 2 notes, no problem`
  private var summary: String {
    func count(_ verdict: Finding.Verdict) -> Int { findings.count { $0.verdict == verdict } }
    func words(_ count: Int, _ word: String) -> String {
      count == 0 ? "no \(word)" : "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    let problems = count(.problem)
    return "\(count(.ok)) ok, \(words(count(.note), "note")), "
      + painted(words(problems, "problem"), problems == 0 ? .green : .red)
  }

  /// The terminal's own colours: the user has chosen them to be legible on the background.
  private func painted(_ text: String, _ color: TerminalColor.ANSI) -> String {
    if capabilities.colors == .monochrome { return text }
    return TextStyle(textColor: .ansi(color), attributes: .bold).controlSequence(colors: capabilities.colors) + text
      + TextStyle().controlSequence(colors: capabilities.colors)
  }
}
