extension String {
  /// This text made safe for one line of a terminal, a bar or a log, whoever chose it: line breaks and tabs become spaces; other
  /// control characters (C0, DEL, C1) and the invisible ones that reorder or hide text around them (Unicode's bidirectional
  /// controls, "Trojan Source") go.
  public var withoutControlCharacters: String {
    guard unicodeScalars.contains(where: \.isUnsafeInALine) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r", "\u{2028}", "\u{2029}": result.append(" ")
      case _ where scalar.isUnsafeInALine: break
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// One word of a POSIX shell that expands to exactly this text: everything is literal between single quotes except the single
  /// quote itself (POSIX.1-2024, Shell Command Language, 2.2.2).
  public var shellQuoted: String {
    var result = "'"
    for character in unicodeScalars {
      if character == "'" { result += "'\\''" } else { result.unicodeScalars.append(character) }
    }
    return result + "'"
  }
}

extension Unicode.Scalar {
  /// A control, a line separator, or a bidirectional control.
  public var isUnsafeInALine: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069, 0x200e, 0x200f, 0x61c: true
    default: false
    }
  }
}

/// The candidate that was probably meant: at most a third of its letters differ (but one always may). Nil when nothing is near.
public func nearest(_ text: String, among candidates: [String]) -> String? {
  let distances = candidates.map { (candidate: $0, distance: editDistance(text.lowercased(), $0)) }
  guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, best.candidate.count / 3) ? best.candidate : nil
}

/// Levenshtein's distance with a swap of neighbours counted as one (optimal string alignment). Bounded: only the first 64
/// characters count.
func editDistance(_ left: String, _ right: String) -> Int {
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
