/// Tries to remove parts of a list from a test case that fails: first halves, then smaller and smaller parts.
///
/// - Parameters:
///   - count: the number of elements.
///   - remove: removes the elements in this range if the rest still fails; returns whether it has.
/// - Returns: whether anything was removed.
package func removeParts(of count: Int, remove: (Range<Int>) -> Bool) -> Bool {
  var left = count
  var length = max(1, left / 2)
  while length >= 1 {
    var index = 0
    while index < left {
      let range = index..<min(index + length, left)
      if remove(range) { left -= range.count } else { index += length }
    }
    length /= 2
  }
  return left < count
}
