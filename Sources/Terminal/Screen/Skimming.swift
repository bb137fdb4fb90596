/// Leaves out of a stream what is of no consequence to one who follows neither cells nor the cursor: text, motions, erasing, and
/// colours that other colours replace.
///
/// What is left is a small part of what a flood is made of, and is read in the usual way.
struct Skimming: ~Copyable {
  private static var mostRenditions: Int { 128 }

  private var result: [UInt8] = []
  /// Where the final bytes of the last SGRs are, behind which nothing else has come.
  private var renditions = InlineArray<128, Int>(repeating: 0)
  private var renditionCount = 0

  /// - Parameter bytes: from ground state on. What is incomplete at their end is left as it is.
  static func essence(of bytes: Span<UInt8>) -> [UInt8] {
    var skimming = Skimming()
    skimming.skim(bytes)
    skimming.endRenditions(bytes)
    return skimming.result
  }

  /// A block at a time, and where one has something else in it than what is left out, one by one.
  @_optimize(speed)
  private mutating func skim(_ bytes: Span<UInt8>) {
    /// Before it, everything has been judged, and is whole.
    var ground = 0
    var index = SkimmedBlock.context
    var carry: UInt64 = 0
    while index &+ SkimmedBlock.count <= bytes.count {
      let next = index &+ SkimmedBlock.count
      if carry == 0 && SkimmedBlock.isPlain(bytes, index) {
        ground = next &- SkimmedBlock.context
      } else if case let block = SkimmedBlock(bytes, index, &carry), !block.isRemarkable {
        var found = block.renditions
        while found != 0 {
          add(bytes, index &+ found.trailingZeroBitCount)
          found &= found &- 1
        }
      } else {
        ground = judge(bytes, from: ground, known: index, upTo: next &- SkimmedBlock.context)
        index = ground &+ SkimmedBlock.context
        carry = 0
        continue
      }
      index = next
    }
    _ = judge(bytes, from: ground, known: index, upTo: bytes.count)
  }

  /// - Parameters:
  ///   - known: where blocks have been looked at up to. A control sequence that goes on there is judged whole.
  /// - Returns: where it got to, which is no less than `end`.
  @inline(never)
  @_optimize(speed)
  private mutating func judge(_ bytes: Span<UInt8>, from ground: Int, known: Int, upTo end: Int) -> Int {
    let count = bytes.count
    var index = known &- SkimmedBlock.context
    while index > ground && bytes[index] != 0x1b { index &-= 1 }
    while index < end {
      let start = index
      let byte = bytes[start]
      index &+= 1
      guard byte == 0x1b || byte & 0xfe == 0x0e || byte == 0xc2 else { continue }
      if Self.isIntroducer(bytes, start) {
        var final = start &+ 2
        while final < count && bytes[final] &- 0x30 < 12 { final &+= 1 }
        if final < count && Self.isLeftOut(bytes[final]) {
          if bytes[final] == 0x6d && final >= known { add(bytes, final) }
          index = final &+ 1
          continue
        }
        // Prefixes, intermediates and controls are the parser's, and so is what is incomplete.
        index = start &+ 2
      }
      // Verbatim up to the next control sequence: a control string may be among it.
      while index < count && !Self.isIntroducer(bytes, index) { index &+= 1 }
      endRenditions(bytes)
      for place in start..<index { result.append(bytes[place]) }
      // What comes next may be left out, and must end what is open all the same. CAN does, and nothing else.
      if index < count { result.append(0x18) }
    }
    return index
  }

  @inline(__always)
  private static func isIntroducer(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    bytes[index] == 0x1b && index &+ 1 < bytes.count && bytes[index &+ 1] == 0x5b
  }

  /// Whether a control sequence without prefix and intermediates need not be read now, or, an SGR, may be later.
  @inline(__always)
  private static func isLeftOut(_ final: UInt8) -> Bool {
    switch Unicode.Scalar(final) {
    case "@", "A"..."M", "P", "S", "T", "X", "`", "a", "b", "d", "e", "f", "m": true
    default: false
    }
  }

  @inline(__always)
  private mutating func add(_ bytes: Span<UInt8>, _ final: Int) {
    renditions[renditionCount] = final
    renditionCount &+= 1
    if renditionCount == Self.mostRenditions { endRenditions(bytes) }
  }

  /// SGR: what begins with a reset makes all before it of no consequence, and a colour another one.
  @_optimize(speed)
  private mutating func endRenditions(_ bytes: Span<UInt8>) {
    var first = renditionCount
    var isColored = false
    for number in stride(from: renditionCount &- 1, through: 0, by: -1) {
      let final = renditions[number]
      // Only the text's colour, one of eight.
      if final > 3 && bytes[final &- 3] == 0x5b && bytes[final &- 2] == 0x33 && bytes[final &- 1] < 0x38 {
        if isColored { continue }
        isColored = true
      }
      first &-= 1
      renditions[first] = final
      let parameters = Self.start(bytes, final) &+ 2
      if parameters == final
        || bytes[parameters] == 0x30 && (parameters &+ 1 == final || bytes[parameters &+ 1] == 0x3b)
      {
        break
      }
    }
    for number in first..<renditionCount {
      let final = renditions[number]
      for place in Self.start(bytes, final)...final { result.append(bytes[place]) }
    }
    renditionCount = 0
  }

  private static func start(_ bytes: Span<UInt8>, _ final: Int) -> Int {
    var start = final &- 2
    while bytes[start] != 0x1b { start &-= 1 }
    return start
  }
}
