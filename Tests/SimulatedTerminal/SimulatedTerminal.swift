/// A terminal as a value: bytes in, rows and answers out. Its family says what it does where terminals differ.
package struct SimulatedTerminal: Sendable {
  package let family: TerminalFamily
  package private(set) var rows: Int
  package private(set) var columns: Int
  package internal(set) var modes = TerminalModes()
  package internal(set) var title = ""
  package internal(set) var isAlternate = false
  package internal(set) var bells = 0

  /// The active screen, and the other one.
  var screen: Screen
  var otherScreen: Screen
  var position = Cursor()
  var saved = Cursor()
  /// The saved cursor of the screen that is not active, and the cursor that 1049 left there.
  var otherSaved = Cursor()
  var top = 0
  var bottom: Int
  var tabStops: [Bool]
  var link: UInt16 = 0
  var links: [String: UInt16] = [:]
  var lastPrinted = ""
  /// The cell that a combining character joins.
  var lastCell: (row: Int, column: Int)?
  /// The last character was U+200D, and the family joins what follows.
  var joinsNext = false
  /// kitty: the shell draws its prompt again (`redraw=0` ends that).
  var redrawsPrompt = true
  var answers: [UInt8] = []
  var parser = Parser()

  package init(rows: Int, columns: Int, family: TerminalFamily, historyLimit: Int = 5000) {
    self.rows = rows
    self.columns = columns
    self.family = family
    bottom = rows - 1
    screen = Screen(rows: rows, historyLimit: family.resizing.hasHistory ? historyLimit : 0)
    otherScreen = Screen(rows: rows, historyLimit: 0)
    tabStops = Self.tabStops(columns)
  }

  package mutating func write(_ text: String) { write(text.utf8) }

  /// Handles all bytes. An unfinished sequence or character waits for the next write.
  package mutating func write(_ bytes: some Sequence<UInt8>) {
    let block = Array(bytes)
    var index = 0
    while index < block.count {
      if parser.isGround {
        index = printASCII(block, from: index)
        if index == block.count { break }
      }
      handle(block[index])
      index += 1
    }
    screen.touch(position.row)
  }

  package mutating func resize(rows newRows: Int, columns newColumns: Int) {
    guard newRows != rows || newColumns != columns else { return }
    var first = ResizeJob(self, rows: newRows, columns: newColumns)
    (isAlternate ? family.alternateResizing : family.resizing).apply(&first)
    var second = ResizeJob(self, rows: newRows, columns: newColumns, isOther: true)
    (isAlternate ? family.resizing : family.alternateResizing).apply(&second)
    rows = newRows
    columns = newColumns
    screen = first.result(of: screen)
    otherScreen = second.result(of: otherScreen)
    position.row = min(max(first.row, 0), rows - 1)
    position.column = min(max(first.column, 0), columns - 1)
    position.isWrapPending = first.isPending
    saved.row = min(max(first.savedRow, 0), rows - 1)
    saved.column = min(saved.column, columns - 1)
    otherSaved.row = min(max(second.row, 0), rows - 1)
    otherSaved.column = min(max(second.column, 0), columns - 1)
    if second.row == otherSaved.row { otherSaved.isWrapPending = second.isPending }
    top = 0
    bottom = rows - 1
    position.isOrigin = false
    tabStops = Self.tabStops(columns)
    lastCell = nil
  }

  /// The answers that the terminal has given since the last call, in their order.
  package mutating func takeAnswers() -> [UInt8] {
    defer { answers = [] }
    return answers
  }

  static func tabStops(_ columns: Int) -> [Bool] { (0..<columns).map { $0.isMultiple(of: 8) } }
}
