internal import Overline
internal import OverlineSystem

/// Lines for users and programs.
enum Output {
  /// Prints a line for users on standard output. Interface and file names in it may contain any characters. Control characters are not
  /// printed.
  static func sentence(_ text: String) throws {
    try line(TerminalText.sanitized(text))
  }

  /// Prints a line on standard output unchanged and at once. Throws once the reader has closed the pipe.
  static func line(_ text: String) throws {
    try writeAll(Array((text + "\n").utf8), to: 1)
  }

  /// Prints text unchanged, without a line feed.
  static func text(_ text: String) throws {
    try writeAll(Array(text.utf8), to: 1)
  }

  /// Writes bytes unchanged.
  static func write(_ bytes: [UInt8]) throws {
    try writeAll(bytes, to: 1)
  }

  /// Prints a line on standard error, with the program's name in front.
  static func warn(_ text: String) {
    try? writeAll(Array("overline: \(TerminalText.sanitized(text))\n".utf8), to: 2)
  }
}
