/// How certain the cursor's place is, and since when.
struct Knowledge {
  /// Whether the cursor's row is certain; else it is taken to be the last, and moves with what follows.
  var isRowKnown: Bool
  var isColumnKnown: Bool
  /// True if the rows below the lowest one that the cursor has reached in this gap are blank. True in a shell; false if a program may have
  /// moved the cursor up while the screen was not followed.
  var isBlankBelow = true
  /// Cells were changed while the row was uncertain: they may belong elsewhere.
  var isMisplaced = false
  /// Line feeds since the row was certain last; as many as there are rows bring any cursor to the last one.
  var lineFeeds = 0
  /// The number of this gap, a time in which the cursor's row is uncertain, or of the last one. The places of rows that are drawn in one
  /// gap are known relative to each other.
  private(set) var gap = 0
  private var gapCount = 0
  /// The other screen's rows were drawn in this gap; nil where their places were certain.
  private(set) var otherGap: Int?

  init(isKnown: Bool) { (isRowKnown, isColumnKnown) = (isKnown, isKnown) }

  var isCursorKnown: Bool { isRowKnown && isColumnKnown }

  /// The gap in which what is drawn now has its place; nil where that is certain.
  var currentGap: Int? { isRowKnown ? nil : gap }

  mutating func rowBecameKnown() { (isRowKnown, isMisplaced) = (true, false) }

  mutating func rowBecameUncertain() {
    isRowKnown = false
    lineFeeds = 0
    beginGap()
  }

  mutating func beginGap() {
    gapCount += 1
    gap = gapCount
  }

  /// The cursor is where it was in another gap, and so are the rows.
  mutating func returnToGap(_ old: Int) { (isRowKnown, isMisplaced, lineFeeds, gap) = (false, true, 0, old) }

  /// The other screen shows.
  mutating func switchScreen() { otherGap = currentGap }
}
