package import Overline

/// The meaning of a line that a user typed as the answer to an alert.
package enum TypedAnswer: Equatable {
  case button(Int)
  case dismissal

  /// Nil unless the line is empty or a button's number. A button's label does not count: a button may be called "2".
  package init?(_ line: String, to alert: Alert) {
    let text = TerminalText.sanitized(line).filter { !$0.isWhitespace }
    if text.isEmpty {
      self = .dismissal
    } else if let number = Int(text), alert.buttons.indices.contains(number - 1) {
      self = .button(number - 1)
    } else {
      return nil
    }
  }
}
