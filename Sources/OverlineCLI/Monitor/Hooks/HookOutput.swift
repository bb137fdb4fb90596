/// A hook's output as log lines, up to a limit.
struct HookOutput {
  private static let mostBytes = 64 << 10
  private static let mostLines = 100
  private static let longestLine = 500

  private var line: [UInt8] = []
  private var byteCount = 0
  private var lineCount = 0

  /// True once the limit is reached: no user reads more.
  var isFull: Bool { byteCount >= Self.mostBytes || lineCount >= Self.mostLines }

  /// Returns the lines that these bytes complete. Lines that are too long are cut.
  mutating func take(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    for byte in bytes where !isFull {
      byteCount += 1
      if byte == 0x0a {
        lines += end()
      } else if line.count < Self.longestLine {
        line.append(byte)
      }
    }
    return lines
  }

  /// The last line, which needs no line feed.
  mutating func end() -> [String] {
    defer { line = [] }
    if line.isEmpty { return [] }
    lineCount += 1
    return [String(decoding: line, as: UTF8.self)]
  }
}
