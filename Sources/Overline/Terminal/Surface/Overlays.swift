/// The boxes over the program's screen, and the amount of output since they were removed.
struct Overlays {
  /// The maximum number of bytes of a batch that are drawn; the rest of the batch counts as a flood.
  private static let maximumDrawnBytes = 64 * 1024

  /// The boxes that should cover the program's screen, the backmost first.
  var wanted: [Overlay] = []
  /// The boxes on the screen now. None is there while the program's output passes.
  private(set) var covering: [Overlay] = []
  /// The output since the boxes were last painted, in bytes.
  private var uncoveredBytes = 0
  /// True when so much output passes without the boxes that it is noted and not drawn.
  private(set) var isFlooding = false

  var isEmpty: Bool { wanted.isEmpty && covering.isEmpty }
  /// True when boxes should cover the screen and none does.
  var isAway: Bool { !wanted.isEmpty && covering.isEmpty }

  mutating func cover() {
    covering = wanted
    uncoveredBytes = 0
  }

  mutating func uncover() { covering = [] }

  /// Counts passing bytes.
  ///
  /// - Parameter mayBegin: false where a flood must not begin.
  /// - Returns: whether the bytes may pass unchanged. The speed of a flood of text depends on how fast it passes, and most of its text is
  ///   never seen.
  mutating func isFlooded(by count: Int, mayBegin: Bool) -> Bool {
    uncoveredBytes += count
    if mayBegin, isAway, uncoveredBytes > Self.maximumDrawnBytes { isFlooding = true }
    return isFlooding
  }

  mutating func endFlood() { isFlooding = false }
}
