import ReferenceTerminal
import Terminal
import Testing

/// Below the banner is what the program would have drawn on a terminal that is lower by the banner.
@Suite struct EquivalenceTests {
  private static let rows = 12
  private static let columns = 30

  /// The program's screen on both terminals, as cells, and the cursor.
  private func expectSame(
    _ window: borrowing Window, _ bare: ReferenceTerminal, height: Int, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    let outer = window.outer.cells
    let expected = bare.cells
    for row in 0..<bare.rows where outer[row + height] != expected[row] {
      Issue.record(
        "row \(row): '\(outer[row + height].text)' instead of '\(expected[row].text)' \(comment)",
        sourceLocation: sourceLocation)
      return false
    }
    var cursor = window.outer.cursor
    cursor.row -= height
    #expect(cursor == bare.cursor, comment, sourceLocation: sourceLocation)
    return cursor == bare.cursor
  }

  @Test(arguments: [1, 3], 1...60)
  func anyStream(height: Int, seed: Int) {
    var window = Window(rows: Self.rows, columns: Self.columns)
    window.show(height)
    let bare = ReferenceTerminal(rows: Self.rows - height, columns: Self.columns)
    var stream = ProgramStream(seed: UInt64(seed), rows: bare.rows, columns: Self.columns)
    var written: [UInt8] = []
    for items in 0..<150 {
      let bytes = Array(stream.items(items % 7 + 1).joined())
      written += bytes
      window.write(bytes)
      bare.write(bytes)
      let text = String(decoding: written.suffix(300), as: UTF8.self).debugDescription
      guard expectSame(window, bare, height: height, "seed \(seed), after \(text)") else { return }
      guard window.outer.text[0].contains(Window.title) || height > 1 else {
        Issue.record("the banner is gone: seed \(seed), after \(text)")
        return
      }
    }
    #expect(!window.outer.scrollbackText.contains { $0.contains(Window.title) })
    #expect(window.outer.scrollbackText == bare.scrollbackText, "seed \(seed)")
    window.hide()
    for row in 0..<bare.rows { #expect(window.outer.text[row] == bare.text[row], "seed \(seed)") }
    #expect(!window.outer.text.contains { $0.contains(Window.title) })
  }

  /// However the stream is cut into reads.
  @Test(arguments: 1...20)
  func anyCut(seed: Int) {
    var window = Window(rows: Self.rows, columns: Self.columns)
    window.show()
    let bare = ReferenceTerminal(rows: Self.rows - 1, columns: Self.columns)
    var stream = ProgramStream(seed: UInt64(seed), rows: bare.rows, columns: Self.columns)
    let bytes = Array(stream.items(300).joined())
    bare.write(bytes)
    var random = Seeded(UInt64(seed))
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...9, using: &random)
      window.write(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    _ = expectSame(window, bare, height: 1, "seed \(seed)")
    #expect(window.outer.scrollbackText == bare.scrollbackText)
  }
}
