/// One result of `overline doctor`.
package struct Finding: Equatable {
  package enum Verdict: String {
    case ok
    /// Works, but not as well as it could, or is missing and optional.
    case note
    /// Something does not work.
    case problem
  }

  package var verdict: Verdict
  /// The checked area, in one or two words.
  package var area: String
  package var text: String
  /// The advice; nil if nothing is to be done, or the text contains it.
  package var remedy: String?

  package init(verdict: Verdict, area: String, text: String, remedy: String? = nil) {
    self.verdict = verdict
    self.area = area
    self.text = text
    self.remedy = remedy
  }

  package static func ok(_ area: String, _ text: String) -> Finding { Finding(verdict: .ok, area: area, text: text) }

  package static func note(_ area: String, _ text: String, _ remedy: String) -> Finding {
    Finding(verdict: .note, area: area, text: text, remedy: remedy)
  }

  package static func problem(_ area: String, _ text: String, _ remedy: String) -> Finding {
    Finding(verdict: .problem, area: area, text: text, remedy: remedy)
  }

  /// - Parameter error: its text ends with advice.
  package static func problem(_ area: String, _ error: any Error) -> Finding {
    Finding(verdict: .problem, area: area, text: "\(error)")
  }

  /// `note     monitor        none runs; start one with: overline monitor`
  package var line: String {
    let words = [Self.padded(verdict.rawValue, 7), Self.padded(area, 13), text + (remedy.map { "; \($0)" } ?? "")]
    return words.joined(separator: "  ")
  }

  package var json: JSONValue {
    .object([
      "verdict": .string(verdict.rawValue), "area": .string(area), "text": .string(text),
      "remedy": remedy.map { .string($0) } ?? .null,
    ])
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
