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
  ///
  /// By arithmetic: `strftime(3)` and its locale took ten microseconds of every change on its way to observers.
  public var rfc3339: String {
    let (days, inDay) = milliseconds.flooredDivision(dividingBy: 86_400_000)
    let (year, month, day) = Self.date(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func append(_ number: Int64, digits: Int, _ separator: Unicode.Scalar) {
      var power: Int64 = digits == 4 ? 1000 : digits == 3 ? 100 : 10
      while power > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(number / power % 10))
        power /= 10
      }
      bytes.append(UInt8(ascii: separator))
    }
    append(year, digits: 4, "-")
    append(month, digits: 2, "-")
    append(day, digits: 2, "T")
    append(inDay / 3_600_000, digits: 2, ":")
    append(inDay / 60_000 % 60, digits: 2, ":")
    append(inDay / 1000 % 60, digits: 2, ".")
    append(inDay % 1000, digits: 3, "Z")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The Gregorian date of a day, counted in eras of 400 years that begin on a 1 March (Hinnant, "chrono-Compatible Low-Level
  /// Date Algorithms", `civil_from_days`).
  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Local time of day for a person: `21:04:05`.
  public var timeOfDay: String {
    var seconds = time_t(milliseconds / 1000)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&seconds, &parts)
    let bytes = unsafe [CChar](unsafeUninitializedCapacity: 64) { buffer, count in
      count = unsafe strftime(buffer.baseAddress!, 64, "%H:%M:%S", &parts)
    }
    return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Int64 {
  /// The quotient rounded down, also below zero, and the remainder that goes with it, never negative.
  fileprivate func flooredDivision(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
