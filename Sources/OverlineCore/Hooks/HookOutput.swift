/// A hook's output as log lines, up to a limit.
package struct HookOutput {
  private static let maximumByteCount = 64 << 10
  private static let maximumLineCount = 100
  private static let maximumLineLength = 500

  private var line: [UInt8] = []
  private var byteCount = 0
  private var lineCount = 0

  package init() {}

  /// True when the limit is reached. No user reads more output.
  package var isFull: Bool { byteCount >= Self.maximumByteCount || lineCount >= Self.maximumLineCount }

  /// Returns the lines that these bytes complete. Lines that are too long are cut.
  package mutating func take(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    for byte in bytes where !isFull {
      byteCount += 1
      if byte == 0x0a {
        lines += end()
      } else if line.count < Self.maximumLineLength {
        line.append(byte)
      }
    }
    return lines
  }

  /// Returns the last line, even without a line feed.
  package mutating func end() -> [String] {
    defer { line = [] }
    if line.isEmpty { return [] }
    lineCount += 1
    return [String(decoding: line, as: UTF8.self)]
  }
}
