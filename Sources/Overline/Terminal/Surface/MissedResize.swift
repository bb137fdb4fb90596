/// A change of the terminal's size while the primary screen was not visible.
struct MissedResize {
  /// True while the copy of the primary screen still has its old size.
  private(set) var isSizeOld = false
  /// True when the primary screen is visible again, and the terminal has moved its content by an unknown distance.
  private(set) var isMoved = false
  /// In rows; nil until the terminal has reported its cursor.
  var distance: Int?
  /// Whether the width changed, and whether the terminal may have rewrapped text.
  private var changesWidth = false
  private var mayRewrap = false

  mutating func note(isAlternate: Bool, changesWidth: Bool, mayRewrap: Bool) {
    if isAlternate { isSizeOld = true }
    guard isAlternate || isMoved else { return }
    distance = nil
    self.changesWidth = self.changesWidth || changesWidth
    self.mayRewrap = self.mayRewrap || mayRewrap
  }

  mutating func showAlternate() {
    isSizeOld = isSizeOld || isMoved
    (isMoved, distance) = (false, nil)
  }

  /// - Parameter hasBanner: true if the terminal has moved a banner with the rows. The window must find that banner again.
  mutating func showPrimary(hasBanner: Bool) {
    isSizeOld = false
    if hasBanner { isMoved = true } else { (changesWidth, mayRewrap) = (false, false) }
  }

  /// A reset has erased the rows that the terminal had moved.
  mutating func erase() { isSizeOld = false }

  /// Ends the wait for the distance.
  ///
  /// - Parameter grows: true if the terminal is higher than the primary screen was. If not, rows that are lower now were only rewrapped: the
  ///   cursor is lower, and the banner is where it was.
  /// - Returns: the number of rows by which the banner and the cursor have moved, and by which the cursor alone has; nil if the terminal has
  ///   moved nothing.
  mutating func follow(grows: Bool) -> (distance: Int, cursorDistance: Int, mayRewrap: Bool)? {
    guard isMoved else { return nil }
    let reported = distance ?? 0
    let isRewrapped = changesWidth && reported > 0 && !grows
    defer { self = MissedResize(isSizeOld: isSizeOld) }
    return (isRewrapped ? 0 : reported, isRewrapped ? reported : 0, mayRewrap)
  }
}
