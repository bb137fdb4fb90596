/// The part of the output that a program has begun and not finished.
struct UnfinishedOutput {
  var parser = VTParser()
  /// The beginning of a sequence or a character, at most 4 KiB.
  var tail: [UInt8] = []
  /// The received part of a control string; nil outside control strings of interest.
  private var string: [UInt8]?

  var isGround: Bool { parser.isGround && tail.isEmpty }

  /// - Returns: the waiting bytes, followed by the new ones.
  mutating func complete(with bytes: [UInt8]) -> [UInt8] {
    if tail.isEmpty { return bytes }
    defer { tail = [] }
    return tail + bytes
  }

  /// Collects a part of a control string.
  ///
  /// - Returns: the whole string at its end, or its first `limit` bytes. A string without its terminator was cut off and is ignored.
  mutating func collect(
    _ kind: ControlString, _ part: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool, limit: Int
  ) -> [UInt8]? {
    if isStart { string = kind == .privacyMessage || kind == .startOfString ? nil : [] }
    guard var string else { return nil }
    self.string = nil
    for index in range.prefix(limit - string.count) { string.append(part[index]) }
    if isEnd { return string.count >= limit || Self.isTerminated(string) ? string : nil }
    self.string = string
    return nil
  }

  private static func isTerminated(_ string: [UInt8]) -> Bool {
    guard string.count >= 3, let last = string.last else { return false }
    return last == 0x07 || (last == 0x5c && string[string.count - 2] == 0x1b)
      || (last == 0x9c && string[string.count - 2] == 0xc2)
  }
}
