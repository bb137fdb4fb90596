/// The boxes over the program's screen, and how much passes while they are not there.
struct Overlays {
  /// Bytes of a batch that are drawn before the rest of it is taken for a flood.
  private static let mostDrawn = 64 * 1024

  /// Boxes that are to stand over the program's screen, the backmost first.
  var wanted: [Overlay] = []
  /// Those that do now. What the program writes passes without them.
  private(set) var covering: [Overlay] = []
  /// What passed since the boxes were taken away, in bytes.
  private var uncoveredBytes = 0
  /// So much passes, below boxes that are away, that it is noted and not drawn.
  private(set) var isFlooding = false

  var isEmpty: Bool { wanted.isEmpty && covering.isEmpty }
  /// Boxes are to stand over the screen, and none does.
  var isAway: Bool { !wanted.isEmpty && covering.isEmpty }

  mutating func cover() {
    covering = wanted
    uncoveredBytes = 0
  }

  mutating func uncover() { covering = [] }

  /// Notes what passes.
  ///
  /// - Parameter mayBegin: false where a flood must not begin.
  /// - Returns: whether it may pass as it is. A flood of text is bound by how fast it passes, and most of what it draws is never seen.
  mutating func isFlooded(by count: Int, mayBegin: Bool) -> Bool {
    uncoveredBytes += count
    if mayBegin, isAway, uncoveredBytes > Self.mostDrawn { isFlooding = true }
    return isFlooding
  }

  mutating func endFlood() { isFlooding = false }
}
