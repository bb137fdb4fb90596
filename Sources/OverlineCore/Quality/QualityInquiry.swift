package import NetworkPath

/// Decides for `overline quality` when it has looked often enough for an answer. A value without a clock.
///
/// Two looks tell the round trip. Losses need more: while data is lost and too little has been sent to say how much, it looks on.
package struct QualityInquiry: Sendable {
  package private(set) var meter = QualityMeter()
  package private(set) var programs = ProgramQualities()
  private var began: Duration?
  private var looks = 0

  /// The pause between looks. In it most programs that are used send something.
  package static let pause = Duration.seconds(3)
  /// The longest time for an answer: the meter counts losses for as long.
  package static let longest = Duration.seconds(30)

  package init() {}

  /// - Parameters:
  ///   - look: nil while offline.
  ///   - names: the user's programs by the inodes of their sockets.
  /// - Returns: the pause before the next look; nil when the answer is there.
  package mutating func take(_ look: QualityLook, names: [UInt32: String], at now: Duration) -> Duration? {
    let start = began ?? now
    began = start
    looks += 1
    meter.take(look, at: now)
    programs.take(look, names: names, at: now)
    guard looks > 1 else { return Self.pause }
    return isDoubtful && now - start + Self.pause <= Self.longest ? Self.pause : nil
  }

  /// Whether further looks may change the answer.
  private var isDoubtful: Bool {
    if answer.isUnanswered { return false }
    if meter.reading.level != meter.agreed.level { return true }
    // Losses cannot make a poor connection worse.
    return meter.agreed.level != .minimal && programs.haveLost && meter.reading.sentAgain == nil
  }

  package var answer: QualityAnswer { QualityAnswer(meter.agreed, programs) }
}
