/// Splits the output of a program into text, controls and sequences (the states of a VT500, for UTF-8).
///
/// It stores nothing of an incomplete sequence. Such a tail is not consumed: the caller passes it again together with the next bytes. So a
/// rewriter sees whole sequences, and holds back at most 4 KiB. Only control strings, which may have any length, are reported in parts.
package struct VTParser: Sendable {
  private enum State: Equatable {
    case ground
    case string(ControlString)
    /// Inside a sequence that is too long: everything up to its final byte is ignored.
    case ignoring
  }

  /// No documented sequence is nearly as long.
  package static let maximumSequenceLength = 4096

  private var state = State.ground
  /// Reused for every sequence, since its storage for parameters is large.
  private var sequence = ControlSequence()

  package init() {}

  /// Whether the next byte is outside a control string.
  package var isGround: Bool { state == .ground }

  /// Reads whole items from `start` on.
  ///
  /// - Returns: the index up to which the bytes were consumed. The rest is incomplete and shorter than ``maximumSequenceLength``.
  package mutating func parse<Handler: VTHandler & ~Copyable>(
    _ bytes: Span<UInt8>, from start: Int = 0, _ handler: inout Handler
  ) -> Int {
    var index = start
    while index < bytes.count {
      let before = index
      switch state {
      case .ground: index = parseGround(bytes, index, &handler)
      case .string(let kind): index = parseString(kind, bytes, index, index, &handler)
      case .ignoring: index = ignore(bytes, index, &handler)
      }
      // The end of a cut-off control string consumes no bytes: the state distinguishes it from an incomplete tail.
      if index == before && !hasJustEnded {
        guard bytes.count - index >= Self.maximumSequenceLength else { return index }
        state = .ignoring
        index = bytes.count
      }
      hasJustEnded = false
    }
    return index
  }

  private var hasJustEnded = false

  @_optimize(speed)
  private mutating func parseGround<Handler: VTHandler & ~Copyable>(
    _ bytes: Span<UInt8>, _ start: Int, _ handler: inout Handler
  ) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x20 && byte != 0x7f {
        let end = Self.endOfText(bytes, index)
        if end > index {
          handler.text(bytes, index..<end)
          index = end
          continue
        }
        // A C1 control in UTF-8, or the beginning of a scalar.
        guard byte == 0xc2, index + 1 < bytes.count else { return index }
        let next = parseEscape(bytes, index, body: index + 1, isC1: true, &handler)
        if next == index || state != .ground { return next }
        index = next
      } else if byte == 0x1b {
        let next = parseEscape(bytes, index, body: index + 1, isC1: false, &handler)
        if next == index || state != .ground { return next }
        index = next
      } else {
        handler.control(byte, index..<index + 1)
        index += 1
      }
    }
    return index
  }

  /// The end of the text that begins at `start`: before a control character, or before an incomplete scalar.
  @_optimize(speed)
  private static func endOfText(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    let count = bytes.count
    var index = start
    while count &- index >= 8 && isText(bytes.extracting(index..<index &+ 8)) { index &+= 8 }
    while index < count {
      let byte = bytes[index]
      if byte &- 0x20 < 0x5f || (byte >= 0x80 && byte != 0xc2) {
        index += 1
        continue
      }
      guard byte == 0xc2 else { return index }
      if index + 1 < count && bytes[index + 1] & 0xe0 != 0x80 {
        index += 1
        continue
      }
      return index
    }
    return UTF8Scan.endOfWholeScalars(bytes, start)
  }

  /// Whether none of eight bytes is a control or could begin one. Computed on all eight at once: where a byte is less than a number,
  /// subtracting the number borrows from the byte's upper bit.
  @inline(__always)
  private static func isText(_ block: Span<UInt8>) -> Bool {
    // The compiler combines this into one load.
    let low = UInt64(block[0]) | UInt64(block[1]) << 8 | UInt64(block[2]) << 16 | UInt64(block[3]) << 24
    let high = UInt64(block[4]) << 32 | UInt64(block[5]) << 40 | UInt64(block[6]) << 48 | UInt64(block[7]) << 56
    let word = low | high
    let ones: UInt64 = 0x0101_0101_0101_0101
    let delete = word ^ (ones &* 0x7f)
    let lead = word ^ (ones &* 0xc2)
    let found =
      ((word &- ones &* 0x20) & ~word) | ((delete &- ones) & ~delete) | ((lead &- ones) & ~lead)
    return found & (ones &* 0x80) == 0
  }

  /// - Returns: the end of the sequence, or `start` when it is incomplete.
  @_optimize(speed)
  private mutating func parseEscape<Handler: VTHandler & ~Copyable>(
    _ bytes: Span<UInt8>, _ start: Int, body: Int, isC1: Bool, _ handler: inout Handler
  ) -> Int {
    var index = body
    var intermediate: UInt8 = 0
    var hasControls = false
    while index < bytes.count {
      var byte = bytes[index]
      if isC1 { byte &-= 0x40 }
      switch byte {
      case 0x20...0x2f:
        intermediate = intermediate == 0 ? byte : ControlSequence.malformed
        index += 1
      case 0x5b where intermediate == 0:
        return parseControlSequence(bytes, start, body: index + 1, hasControls: hasControls, &handler)
      case 0x30...0x7e:
        if hasControls { executeControls(bytes, body..<index, &handler) }
        if intermediate == 0, let kind = ControlString(rawValue: byte) {
          return parseString(kind, bytes, start, index + 1, isStart: true, &handler)
        }
        handler.escape(intermediate, byte, start..<index + 1)
        return index + 1
      case 0x18, 0x1a, 0x1b, 0x80...0xff:
        if hasControls { executeControls(bytes, body..<index, &handler) }
        return index
      default:
        hasControls = true
        index += 1
      }
    }
    return start
  }

  @_optimize(speed)
  private mutating func parseControlSequence<Handler: VTHandler & ~Copyable>(
    _ bytes: Span<UInt8>, _ start: Int, body: Int, hasControls: Bool, _ handler: inout Handler
  ) -> Int {
    sequence.reset()
    sequence.hasControls = hasControls
    var index = body
    var value: UInt32 = 0
    var isGiven = false
    var isJoined = false
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0x30...0x39:
        if sequence.intermediate != 0 { sequence.prefix = ControlSequence.malformed }
        value = min(value &* 10 &+ UInt32(byte &- 0x30), 0xffff)
        isGiven = true
      case 0x3a, 0x3b:
        if sequence.intermediate != 0 { sequence.prefix = ControlSequence.malformed }
        sequence.append(UInt16(truncatingIfNeeded: value), isGiven: isGiven, isJoined: isJoined)
        value = 0
        isGiven = false
        isJoined = byte == 0x3a
      case 0x3c...0x3f:
        sequence.prefix = index == body ? byte : ControlSequence.malformed
      case 0x40...0x7e:
        // Without digits and separators there is no parameter, not even an empty one.
        if isGiven || sequence.count > 0 {
          sequence.append(UInt16(truncatingIfNeeded: value), isGiven: isGiven, isJoined: isJoined)
        }
        sequence.final = byte
        if sequence.hasControls { executeControls(bytes, start + 1..<index, &handler) }
        handler.controlSequence(sequence, start..<index + 1)
        return index + 1
      case 0x20...0x2f:
        let isThird = sequence.intermediate > 0xff
        sequence.intermediate = sequence.intermediate << 8 | UInt16(byte)
        if isThird { sequence.prefix = ControlSequence.malformed }
      case 0x18, 0x1a, 0x1b, 0x80...0xff:
        if sequence.hasControls { executeControls(bytes, start + 1..<index, &handler) }
        return index
      default: sequence.hasControls = true
      }
      index += 1
    }
    return start
  }

  /// Reports the control characters inside a sequence before the sequence.
  private func executeControls<Handler: VTHandler & ~Copyable>(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ handler: inout Handler
  ) {
    for index in range where bytes[index] < 0x20 { handler.control(bytes[index], index..<index + 1) }
  }

  /// - Parameters:
  ///   - start: the beginning of the part; for the first part, the introducer.
  ///   - body: the index from which to search for the end.
  private mutating func parseString<Handler: VTHandler & ~Copyable>(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ start: Int, _ body: Int, isStart: Bool = false,
    _ handler: inout Handler
  ) -> Int {
    let index = Self.endOfString(kind, bytes, body)
    guard index < bytes.count else {
      state = .string(kind)
      handler.string(kind, bytes, start..<index, isStart: isStart, isEnd: false)
      return index
    }
    var end = index
    switch bytes[index] {
    case 0x07, 0x18, 0x1a: end = index + 1
    default:
      guard index + 1 < bytes.count else {
        // The last byte is ESC or C2: the next byte determines its meaning.
        state = .string(kind)
        if index > start { handler.string(kind, bytes, start..<index, isStart: isStart, isEnd: false) }
        return index
      }
      if bytes[index] == 0xc2 || bytes[index + 1] == 0x5c { end = index + 2 }
    }
    state = .ground
    hasJustEnded = true
    handler.string(kind, bytes, start..<end, isStart: isStart, isEnd: true)
    return end
  }

  @_optimize(speed)
  private static func endOfString(_ kind: ControlString, _ bytes: Span<UInt8>, _ start: Int) -> Int {
    var index = start
    let count = bytes.count
    let bell: UInt8 = kind == .operatingSystemCommand ? 0x07 : 0x1b
    while index < count {
      let byte = bytes[index]
      if byte == 0x1b || byte == bell || byte == 0x18 || byte == 0x1a { return index }
      if byte == 0xc2 && (index + 1 == count || bytes[index + 1] == 0x9c) { return index }
      index += 1
    }
    return count
  }

  private mutating func ignore<Handler: VTHandler & ~Copyable>(
    _ bytes: Span<UInt8>, _ start: Int, _ handler: inout Handler
  ) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0x40...0x7e:
        state = .ground
        return index + 1
      case 0x18, 0x1a, 0x1b:
        state = .ground
        hasJustEnded = true
        return index
      case 0..<0x20: handler.control(byte, index..<index + 1)
      default: break
      }
      index += 1
    }
    return index
  }
}
