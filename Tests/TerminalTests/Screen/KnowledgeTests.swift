import Overline
import OverlineTestThread
import Testing

/// After skimmed output, a cell counts as known only if drawing all output gives the same: a box or a banner prints it again.
@Suite(.ownThread) struct KnowledgeTests {
  @Test(arguments: 1...340)
  func knownCellsEqualTheTerminals(seed: Int) {
    var stream = ProgramStream(seed: UInt64(seed), rows: 10, columns: 30)
    var screens = Screens(flood: Array(stream.items(100).joined()))
    for (number, item) in stream.items(60).enumerated() {
      screens.write(item)
      // In a third of the cases the terminal reports its cursor.
      if seed.isMultiple(of: 3), number == 20 { screens.reportCursor() }
      if let difference = screens.difference {
        Issue.record("\(difference) behind \(String(decoding: item, as: UTF8.self).debugDescription)")
        return
      }
    }
  }

  @Test(arguments: [
    // Erased from an unknown column on.
    ("\u{1b}[10Htext", "\u{1b}[10d\u{1b}[K"), ("\u{1b}[10Htext", "\u{1b}[10d\u{1b}[J"),
    ("\u{1b}[10Htext", "\u{1b}[10d\u{1b}[200X"), ("\u{1b}[10Htext", "\u{1b}[10d\u{1b}[1K"),
    // The text may have continued in the next row.
    ("text that ends near the end.", "\u{1b}[6dabcdef\rx"),
    // Tab stops in unknown columns.
    ("\u{1b}[3g\r    \u{1b}H    \u{1b}H    \u{1b}H", "\u{1b}[2J\u{1b}[Ha\tb"),
    ("\u{1b}[9G\u{1b}[g", "\u{1b}[2J\u{1b}[Ha\tb"), ("\u{1b}[9G\u{1b}[W", "\u{1b}[2J\u{1b}[H\u{1b}[15G\u{1b}[Zb"),
    // The repeated character was not drawn.
    ("z", "\u{1b}[2J\u{1b}[H\u{1b}[5b"),
    // Line feeds above a bottom margin do not bring the cursor to the last row, nor do those with steps up between them.
    ("\u{1b}[1;3r", String(repeating: "\n", count: 20) + "\u{1b}[!p\nx"),
    (String(repeating: "\u{1b}D\u{1b}[A", count: 10) + "\u{1b}D\u{1b}7", "\u{1b}8x"),
    // A character set for one character.
    ("\u{1b}*0\u{1b}N\u{1b}[mqabc", "\u{1b}[2J\u{1b}[Hq"), ("\u{1b}*0\u{1b}Né", "\u{1b}[2J\u{1b}[Hq"),
  ])
  func knownCellsEqualTheTerminals(flood: String, rest: String) {
    var screens = Screens(flood: Array(flood.utf8))
    screens.write(Array(rest.utf8))
    #expect(screens.difference == nil)
    screens.reportCursor()
    #expect(screens.difference == nil)
  }

  /// Where a flood moved the cursor up, the rows below it are those that the flood drew.
  @Test(arguments: [
    ("\u{1b}[9;1Hbelow\u{1b}[5;1H", false), ("\u{1b}Mtext", false), ("text \u{1b}[1mand\u{1b}[m more\r\n", true),
  ])
  func belowTheCursorIsNothingUnlessItWasMovedUp(flood: String, isBlank: Bool) {
    var screen = Screen(rows: 10, columns: 30)
    screen.skim(Array(flood.utf8))
    screen.place(cursorRow: 4, column: 0)
    #expect((5...9).allSatisfy { screen.isBlank(row: $0) } == isBlank)
    screen.write(Array("\u{1b}[J".utf8))
    #expect((5...9).allSatisfy { screen.isBlank(row: $0) })
  }

  /// The same program on two screens, one of which draws all of it.
  private struct Screens: ~Copyable {
    private var drawn = Screen(rows: 10, columns: 30, isKnown: true)
    private var skimmed = Screen(rows: 10, columns: 30)

    init(flood: [UInt8]) {
      drawn.write(flood)
      skimmed.skim(flood)
    }

    mutating func write(_ bytes: [UInt8]) {
      drawn.write(bytes)
      skimmed.write(bytes)
    }

    mutating func reportCursor() {
      // A report does not show a pending wrap.
      if drawn.cursor.isWrapPending { write([0x0d]) }
      skimmed.place(cursorRow: drawn.cursor.row, column: drawn.cursor.column)
    }

    var difference: String? {
      if skimmed.isColumnKnown, skimmed.cursor.column != drawn.cursor.column {
        return "column \(skimmed.cursor.column), not \(drawn.cursor.column)"
      }
      guard skimmed.isRowKnown else { return nil }
      if skimmed.cursor.row != drawn.cursor.row { return "row \(skimmed.cursor.row), not \(drawn.cursor.row)" }
      for row in 0..<drawn.rows where skimmed.isKnown(row: row) {
        for column in 0..<drawn.columns {
          let (cell, expected) = (skimmed.cell(row: row, column: column), drawn.cell(row: row, column: column))
          if cell != expected { return "row \(row) column \(column) is \(cell), not \(expected)" }
        }
      }
      return nil
    }
  }
}
