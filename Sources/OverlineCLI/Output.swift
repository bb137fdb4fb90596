internal import Overline
internal import OverlineSystem

/// Lines for people and programs.
enum Output {
  /// A line for people on standard output. Names of interfaces and files in it may hold anything: no control character gets out.
  static func sentence(_ text: String) throws {
    try line(TerminalText.sanitized(text))
  }

  /// A line on standard output as it is, written at once. Throws when nobody reads any more.
  static func line(_ text: String) throws {
    try writeAll(Array((text + "\n").utf8), to: 1)
  }

  /// Text as it is, without a line feed.
  static func text(_ text: String) throws {
    try writeAll(Array(text.utf8), to: 1)
  }

  /// Bytes as they are.
  static func write(_ bytes: [UInt8]) throws {
    try writeAll(bytes, to: 1)
  }

  /// A line on standard error that says who speaks.
  static func complain(_ text: String) {
    try? writeAll(Array("overline: \(TerminalText.sanitized(text))\n".utf8), to: 2)
  }
}
