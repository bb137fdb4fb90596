/// Leaves out of a stream what is of no consequence to one who follows neither cells nor the cursor: text, motions, erasing, and
/// colours that other colours replace.
///
/// What is left is a small part of what a flood is made of, and is read in the usual way.
struct Skimming: ~Copyable {
  private var result: [UInt8] = []
  /// The last SGRs, behind which nothing else has come: where each begins and ends in the bytes.
  private var run = InlineArray<8, Range<Int>>(repeating: 0..<0)
  private var runCount = 0
  /// The last of them only sets the text's colour.
  private var endsWithColor = false

  /// - Parameter bytes: from ground state on. What is incomplete at their end is left as it is.
  static func essence(of bytes: Span<UInt8>) -> [UInt8] {
    var skimming = Skimming()
    skimming.skim(bytes)
    skimming.endRun(bytes)
    return skimming.result
  }

  @_optimize(speed)
  private mutating func skim(_ bytes: Span<UInt8>) {
    let count = bytes.count
    var index = Self.next(bytes, 0)
    while index < count {
      let start = index
      if bytes[start] == 0x1b && start &+ 2 < count && bytes[start &+ 1] == 0x5b {
        index = Self.endOfParameters(bytes, start &+ 2)
        if index < count && isLeftOut(bytes, start, index) {
          index &+= 1
          // Where one ends, another often begins.
          if index < count && bytes[index] != 0x1b { index = Self.next(bytes, index) }
          continue
        }
        // Prefixes, intermediates and controls are the parser's, and so is what is incomplete.
        index = start &+ 2
      } else {
        index &+= 1
      }
      // Verbatim up to the next control sequence: a control string may be among it.
      while index < count && !(bytes[index] == 0x1b && index &+ 1 < count && bytes[index &+ 1] == 0x5b) { index &+= 1 }
      endRun(bytes)
      for place in start..<index { result.append(bytes[place]) }
    }
  }

  /// Whether a control sequence without prefix and intermediates, from `start` to its final byte, need not be read now.
  @inline(__always)
  private mutating func isLeftOut(_ bytes: Span<UInt8>, _ start: Int, _ final: Int) -> Bool {
    switch Unicode.Scalar(bytes[final]) {
    case "m":
      add(bytes, start, final)
      return true
    case "@", "A"..."M", "P", "S", "T", "X", "`", "a", "b", "d", "e", "f": return true
    default: return false
    }
  }

  /// SGR: what begins with a reset makes all before it of no consequence, and a colour another one.
  @inline(__always)
  private mutating func add(_ bytes: Span<UInt8>, _ start: Int, _ final: Int) {
    let first = bytes[start &+ 2]
    let isReset = final == start &+ 2 || first == 0x30 && (final == start &+ 3 || bytes[start &+ 3] == 0x3b)
    let isColor = final == start &+ 4 && first == 0x33 && bytes[start &+ 3] < 0x38
    if isReset {
      runCount = 0
    } else if isColor && endsWithColor {
      runCount &-= 1
    } else if runCount == run.count {
      endRun(bytes)
    }
    run[runCount] = start..<final &+ 1
    runCount &+= 1
    endsWithColor = isColor
  }

  private mutating func endRun(_ bytes: Span<UInt8>) {
    for number in 0..<runCount {
      for place in run[number] { result.append(bytes[place]) }
    }
    runCount = 0
    endsWithColor = false
  }

  /// Where what is neither digit nor separator stands: among the first eight bytes without a branch for each, which would be predicted
  /// badly. A byte is out of the range where it, counted from the range's start, is not below its length.
  @inline(__always)
  private static func endOfParameters(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    let count = bytes.count
    var index = start
    if count &- index >= 8 {
      let ones: UInt64 = 0x0101_0101_0101_0101
      let offset = word(bytes, index) ^ (ones &* 0x30)
      let found = (offset | ((offset & (ones &* 0x7f)) &+ ones &* (0x80 - 12))) & (ones &* 0x80)
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count && bytes[index] &- 0x30 < 12 { index &+= 1 }
    return index
  }

  /// The next ESC, shift in or out, or what could be a C1 control: eight bytes at a time. A byte is equal to another where they
  /// differ in no bit, which is where subtracting borrows.
  @inline(__always)
  private static func next(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    let count = bytes.count
    var index = start
    let ones: UInt64 = 0x0101_0101_0101_0101
    while count &- index >= 8 {
      let word = word(bytes, index)
      let escape = word ^ (ones &* 0x1b)
      let shift = (word & (ones &* 0xfe)) ^ (ones &* 0x0e)
      let lead = word ^ (ones &* 0xc2)
      let found =
        (((escape &- ones) & ~escape) | ((shift &- ones) & ~shift) | ((lead &- ones) & ~lead)) & (ones &* 0x80)
      // The lowest is right; above it a borrow may have gone on.
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count {
      let byte = bytes[index]
      if byte == 0x1b || byte & 0xfe == 0x0e || byte == 0xc2 { return index }
      index &+= 1
    }
    return index
  }

  /// Eight bytes, the first one lowest. The compiler makes one load of it.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
    let block = bytes.extracting(index..<index &+ 8)
    let low = UInt64(block[0]) | UInt64(block[1]) << 8 | UInt64(block[2]) << 16 | UInt64(block[3]) << 24
    let high = UInt64(block[4]) << 32 | UInt64(block[5]) << 40 | UInt64(block[6]) << 48 | UInt64(block[7]) << 56
    return low | high
  }
}
