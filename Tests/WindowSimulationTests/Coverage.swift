import OverlineTestSupport

/// What a run has met.
struct Coverage: CoverageCounts, Hashable, Sendable {
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

  static let all: [(any WritableKeyPath<Coverage, Int> & Sendable, String)] = [
    (\.rests, "rests"), (\.banners, "banners"), (\.resizes, "resizes"), (\.stops, "stops"),
    (\.lateAnswers, "late answers"), (\.missingAnswers, "missing answers"), (\.blockedWrites, "blocked writes"),
    (\.dividedLines, "divided lines"),
  ]
}
