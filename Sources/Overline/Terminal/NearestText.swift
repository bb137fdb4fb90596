extension TerminalText {
  /// The end of an error message about an unknown word: `; did you mean "online"?`, or nothing when no candidate is near.
  package static func suggestion(for text: String, among candidates: [String]) -> String {
    nearest(text, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// The candidate that was probably meant. At most a third of its letters differ, but one always may. Nil when no candidate is near.
  static func nearest(_ text: String, among candidates: [String]) -> String? {
    let distances = candidates.map { (candidate: $0, distance: editDistance(text.lowercased(), $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.candidate.count / 3) ? best.candidate : nil
  }

  /// Levenshtein's distance with a swap of neighbours counted as one (optimal string alignment). Bounded: only the first 64
  /// characters count.
  private static func editDistance(_ left: String, _ right: String) -> Int {
    let left = Array(left.prefix(64))
    let right = Array(right.prefix(64))
    var rows = [Array(0...right.count)]
    for i in 0..<left.count {
      var row = [i + 1]
      for j in 0..<right.count {
        var cost = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
