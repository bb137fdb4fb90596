/// The terminal changed its size while the primary screen did not show.
struct MissedResize {
  /// The primary screen still has its old size here.
  private(set) var isSizeOld = false
  /// The primary screen shows again, and the terminal has moved everything on it by an unknown distance.
  private(set) var isMoved = false
  /// In rows; 0 until the terminal has reported its cursor.
  var distance = 0
  /// The terminal may have wrapped text anew, to more columns and to fewer.
  private var isWider = false
  private var isNarrower = false

  mutating func note(isAlternate: Bool, isWider: Bool, isNarrower: Bool) {
    if isAlternate { isSizeOld = true }
    guard isAlternate || isMoved else { return }
    self.isWider = self.isWider || isWider
    self.isNarrower = self.isNarrower || isNarrower
  }

  mutating func showAlternate() {
    isSizeOld = isSizeOld || isMoved
    isMoved = false
  }

  /// - Parameter hasBanner: true where the terminal has moved a banner with the rows, which must be found again.
  mutating func showPrimary(hasBanner: Bool) {
    isSizeOld = false
    if hasBanner { (isMoved, distance) = (true, 0) } else { (isWider, isNarrower) = (false, false) }
  }

  /// A reset erased what the terminal had moved.
  mutating func erase() { isSizeOld = false }

  /// Ends the wait for the distance.
  ///
  /// - Parameter grows: the terminal is higher than the primary screen was. If not, what is lower was only wrapped anew.
  /// - Returns: nil where the terminal has moved nothing.
  mutating func follow(grows: Bool) -> (distance: Int, isNarrower: Bool)? {
    guard isMoved else { return nil }
    defer { (isMoved, isWider, isNarrower) = (false, false, false) }
    return (isWider && distance > 0 && !grows ? 0 : distance, isNarrower)
  }
}
