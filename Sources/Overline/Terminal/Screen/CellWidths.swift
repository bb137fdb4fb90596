/// The widths of ``TerminalText`` looked up once: a table for each block of 256 scalars that a program has printed from.
struct CellWidths: Sendable {
  /// The place of each block in `widths`; 0 until the block is filled. Characters beyond the third plane are rare.
  private var blocks = [UInt16](repeating: 0, count: 0x400)
  private var widths: [UInt8] = []

  @inline(__always)
  mutating func width(_ value: UInt32) -> Int {
    let block = Int(value >> 8)
    if block < blocks.count {
      let place = Int(blocks[block])
      if place != 0 { return Int(widths[(place &- 1) << 8 | Int(value & 0xff)]) }
    }
    return slowWidth(value)
  }

  @inline(never)
  private mutating func slowWidth(_ value: UInt32) -> Int {
    let block = Int(value >> 8)
    guard block < blocks.count else { return Self.scalarWidth(value) }
    widths.reserveCapacity(widths.count + 256)
    for low in 0..<256 as Range<UInt32> { widths.append(UInt8(Self.scalarWidth(value & ~0xff | low))) }
    blocks[block] = UInt16(widths.count >> 8)
    return Int(widths[widths.count - 256 + Int(value & 0xff)])
  }

  private static func scalarWidth(_ value: UInt32) -> Int { Unicode.Scalar(value).map(TerminalText.width) ?? 1 }
}
