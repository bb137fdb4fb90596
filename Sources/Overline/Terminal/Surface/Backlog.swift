/// The output of a program without a banner, kept until there is time to draw it.
///
/// Bounded: a flood pushes out its older half. Of that half only modes are kept, not cells.
struct Backlog {
  /// The size of a half in bytes. Many screens of text, which are drawn in a few milliseconds. A half is pushed out as a whole: between two
  /// system calls the skimming code would leave the processor's caches.
  private static let capacity = 256 << 10
  /// A buffer of this size stays while nothing waits. The output of an editor that echoes keys then allocates nothing.
  private static let smallCapacity = 16 << 10

  private var older: [UInt8] = []
  private var newer: [UInt8] = []

  var count: Int { older.count + newer.count }

  /// - Parameter skim: called with each half that is pushed out, oldest first.
  mutating func append(_ bytes: [UInt8], skim: ([UInt8]) -> Void) {
    if bytes.isEmpty { return }
    if newer.count + bytes.count > Self.capacity, !newer.isEmpty {
      if !older.isEmpty { skim(older) }
      older.removeAll(keepingCapacity: true)
      swap(&older, &newer)
    }
    if newer.count + bytes.count > newer.capacity {
      newer.reserveCapacity(newer.isEmpty && bytes.count <= Self.smallCapacity ? Self.smallCapacity : Self.capacity)
    }
    newer += bytes
  }

  /// Takes the bytes out, oldest first.
  mutating func drain(_ draw: ([UInt8]) -> Void) {
    if newer.isEmpty { return }
    if !older.isEmpty { draw(older) }
    draw(newer)
    older = []
    if newer.capacity > 2 * Self.smallCapacity { newer = [] } else { newer.removeAll(keepingCapacity: true) }
  }
}
