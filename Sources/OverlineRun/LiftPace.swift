/// Spaces the moments at which scrolling output lifts the banner.
///
/// A terminal may change its size before it handles the bytes that lift the banner: they address rows of the old size, and lines are lost or
/// doubled. Some terminals read their input only once per frame. With fewer lifts, few of them can meet a change of size.
struct LiftPace {
  private static let interval = Duration.milliseconds(50)

  /// The earliest time of the next lift.
  private var earliest = Duration.zero
  /// Output that waits for the next lift.
  private(set) var held: [UInt8] = []
  /// True after the terminal did not report its cursor. The window then no longer asks before a lift.
  var isTerminalSilent = false

  /// True after the terminal's cursor was in another row than expected, until the next answer.
  var hasRepaired = false

  /// The time at which held output may lift the banner; nil when none is held.
  var deadline: Duration? { held.isEmpty ? nil : earliest }

  /// Call this when the banner is back on the screen.
  ///
  /// - Parameter isFlood: true if the batch ended at its deadline and not at a pause of the output. Then the next lift does not wait, since
  ///   waiting would slow the flood down.
  mutating func begin(isFlood: Bool, at now: Duration) { earliest = isFlood ? now : now + Self.interval }

  mutating func hold(_ bytes: [UInt8]) { held += bytes }

  mutating func release() -> [UInt8] {
    defer { held = [] }
    return held
  }
}
