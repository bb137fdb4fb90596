/// A moment as three clocks tell it, all in milliseconds. Each alone would lie: one can be set, one counts sleep, one starts anew.
package struct HistoryTime: Hashable, Sendable {
  /// Since 1970-01-01 00:00 UTC, as the wall clock had it then.
  package var wall: Int64
  /// Since boot, asleep or awake (`CLOCK_BOOTTIME`).
  package var boot: Int64
  /// Since boot, awake (`CLOCK_MONOTONIC`).
  package var awake: Int64

  package init(wall: Int64, boot: Int64, awake: Int64) {
    self.wall = wall
    self.boot = boot
    self.awake = awake
  }
}
