/// The clock of every deadline here: `CLOCK_BOOTTIME`. It includes suspend, so a delay that ends during sleep is over on resume.
package enum BootClock {
  /// Time since boot.
  package static var now: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Milliseconds since 1970-01-01 00:00 UTC (`CLOCK_REALTIME`). No deadline uses this clock, which users set.
  package static var wallMilliseconds: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Time since boot without suspend (`CLOCK_MONOTONIC`): the time that a user has waited. No deadline uses it.
  package static var awake: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
