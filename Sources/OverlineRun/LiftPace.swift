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
  /// True when the terminal did not report its cursor: it is not asked again before a lift.
  var isTerminalSilent = false

  /// True after the terminal's cursor was in another row than expected, until the next answer.
  var hasRepaired = false

  /// The time at which held output may lift the banner; nil when none is held.
  var deadline: Duration? { held.isEmpty ? nil : earliest }

  /// Notes that the banner is back.
  ///
  /// - Parameter isFlood: the output has not paused. More time between lifts would slow it down, and has passed already.
  mutating func begin(isFlood: Bool, at now: Duration) { earliest = isFlood ? now : now + Self.interval }

  mutating func hold(_ bytes: [UInt8]) { held += bytes }

  mutating func release() -> [UInt8] {
    defer { held = [] }
    return held
  }
}
