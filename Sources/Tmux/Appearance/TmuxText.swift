/// Titles and details come from anywhere: files, sockets, names of networks. This is the one way they get into tmux.
///
/// `#{E:…}` and `#{T:…}` in people's themes run `#(command)` inside a value, and nested they run even `##(command)`. So our own
/// line, which never expands a value twice, gets `#` doubled, and everyone else gets a sign that only looks like it.
enum TmuxText {
  /// For our own line: text in which `#` is doubled, so that it is neither a style nor a format.
  static func forOwnLine(_ text: String) -> String {
    replacingHashes(in: text, with: "##")
  }

  /// For everyone's formats, however they nest it: `#` becomes `＃` (U+FF03).
  static func forEveryone(_ text: String) -> String {
    replacingHashes(in: text, with: "\u{ff03}")
  }

  /// Longer texts fit no terminal, and every client's redraw would measure them again.
  private static let longest = 500

  private static func replacingHashes(in text: String, with replacement: String) -> String {
    var result = ""
    for character in text.prefix(longest) {
      for scalar in character.unicodeScalars {
        switch scalar {
        case "#": result += replacement
        case "\n", "\r", "\t", "\u{2028}", "\u{2029}":
          // One break is one space, also where it is CR LF.
          if !result.hasSuffix(" ") { result += " " }
        default:
          if !isDropped(scalar) { result.unicodeScalars.append(scalar) }
        }
      }
    }
    return result
  }

  /// C0, DEL and C1, which terminals obey, and the marks that turn the direction of text, which could make a title read as another.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
