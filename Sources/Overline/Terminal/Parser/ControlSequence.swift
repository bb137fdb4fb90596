/// A control sequence (CSI … final byte) with its parameters.
package struct ControlSequence: Sendable {
  /// The maximum number of parameters; xterm keeps 30. Further ones are ignored.
  package static let capacity = 32
  /// A ``prefix`` for control sequences whose bytes are in an order without meaning. No documented sequence has it.
  package static let malformed: UInt8 = 0xff

  private var values = InlineArray<32, UInt16>(repeating: 0)
  /// A bit for each parameter that has digits.
  private var given: UInt32 = 0
  /// A bit for each parameter that a colon joins to the one before.
  private var joined: UInt32 = 0
  /// The number of parameters, including empty ones between semicolons.
  public private(set) var count = 0
  /// One of `<=>?`, or 0.
  public internal(set) var prefix: UInt8 = 0
  /// 0, one byte, or two bytes with the first in the upper half.
  public internal(set) var intermediate: UInt16 = 0
  public internal(set) var final: UInt8 = 0
  /// True if control characters were between its bytes; they have been handled already. ``encode(into:)`` writes the sequence without them.
  public internal(set) var hasControls = false

  init() {}

  /// Creates a sequence without prefix, intermediate bytes and parameters.
  package init(final: UInt8) { self.final = final }

  /// The value of a parameter, or nil if it has none. Values are limited to 65535, as in xterm.
  @inline(__always)
  package subscript(index: Int) -> Int? {
    index >= 0 && index < count && given & (1 << UInt32(index)) != 0 ? Int(values[index]) : nil
  }

  @inline(__always)
  package func parameter(_ index: Int, default value: Int) -> Int { self[index] ?? value }

  /// The count in a parameter: 0 and a missing value mean 1.
  @inline(__always)
  package func amount(_ index: Int = 0) -> Int { max(1, parameter(index, default: 1)) }

  /// Whether the parameter is a part of the previous one (`38:2:…`).
  package func isJoined(_ index: Int) -> Bool { index < count && joined & (1 << UInt32(index)) != 0 }

  /// True without prefix and intermediate byte.
  var isPlain: Bool { prefix == 0 && intermediate == 0 }

  /// Prepares for the next sequence. The values stay, since a parameter that is not given is not read.
  @inline(__always)
  mutating func reset() {
    given = 0
    joined = 0
    count = 0
    prefix = 0
    intermediate = 0
    hasControls = false
  }

  @inline(__always)
  mutating func append(_ value: UInt16, isGiven: Bool, isJoined: Bool) {
    guard count < Self.capacity else { return }
    values[count] = value
    if isGiven { given |= 1 << UInt32(count) }
    if isJoined { joined |= 1 << UInt32(count) }
    count += 1
  }

  /// Appends the sequence in its 7-bit form.
  package func encode(into output: inout [UInt8]) {
    guard prefix != Self.malformed else { return }
    output += [0x1b, 0x5b]
    if prefix != 0 { output.append(prefix) }
    for index in 0..<count {
      if index > 0 { output.append(isJoined(index) ? 0x3a : 0x3b) }
      if let value = self[index] { output.append(decimal: value) }
    }
    if intermediate > 0xff { output.append(UInt8(truncatingIfNeeded: intermediate >> 8)) }
    if intermediate != 0 { output.append(UInt8(truncatingIfNeeded: intermediate)) }
    output.append(final)
  }
}

extension [UInt8] {
  /// Appends the digits of a non-negative number without creating a string.
  mutating func append(decimal value: Int) {
    if value >= 10 { append(decimal: value / 10) }
    append(0x30 + UInt8(truncatingIfNeeded: value % 10))
  }
}
