import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// Below the banner the terminal shows what the program would draw on a terminal without the banner's rows, for any output.
@Suite(.ownThread) struct EquivalenceTests {
  private static let rows = 9
  private static let columns = 30

  /// The first difference after these items, each of them a read of its own; nil if there is none.
  private func difference(_ items: [[UInt8]], height: Int) -> String? {
    let window = Window(rows: Self.rows + height, columns: Self.columns)
    window.show(height)
    let bare = ReferenceTerminal(rows: Self.rows, columns: Self.columns)
    for item in items {
      window.write(item)
      bare.write(item)
    }
    let cells = window.outer.cells.seen
    for (row, expected) in bare.cells.seen.enumerated() where cells[row + height] != expected {
      if cells[row + height].text == expected.text {
        let column = expected.indices.first { cells[row + height][$0] != expected[$0] }!
        return "row \(row) column \(column) is \(cells[row + height][column]), not \(expected[column])"
      }
      return "row \(row) is '\(cells[row + height].text)', not '\(expected.text)'"
    }
    var cursor = window.outer.cursor
    cursor.row -= height
    if cursor != bare.cursor { return "\(cursor), not \(bare.cursor)" }
    if !window.outer.text[0..<height].contains(where: { $0.contains(Window.title) }) { return "no banner" }
    let saved = window.outer.scrollbackText
    if saved != bare.scrollbackText { return "the scrollback is \(saved), not \(bare.scrollbackText)" }
    return nil
  }

  /// The fewest of the items that still show a difference.
  private func minimized(_ items: [[UInt8]], height: Int) -> [[UInt8]] {
    var items = items
    var index = items.count - 1
    while index > 0 {
      var fewer = items
      fewer.remove(at: index)
      if difference(fewer, height: height) != nil { items = fewer }
      index -= 1
    }
    return items
  }

  @Test(arguments: [1, 3], 1...100)
  func anyStream(height: Int, seed: Int) {
    var stream = ProgramStream(seed: UInt64(seed), rows: Self.rows, columns: Self.columns)
    let items = stream.items(250)
    guard difference(items, height: height) != nil else { return }
    let few = minimized(items, height: height)
    let text = few.map { String(decoding: $0, as: UTF8.self).debugDescription }.joined(separator: " + ")
    Issue.record("\(difference(few, height: height)!) after \(text)")
  }

  /// The terminal's final content does not depend on the reads.
  @Test(arguments: 1...50)
  func anyCut(seed: Int) {
    var stream = ProgramStream(seed: UInt64(seed), rows: Self.rows, columns: Self.columns)
    let items = stream.items(250)
    var random = Seeded(UInt64(seed))
    var rest = Array(items.joined())[...]
    var reads: [[UInt8]] = []
    while !rest.isEmpty {
      let count = Int.random(in: 1...20, using: &random)
      reads.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(difference(reads, height: 1) == nil)
  }
}
