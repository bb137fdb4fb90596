internal import Terminal

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
    TerminalText.sanitized(String(text.prefix(longest))).replacing("#", with: replacement)
  }
}
