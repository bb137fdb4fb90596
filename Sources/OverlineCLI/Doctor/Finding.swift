internal import OverlineCore

/// One result of `overline doctor`.
struct Finding: Equatable {
  enum Verdict: String {
    case ok
    /// Works, but not as well as it could, or is missing and optional.
    case note
    /// Something does not work.
    case problem
  }

  var verdict: Verdict
  /// The checked area, in one or two words.
  var area: String
  var text: String
  /// The advice; nil if nothing is to be done, or the text contains it.
  var remedy: String?

  static func ok(_ area: String, _ text: String) -> Finding { Finding(verdict: .ok, area: area, text: text) }

  static func note(_ area: String, _ text: String, _ remedy: String) -> Finding {
    Finding(verdict: .note, area: area, text: text, remedy: remedy)
  }

  static func problem(_ area: String, _ text: String, _ remedy: String) -> Finding {
    Finding(verdict: .problem, area: area, text: text, remedy: remedy)
  }

  /// - Parameter error: its text ends with advice.
  static func problem(_ area: String, _ error: any Error) -> Finding {
    Finding(verdict: .problem, area: area, text: "\(error)")
  }

  /// `note     monitor        none runs; start one with: overline monitor`
  var line: String {
    let words = [Self.padded(verdict.rawValue, 7), Self.padded(area, 13), text + (remedy.map { "; \($0)" } ?? "")]
    return words.joined(separator: "  ")
  }

  var json: JSONValue {
    .object([
      "verdict": .string(verdict.rawValue), "area": .string(area), "text": .string(text),
      "remedy": remedy.map { .string($0) } ?? .null,
    ])
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
