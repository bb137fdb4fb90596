/// The widths of ``TerminalText`` and ``WidthRules`` looked up once: a table for each block of 256 scalars that a program has printed from.
struct CellWidths: Sendable {
  struct Entry: Sendable {
    /// The width in columns, and 4 if terminals disagree about it.
    fileprivate let bits: UInt8

    var width: Int { Int(bits & 3) }
    var isDisputed: Bool { bits > 3 }
  }

  let rules: WidthRules
  /// The place of each block in `entries`; 0 until the block is filled. Characters beyond the third plane are rare.
  private var blocks = [UInt16](repeating: 0, count: 0x400)
  private var entries: [Entry] = []

  init(_ rules: WidthRules) { self.rules = rules }

  @inline(__always)
  mutating func entry(_ value: UInt32) -> Entry {
    let block = Int(value >> 8)
    if block < blocks.count {
      let place = Int(blocks[block])
      if place != 0 { return entries[(place &- 1) << 8 | Int(value & 0xff)] }
    }
    return slowEntry(value)
  }

  @inline(never)
  private mutating func slowEntry(_ value: UInt32) -> Entry {
    let block = Int(value >> 8)
    guard block < blocks.count else { return scalarEntry(value) }
    entries.reserveCapacity(entries.count + 256)
    for low in 0..<256 as Range<UInt32> { entries.append(scalarEntry(value & ~0xff | low)) }
    blocks[block] = UInt16(entries.count >> 8)
    return entries[entries.count - 256 + Int(value & 0xff)]
  }

  private func scalarEntry(_ value: UInt32) -> Entry {
    guard let scalar = Unicode.Scalar(value) else { return Entry(bits: 1) }
    if let width = rules.width(of: scalar) { return Entry(bits: UInt8(width + 4)) }
    return Entry(bits: UInt8(TerminalText.width(of: scalar)))
  }
}
