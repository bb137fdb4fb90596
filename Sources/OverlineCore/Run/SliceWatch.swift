/// Chooses the scheduler's slices for the window's thread: short ones after a key, since the echo passes this thread twice, and the usual ones
/// in a flood, where short slices cost a tenth of the throughput in changes of threads.
struct SliceWatch {
  /// So much output since the last key is a flood. A full screen of colours is less.
  private static let flood = 1 << 20

  private var isShort = false
  private var printed = 0

  /// - Returns: true if the slices become short.
  mutating func noteInput() -> Bool {
    printed = 0
    defer { isShort = true }
    return !isShort
  }

  /// - Returns: true if the slices become the usual ones.
  mutating func noteOutput(_ count: Int) -> Bool {
    if !isShort { return false }
    printed += count
    if printed < Self.flood { return false }
    isShort = false
    return true
  }
}
