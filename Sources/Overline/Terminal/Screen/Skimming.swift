/// Removes from a stream everything that only affects cells and cursor: text, motions, erasing, and colours that later colours replace.
///
/// The rest is a small part of a flood, and is parsed in the usual way.
struct Skimming: ~Copyable {
  /// The bytes that are left.
  private(set) var essence: [UInt8] = []
  /// Whether the stream contained only text and SGRs.
  private(set) var isPlain = true
  /// The places of the final bytes of the last SGRs, if no other kept byte has followed.
  private var renditions = InlineArray<128, Int>(repeating: 0)
  private var renditionCount = 0
  private let leftOut = Self.skimmedFinals

  /// A bit for each final byte whose command is left out; `@` is the lowest bit. All are decoded once, since decoding during a flood takes
  /// too long.
  private static let skimmedFinals: UInt64 = (0x40...0x7e).reduce(0) { found, final in
    ControlSequence(final: final).command.traits.isSkimmed ? found | 1 &<< UInt64(final - 0x40) : found
  }

  /// - Parameter bytes: bytes that begin in the ground state. An incomplete sequence at their end is kept unchanged; half a character
  ///   counts as text.
  init(_ bytes: Span<UInt8>) {
    skim(bytes)
  }

  /// Skims a block at a time, up to bytes that cannot be left out, then again from the next control sequence on.
  @_optimize(speed)
  private mutating func skim(_ bytes: Span<UInt8>) {
    var carry = SkimmedBlock.Carry()
    var ground = 0
    var index = 0
    while index < bytes.count {
      let block = SkimmedBlock(bytes, index, &carry)
      if block.motions != 0 { isPlain = false }
      if block.isRemarkable, let remark = remark(bytes, ground, index, block) {
        add(block.renditions & (1 &<< UInt64(remark.place &- index) &- 1), index, bytes)
        endRenditions(bytes)
        isPlain = false
        index = handOn(bytes, from: remark.start)
        ground = index
        carry = SkimmedBlock.Carry()
      } else {
        // Of successive colours, only the last one counts.
        let colors = block.colors
        let last: UInt64 = colors == 0 ? 0 : 1 &<< UInt64(63 &- colors.leadingZeroBitCount)
        add(block.renditions & ~colors | last, index, bytes)
        index &+= ByteBlock.count
        if block.isPlain && index < bytes.count { index &+= ByteBlock.plainCount(bytes, from: index) }
      }
    }
    endRenditions(bytes)
    if let start = Self.incomplete(bytes, ground) {
      for place in start..<bytes.count { essence.append(bytes[place]) }
    }
  }

  /// The first part of a block that must not be left out: its start, and the place that identifies it.
  @inline(never)
  private func remark(
    _ bytes: Span<UInt8>, _ ground: Int, _ index: Int, _ block: SkimmedBlock
  ) -> (start: Int, place: Int)? {
    var places = block.escaped | block.finals | block.controls
    while places != 0 {
      let offset = places.trailingZeroBitCount, bit: UInt64 = 1 &<< UInt64(offset)
      let place = index &+ offset
      if place >= bytes.count { return nil }
      places ^= bit
      if block.escaped & bit != 0 { return (place &- 1, place) }
      if block.finals & bit != 0 {
        if !isLeftOut(bytes[place]), let start = Self.introducer(bytes, ground, before: place) {
          return (start, place)
        }
      } else if bytes[place] != 0xc2 || place &+ 1 == bytes.count || bytes[place &+ 1] & 0xe0 == 0x80 {
        return (place, place)
      }
    }
    return nil
  }

  /// Copies bytes unchanged up to the next control sequence: they may contain a control string.
  ///
  /// - Returns: the start of that control sequence.
  private mutating func handOn(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var end = start &+ 1
    while end < bytes.count && !Self.isIntroducer(bytes, end) { end &+= 1 }
    for place in start..<end { essence.append(bytes[place]) }
    // The next sequence would end an open string or sequence, but may be left out. CAN ends the open one instead, and has no other effect.
    if end < bytes.count { essence.append(0x18) }
    return end
  }

  private static func isIntroducer(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    bytes[index] == 0x1b && index &+ 1 < bytes.count && bytes[index &+ 1] == 0x5b
  }

  /// The start of the control sequence whose parameters reach up to `end`.
  private static func introducer(_ bytes: Span<UInt8>, _ ground: Int, before end: Int) -> Int? {
    var start = end &- 1
    while start > ground && bytes[start] &- 0x30 < 12 { start &-= 1 }
    return start > ground && isIntroducer(bytes, start &- 1) ? start &- 1 : nil
  }

  /// The start of an incomplete sequence at the end.
  private static func incomplete(_ bytes: Span<UInt8>, _ ground: Int) -> Int? {
    guard ground < bytes.count else { return nil }
    return bytes[bytes.count &- 1] == 0x1b ? bytes.count &- 1 : introducer(bytes, ground, before: bytes.count)
  }

  /// Whether a control sequence without prefix and intermediates can be left out, although its final byte is not among the usual ones.
  @inline(__always)
  private func isLeftOut(_ final: UInt8) -> Bool {
    final &- 0x40 < 0x3f && leftOut & 1 &<< UInt64(final &- 0x40) != 0
  }

  @inline(__always)
  private mutating func add(_ found: UInt64, _ index: Int, _ bytes: Span<UInt8>) {
    var found = found
    while found != 0 {
      renditions[renditionCount] = index &+ found.trailingZeroBitCount
      renditionCount &+= 1
      if renditionCount == renditions.count { endRenditions(bytes) }
      found &= found &- 1
    }
  }

  /// SGR: one that begins with a reset makes all earlier ones irrelevant, and a colour makes an earlier colour irrelevant.
  @inline(never)
  @_optimize(speed)
  private mutating func endRenditions(_ bytes: Span<UInt8>) {
    var first = renditionCount
    var isColored = false
    for number in stride(from: renditionCount &- 1, through: 0, by: -1) {
      let final = renditions[number]
      // This SGR sets only the text's colour, one of eight.
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
      for place in Self.start(bytes, final)...final { essence.append(bytes[place]) }
    }
    renditionCount = 0
  }

  private static func start(_ bytes: Span<UInt8>, _ final: Int) -> Int {
    var start = final &- 2
    while bytes[start] != 0x1b { start &-= 1 }
    return start
  }
}
