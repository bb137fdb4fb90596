/// Makes titles and details safe for tmux. They come from anywhere: files, sockets, names of networks. They enter tmux only through here.
///
/// `#{E:…}` and `#{T:…}` in users' themes run `#(command)` inside a value; nested, they run even `##(command)`. Our own line never expands
/// a value twice, so there `#` is doubled. Formats of users get a sign that only looks like `#`.
package enum TmuxText {
  /// For our own line: text in which `#` is doubled, so that it is neither a style nor a format.
  package static func forOwnLine(_ text: String) -> String {
    replacingHashes(in: text, with: "##")
  }

  /// For formats of users, however they nest the value: `#` becomes `＃` (U+FF03).
  package static func forUserFormats(_ text: String) -> String {
    replacingHashes(in: text, with: "\u{ff03}")
  }

  /// In bytes. Longer texts fit no terminal, and each redraw of a client would measure them again.
  private static let maximumLength = 2000

  private static func replacingHashes(in text: String, with replacement: String) -> String {
    var result = String.UnicodeScalarView()
    let end = text.utf8.index(text.startIndex, offsetBy: maximumLength, limitedBy: text.endIndex) ?? text.endIndex
    // A limit inside a scalar moves to the scalar's beginning.
    for scalar in measurable(TerminalText.sanitized(String(text.unicodeScalars[..<end]))).unicodeScalars {
      if scalar == "#" { result.append(contentsOf: replacement.unicodeScalars) } else { result.append(scalar) }
    }
    return String(result)
  }

  /// The newest Unicode that all C libraries support below the tmux versions that we support (glibc 2.28).
  private static let newestUnicode = (major: 11, minor: 0)

  /// Replaces characters that have no width in the C library of tmux. In tmux up to at least 3.3a, `#{w:…}` of such a character never ends,
  /// and the whole server hangs (format_width in tmux's format-draw.c returns to the same character again and again).
  private static func measurable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value >= 0x80 }) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { isMeasurable($0) ? $0 : "\u{fffd}" }))
  }

  private static func isMeasurable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return true }
    guard let age = scalar.properties.age, scalar.properties.generalCategory != .unassigned else { return false }
    return (age.major, age.minor) <= newestUnicode
  }
}
