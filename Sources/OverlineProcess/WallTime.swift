internal import OverlineSystem

/// The wall clock, only for display and logs. No code waits on it.
package struct WallTime: Sendable, Comparable {
  /// Milliseconds since 1970-01-01 00:00 UTC.
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static var now: WallTime { WallTime(milliseconds: BootClock.wallMilliseconds) }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

  /// The time in a text that ``rfc3339`` made; nil for another text.
  package init?(rfc3339 text: String) {
    let numbers = text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }).map { Int32($0) ?? -1 }
    guard numbers.count == 7 else { return nil }
    var parts = unsafe tm()
    unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    self.init(milliseconds: Int64(unsafe timegm(&parts)) * 1000 + Int64(numbers[6]))
    guard rfc3339 == text else { return nil }
  }

  /// RFC 3339 in UTC with milliseconds: `2026-11-20T21:04:05.123Z`.
  ///
  /// Formatted by hand, because `strftime(3)` and its locale delayed every change for observers by ten microseconds.
  package var rfc3339: String {
    // Rounded down, also before 1970.
    let fraction = (milliseconds % 1000 + 1000) % 1000
    var seconds = time_t((milliseconds - fraction) / 1000)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&seconds, &parts)
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func append(_ number: Int32, _ digits: Int, _ end: Character) {
      var digits = digits
      var left = number
      let start = text.count
      while digits > 0 || left > 0 {
        text.insert(UInt8(0x30 + left % 10), at: start)
        left /= 10
        digits -= 1
      }
      text.append(end.asciiValue ?? 0)
    }
    unsafe append(parts.tm_year + 1900, 4, "-")
    unsafe append(parts.tm_mon + 1, 2, "-")
    unsafe append(parts.tm_mday, 2, "T")
    unsafe append(parts.tm_hour, 2, ":")
    unsafe append(parts.tm_min, 2, ":")
    unsafe append(parts.tm_sec, 2, ".")
    append(Int32(fraction), 3, "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// Local time of day for display: `21:04:05`.
  package var timeOfDay: String {
    let time = LocalTime(self)
    return [time.hour, time.minute, time.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
