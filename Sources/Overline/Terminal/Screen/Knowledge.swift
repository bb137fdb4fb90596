/// The certainty of the cursor's place.
struct Knowledge {
  /// Whether the cursor's row is certain. Otherwise it is assumed to be the last row, and moves with later output.
  var isRowKnown: Bool
  var isColumnKnown: Bool
  /// True if the rows below the lowest one that the cursor has reached in this gap are blank. True in a shell; false if a program may have
  /// moved the cursor up while the screen was not followed.
  var isBlankBelow = true
  /// True if cells were changed while the row was uncertain: they may belong elsewhere.
  var isMisplaced = false
  /// The number of rows that are certainly above the cursor: line feeds and motions led down from there. As many as there are rows bring
  /// any cursor to the last row.
  private(set) var rowsAbove = 0
  /// The number of rows that are certainly below the cursor: motions led up from there.
  private var rowsBelow = 0
  /// The number of the current or last gap. A gap is a time in which the cursor's row is uncertain. Rows drawn in the same gap have known
  /// places relative to each other.
  private(set) var gap = 0
  private var gapCount = 0
  /// The gap in which the other screen's rows were drawn; nil if their places are certain.
  private(set) var otherGap: Int?

  init(isKnown: Bool) { (isRowKnown, isColumnKnown) = (isKnown, isKnown) }

  var isCursorKnown: Bool { isRowKnown && isColumnKnown }

  /// The gap of rows that are drawn now; nil if their places are certain.
  var currentGap: Int? { isRowKnown ? nil : gap }

  mutating func rowBecameKnown() { (isRowKnown, isMisplaced) = (true, false) }

  mutating func rowBecameUncertain() {
    isRowKnown = false
    (rowsAbove, rowsBelow) = (0, 0)
    beginGap()
  }

  mutating func beginGap() {
    gapCount += 1
    gap = gapCount
  }

  mutating func forgetNeighbours() { (rowsAbove, rowsBelow) = (0, 0) }

  mutating func noteLineFeed() { (rowsAbove, rowsBelow) = (rowsAbove + 1, 0) }

  /// Returns whether the terminal has certainly as many rows above the cursor.
  mutating func moveUp(_ count: Int) -> Bool {
    let isCertain = count <= rowsAbove
    (rowsAbove, rowsBelow) = isCertain ? (rowsAbove - count, rowsBelow + count) : (0, 0)
    return isCertain
  }

  /// Returns whether the terminal has certainly as many rows below the cursor.
  mutating func moveDown(_ count: Int) -> Bool {
    guard count <= rowsBelow else { return false }
    (rowsAbove, rowsBelow) = (rowsAbove + count, rowsBelow - count)
    return true
  }

  /// Cursor and rows are at their places of an earlier gap again.
  mutating func returnToGap(_ old: Int) {
    (isRowKnown, isMisplaced, gap, rowsAbove, rowsBelow) = (false, true, old, 0, 0)
  }

  /// The other screen becomes visible.
  mutating func switchScreen() { otherGap = currentGap }
}
