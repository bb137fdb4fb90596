/// How certain the cursor's place is, and since when.
struct Knowledge {
  /// Whether the cursor's row is certain; else it is taken to be the last, and moves with what follows.
  var isRowKnown: Bool
  var isColumnKnown: Bool
  /// Below the lowest row that the cursor was in since it is uncertain, nothing is on the screen: so it is in a shell, unless a program
  /// has moved the cursor up while nothing was drawn.
  var isBlankBelow = true
  /// Cells were changed while the row was uncertain: they may belong elsewhere.
  var isMisplaced = false
  /// Line feeds since the row was certain last; as many as there are rows bring any cursor to the last one.
  var lineFeeds = 0
  /// The time of uncertainty that this is, or the last one was: rows that are drawn in one have their places among each other.
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
