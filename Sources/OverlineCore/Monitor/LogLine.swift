/// A line of the monitor's log on standard output: the time, and a sentence.
package struct LogLine {
  var time: String
  /// Without control characters.
  var text: String

  package init(time: String, text: String) {
    self.time = time
    self.text = text
  }

  package var plain: String { "\(time)  \(text)" }

  /// With a dim time, and a colour for a sentence that begins with a state.
  package var colored: String {
    let word = text.prefix { $0.isLetter }
    let rest = text.dropFirst(word.count)
    return "\u{1b}[2m\(time)\u{1b}[0m  " + (Self.color(of: word).map { "\u{1b}[\($0)m\(word)\u{1b}[0m\(rest)" } ?? text)
  }

  /// SGR parameters for the terminal's own sixteen colours, which are legible in the user's theme.
  private static func color(of word: Substring) -> String? {
    switch word {
    case "offline": "1;31"
    case "online": "1;32"
    case "limited": "1;33"
    default: nil
    }
  }
}
