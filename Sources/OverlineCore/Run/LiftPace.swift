/// Limits how often scrolling output lifts the banner, and how long the banner stays away.
///
/// If the terminal changes its size before it handles the bytes that print rows again, lines are lost or doubled. The fewer such bytes there
/// are, the rarer that is. Some terminals read their input only once per frame.
struct LiftPace {
  private static let interval = Duration.milliseconds(50)
  private static let shortestBatch = Duration.milliseconds(50)
  /// With the longest wait for an answer after it, the banner is away for at most two seconds.
  private static let longestBatch = Duration.milliseconds(380)

  /// The earliest time of the next lift.
  private var earliest = Duration.zero
  /// Output that waits for the next lift.
  private(set) var held: [UInt8] = []
  /// The end of the first sequence in ``held`` after which the terminal must report its cursor.
  private var pauseOffset: Int?
  /// The time at which held output may lift the banner; nil when none is held.
  var deadline: Duration? { held.isEmpty ? nil : earliest }

  /// How long the terminal took for its last answer, and to accept the last overlays that were put back.
  private var answerTime = Duration.zero
  private var repaintTime = Duration.zero

  /// While a batch of output continues, the overlays return after this time. Each return makes the output wait for the terminal: a slow one
  /// gets longer batches, so that no more than a fifth of a flood's time is lost.
  var batchTime: Duration { min(max((answerTime + repaintTime) * 4, Self.shortestBatch), Self.longestBatch) }

  mutating func noteAnswer(after time: Duration) { answerTime = time }
  mutating func noteRepaint(after time: Duration) { repaintTime = time }

  /// Call this when the banner is back on the screen.
  ///
  /// - Parameter isFlood: true if the batch ended at its deadline and not at a pause of the output. Then the next lift does not wait, since
  ///   waiting would slow the flood down.
  mutating func begin(isFlood: Bool, at now: Duration) { earliest = isFlood ? now : now + Self.interval }

  /// Holds output. The window reads no more before this is released.
  mutating func hold(_ bytes: [UInt8], pauseOffset offset: Int?) { (held, pauseOffset) = (bytes, offset) }

  /// Returns all held output.
  mutating func release() -> [UInt8] {
    defer { (held, pauseOffset) = ([], nil) }
    return held
  }

  /// Returns the held output up to the first sequence after which the terminal must report its cursor, and the rest; nil without one.
  mutating func releaseUpToPause() -> (bytes: [UInt8], rest: [UInt8]?) {
    let offset = pauseOffset
    let bytes = release()
    return offset.map { (Array(bytes[..<$0]), Array(bytes[$0...])) } ?? (bytes, nil)
  }
}
