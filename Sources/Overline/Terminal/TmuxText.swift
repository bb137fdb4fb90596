/// Titles and details come from anywhere: files, sockets, names of networks. This is the one way they get into tmux.
///
/// `#{E:…}` and `#{T:…}` in people's themes run `#(command)` inside a value, and nested they run even `##(command)`. So our own
/// line, which never expands a value twice, gets `#` doubled, and everyone else gets a sign that only looks like it.
package enum TmuxText {
  /// For our own line: text in which `#` is doubled, so that it is neither a style nor a format.
  package static func forOwnLine(_ text: String) -> String {
    replacingHashes(in: text, with: "##")
  }

  /// For everyone's formats, however they nest it: `#` becomes `＃` (U+FF03).
  package static func forEveryone(_ text: String) -> String {
    replacingHashes(in: text, with: "\u{ff03}")
  }

  /// Bytes. Longer texts fit no terminal, and every client's redraw would measure them again.
  private static let longest = 2000

  private static func replacingHashes(in text: String, with replacement: String) -> String {
    var result = String.UnicodeScalarView()
    let end = text.utf8.index(text.startIndex, offsetBy: longest, limitedBy: text.endIndex) ?? text.endIndex
    // Where that is amid a scalar, it is before it.
    for scalar in measurable(TerminalText.sanitized(String(text.unicodeScalars[..<end]))).unicodeScalars {
      if scalar == "#" { result.append(contentsOf: replacement.unicodeScalars) } else { result.append(scalar) }
    }
    return String(result)
  }

  /// The newest Unicode that every C library has which runs a tmux of ours (glibc 2.28).
  private static let newestUnicode = (major: 11, minor: 0)

  /// Text without characters that have no width where tmux runs. Up to 3.3a at least, `#{w:…}` of such a one never ends, and with it the
  /// whole server (format_width in tmux's format-draw.c goes back to the character and on to it again).
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
