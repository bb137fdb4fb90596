internal import Glibc

/// The clock of every deadline here: `CLOCK_BOOTTIME`, which counts suspend, so that a delay that ended during sleep ends on
/// resume.
public enum BootClock {
  /// Time since boot.
  public static var now: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// The wall clock, for people and logs only; nothing waits on it.
public struct WallTime: Hashable, Sendable, Comparable {
  /// Milliseconds since 1970-01-01 00:00 UTC.
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static var now: WallTime {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  public static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

  /// RFC 3339 in UTC with milliseconds: `2026-11-20T21:04:05.123Z`.
  public var rfc3339: String { formatted("%Y-%m-%dT%H:%M:%S", utc: true) + "." + fraction + "Z" }

  /// Local time of day for a person: `21:04:05`.
  public var timeOfDay: String { formatted("%H:%M:%S", utc: false) }

  private var fraction: String {
    let digits = String(milliseconds % 1000)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  private func formatted(_ format: String, utc: Bool) -> String {
    var seconds = time_t(milliseconds / 1000)
    var parts = unsafe tm()
    if utc { _ = unsafe gmtime_r(&seconds, &parts) } else { _ = unsafe localtime_r(&seconds, &parts) }
    let bytes = unsafe [CChar](unsafeUninitializedCapacity: 64) { buffer, count in
      count = unsafe strftime(buffer.baseAddress!, 64, format, &parts)
    }
    return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
