internal import Overline

extension String {
  /// One word of a POSIX shell that expands to exactly this text. Between single quotes everything is literal except the single quote
  /// itself (POSIX.1-2024, Shell Command Language, 2.2.2).
  package var shellQuoted: String {
    var result = "'"
    for character in unicodeScalars {
      if character == "'" { result += "'\\''" } else { result.unicodeScalars.append(character) }
    }
    return result + "'"
  }
}

extension String {
  /// One line that is safe to show, of at most `limit` Unicode scalars. A longer text is cut and ends with an ellipsis. The limit counts
  /// scalars, since one character can have thousands.
  func line(limit: Int) -> String {
    let text = TerminalText.sanitized(self)
    guard text.unicodeScalars.count > limit else { return text }
    var left = limit - 1
    let beginning = text.prefix { character in
      left -= character.unicodeScalars.count
      return left >= 0
    }
    return beginning + "…"
  }

  /// Whether the text contains a visible character.
  var isReadable: Bool { contains { !$0.isWhitespace && TerminalText.width(of: $0) > 0 } }
}
