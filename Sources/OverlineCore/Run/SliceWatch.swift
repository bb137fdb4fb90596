/// How the kernel shall schedule the window's thread. A key's echo passes this thread twice, so it runs soon after each wake-up, for short
/// slices. In a flood of output the changes of threads cost more than they give: it takes the usual slices until the next key.
struct SliceWatch {
  /// So many bytes since the last key are a flood. A full screen of colours is less.
  private static let flood = 1 << 20

  private(set) var isShort = false
  private var printed = 0

  /// - Returns: true if the slices change.
  mutating func noteInput() -> Bool {
    printed = 0
    defer { isShort = true }
    return !isShort
  }

  /// - Returns: true if the slices change.
  mutating func noteOutput(_ count: Int) -> Bool {
    if !isShort { return false }
    printed += count
    if printed < Self.flood { return false }
    isShort = false
    return true
  }
}
