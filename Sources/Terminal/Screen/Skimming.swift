/// Leaves out of a stream what is of no consequence to one who follows neither cells nor the cursor: text, motions, erasing, and
/// colours that other colours replace.
///
/// What is left is a small part of what a flood is made of, and is read in the usual way.
enum Skimming {
  /// - Parameter bytes: from ground state on. What is incomplete at their end is left as it is.
  @_optimize(speed)
  static func essence(of bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    /// Where the last run of SGR begins in the result, with nothing else behind it, and whether its last one only sets the text's colour.
    var run = 0
    var lastColor: Int?
    var index = 0
    while true {
      index = next(bytes, index)
      guard index < bytes.count else { return result }
      let start = index
      if bytes[index] == 0x1b, index + 1 < bytes.count, bytes[index + 1] == 0x5b {
        index += 2
        while index < bytes.count, bytes[index] & 0xf0 == 0x30, bytes[index] < 0x3c { index += 1 }
        guard index < bytes.count else {
          append(bytes, start..<bytes.count, to: &result)
          return result
        }
        let final = bytes[index]
        index += 1
        if isMotionOrErasing(final) { continue }
        if final == 0x6d {
          let first = bytes[start + 2]
          let isReset = first == 0x6d || first == 0x30 && (bytes[start + 3] == 0x6d || bytes[start + 3] == 0x3b)
          let isColor = index - start == 5 && first == 0x33 && bytes[start + 3] < 0x38
          if isReset {
            result.removeLast(result.count - run)
          } else if isColor, let lastColor {
            result.removeLast(result.count - lastColor)
          }
          lastColor = isColor ? result.count : nil
          append(bytes, start..<index, to: &result)
          continue
        }
        // Prefixes, intermediates and controls: the parser's.
        index = start + 2
      } else {
        index += 1
      }
      // Verbatim up to the next control sequence: a control string may be among it.
      while index < bytes.count, !(bytes[index] == 0x1b && index + 1 < bytes.count && bytes[index + 1] == 0x5b) {
        index += 1
      }
      append(bytes, start..<index, to: &result)
      run = result.count
      lastColor = nil
    }
  }

  /// The next ESC, shift in or out, or what could be a C1 control.
  @inline(__always)
  private static func next(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    var index = start
    let count = bytes.count
    while count &- index >= 8 && isPassedOver(bytes.extracting(index..<index &+ 8)) { index &+= 8 }
    while index < count {
      let byte = bytes[index]
      if byte == 0x1b || byte & 0xfe == 0x0e || byte == 0xc2 { return index }
      index += 1
    }
    return index
  }

  /// Whether none of eight bytes is one of those. A byte that is equal to another is zero where they differ, from which one is
  /// borrowed.
  @inline(__always)
  private static func isPassedOver(_ block: Span<UInt8>) -> Bool {
    // The compiler makes one load of this.
    let low = UInt64(block[0]) | UInt64(block[1]) << 8 | UInt64(block[2]) << 16 | UInt64(block[3]) << 24
    let high = UInt64(block[4]) << 32 | UInt64(block[5]) << 40 | UInt64(block[6]) << 48 | UInt64(block[7]) << 56
    let word = low | high
    let ones: UInt64 = 0x0101_0101_0101_0101
    let escape = word ^ (ones &* 0x1b)
    let shift = (word & (ones &* 0xfe)) ^ (ones &* 0x0e)
    let lead = word ^ (ones &* 0xc2)
    let found = ((escape &- ones) & ~escape) | ((shift &- ones) & ~shift) | ((lead &- ones) & ~lead)
    return found & (ones &* 0x80) == 0
  }

  /// Of a control sequence without prefix and intermediates.
  @inline(__always)
  private static func isMotionOrErasing(_ final: UInt8) -> Bool {
    switch Unicode.Scalar(final) {
    case "@", "A"..."M", "P", "S", "T", "X", "`", "a", "b", "d", "e", "f": true
    default: false
    }
  }

  private static func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to result: inout [UInt8]) {
    for index in range { result.append(bytes[index]) }
  }
}
