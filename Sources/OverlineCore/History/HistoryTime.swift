/// A moment on three clocks, in milliseconds. The wall clock can be set; the other two restart at boot, and only one of them counts sleep.
package struct HistoryTime: Equatable, Sendable {
  /// The time since 1970-01-01 00:00 UTC, on the wall clock at that moment.
  package var wall: Int64
  /// The time since boot, including sleep (`CLOCK_BOOTTIME`).
  package var boot: Int64
  /// The time since boot, without sleep (`CLOCK_MONOTONIC`).
  package var awake: Int64

  package init(wall: Int64, boot: Int64, awake: Int64) {
    self.wall = wall
    self.boot = boot
    self.awake = awake
  }
}
