/// A control sequence (CSI … final byte) with its parameters.
package struct ControlSequence: Sendable {
  /// xterm keeps 30; what is beyond is passed over.
  package static let capacity = 32
  /// A ``prefix`` that no sequence of a manual has: the bytes are a control sequence, but not in an order that means something.
  package static let malformed: UInt8 = 0xff

  private var values = InlineArray<32, UInt16>(repeating: 0)
  /// A bit for each parameter that has digits.
  private var given: UInt32 = 0
  /// A bit for each parameter that a colon joins to the one before.
  private var joined: UInt32 = 0
  /// The number of parameters, the missing ones between semicolons included.
  public private(set) var count = 0
  /// One of `<=>?`, or 0.
  public internal(set) var prefix: UInt8 = 0
  /// 0, one byte, or two with the first in the upper half.
  public internal(set) var intermediate: UInt16 = 0
  public internal(set) var final: UInt8 = 0
  /// Control characters stand between its bytes; they have been handled already. To hand it on without them, ``encode(into:)`` it.
  public internal(set) var hasControls = false

  init() {}

  /// One without prefix, intermediate bytes and parameters.
  package init(final: UInt8) { self.final = final }

  /// The value, or nil where there is none. Values end at 65535, as xterm's do.
  @inline(__always)
  package subscript(index: Int) -> Int? {
    index >= 0 && index < count && given & (1 << UInt32(index)) != 0 ? Int(values[index]) : nil
  }

  @inline(__always)
  package func parameter(_ index: Int, default value: Int) -> Int { self[index] ?? value }

  /// How often to do something: 0 and nothing are once.
  @inline(__always)
  package func amount(_ index: Int = 0) -> Int { max(1, parameter(index, default: 1)) }

  /// Whether the parameter is a part of the one before it (`38:2:…`).
  package func isJoined(_ index: Int) -> Bool { index < count && joined & (1 << UInt32(index)) != 0 }

  /// No prefix and no intermediate byte.
  var isPlain: Bool { prefix == 0 && intermediate == 0 }

  /// For the next sequence. The values stay: what is not given is not read.
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
  /// Appends the digits of a number that is not negative, without making a string of it.
  mutating func append(decimal value: Int) {
    if value >= 10 { append(decimal: value / 10) }
    append(0x30 + UInt8(truncatingIfNeeded: value % 10))
  }
}
