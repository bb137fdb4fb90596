/// UTF-8 as a terminal reads it: invalid bytes are replaced, never rejected.
enum UTF8Scan {
  /// The end of the complete scalars: before the last scalar if more bytes could complete it.
  static func endOfWholeScalars(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    var index = bytes.count
    let earliest = max(start, bytes.count - 3)
    while index > earliest {
      index -= 1
      let byte = bytes[index]
      if byte & 0xc0 == 0x80 { continue }
      guard byte >= 0xc2 && byte <= 0xf4 else { return bytes.count }
      let length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      guard index + length > bytes.count else { return bytes.count }
      // With a second byte that no scalar has, the sequence is already invalid.
      if index + 1 < bytes.count && !isSecond(bytes[index + 1], after: byte) { return bytes.count }
      return index
    }
    return bytes.count
  }

  /// Reads one scalar that does not begin with ASCII. Each longest valid beginning of an invalid sequence becomes one U+FFFD (Unicode, 3.9
  /// "maximal subparts").
  @inline(__always)
  static func scalar(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> (value: UInt32, length: Int) {
    let first = bytes[start]
    if first >= 0xe0 && first < 0xf0 && end - start >= 3 {
      // Most characters beyond ASCII have three bytes.
      let second = bytes[start + 1]
      let third = bytes[start + 2]
      if third & 0xc0 == 0x80 && isSecond(second, after: first) {
        return (UInt32(first & 0xf) << 12 | UInt32(second & 0x3f) << 6 | UInt32(third & 0x3f), 3)
      }
    }
    return slowScalar(bytes, start, end)
  }

  private static func slowScalar(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> (value: UInt32, length: Int) {
    let first = bytes[start]
    if first < 0x80 { return (UInt32(first), 1) }
    guard first >= 0xc2, first <= 0xf4, start + 1 < end, isSecond(bytes[start + 1], after: first) else {
      return (0xfffd, 1)
    }
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    var value = (UInt32(first) & (0x7f >> UInt32(length))) << 6 | UInt32(bytes[start + 1] & 0x3f)
    for offset in 2..<max(2, length) {
      guard start + offset < end, bytes[start + offset] & 0xc0 == 0x80 else { return (0xfffd, offset) }
      value = value << 6 | UInt32(bytes[start + offset] & 0x3f)
    }
    return (value, length)
  }

  /// Excludes overlong forms, surrogates, and values beyond Unicode.
  @inline(__always)
  private static func isSecond(_ byte: UInt8, after first: UInt8) -> Bool {
    switch first {
    case 0xe0: byte >= 0xa0 && byte <= 0xbf
    case 0xed: byte >= 0x80 && byte <= 0x9f
    case 0xf0: byte >= 0x90 && byte <= 0xbf
    case 0xf4: byte >= 0x80 && byte <= 0x8f
    default: byte & 0xc0 == 0x80
    }
  }
}
