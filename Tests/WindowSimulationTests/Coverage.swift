/// What a run has met.
struct Coverage: Hashable, Sendable {
  var rests = 0
  /// Rests at which the banner was where it should be.
  var banners = 0
  var resizes = 0
  var stops = 0
  var lateAnswers = 0
  var missingAnswers = 0
  var blockedWrites = 0
  /// Rests at which a copy of the banner is inside a line.
  var dividedLines = 0

  private static let all: [(any WritableKeyPath<Coverage, Int> & Sendable, String)] = [
    (\.rests, "rests"), (\.banners, "banners"), (\.resizes, "resizes"), (\.stops, "stops"),
    (\.lateAnswers, "late answers"), (\.missingAnswers, "missing answers"), (\.blockedWrites, "blocked writes"),
    (\.dividedLines, "divided lines"),
  ]

  var words: String { Self.all.map { "\(self[keyPath: $0.0]) \($0.1)" }.joined(separator: ", ") }

  func reaches(_ floor: Coverage, times count: Int) -> Bool {
    Self.all.allSatisfy { self[keyPath: $0.0] >= floor[keyPath: $0.0] * count }
  }

  static func + (left: Coverage, right: Coverage) -> Coverage {
    var sum = left
    for (path, _) in all { sum[keyPath: path] += right[keyPath: path] }
    return sum
  }
}
