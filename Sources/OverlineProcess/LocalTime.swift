internal import OverlineSystem

/// A wall clock's time in this machine's time zone (`localtime(3)`).
package struct LocalTime: Equatable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  /// 1 is Monday, 7 is Sunday (ISO 8601).
  public private(set) var weekday = 1

  package init(_ time: WallTime) {
    // Rounded down, also before 1970.
    var seconds = time_t((Double(time.milliseconds) / 1000).rounded(.down))
    var parts = unsafe tm()
    // localtime_r(3) itself never rereads this machine's time zone. A monitor runs for weeks, and the user may travel meanwhile.
    tzset()
    _ = unsafe localtime_r(&seconds, &parts)
    year = unsafe Int(parts.tm_year) + 1900
    month = unsafe Int(parts.tm_mon) + 1
    day = unsafe Int(parts.tm_mday)
    hour = unsafe Int(parts.tm_hour)
    minute = unsafe Int(parts.tm_min)
    second = unsafe Int(parts.tm_sec)
    weekday = unsafe (Int(parts.tm_wday) + 6) % 7 + 1
  }

  /// The abbreviation of this machine's time zone now: `CET`.
  package static var zone: String? {
    var seconds = time(nil)
    var parts = unsafe tm()
    tzset()
    _ = unsafe localtime_r(&seconds, &parts)
    return unsafe parts.tm_zone.map { unsafe String(cString: $0) }
  }

  /// Accepts a time that does not exist: 31 April means 1 May, and a skipped hour of a clock change means the next hour.
  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The moment (`mktime(3)`); nil for years outside 1 to 9999.
  package var wallTime: WallTime? {
    guard (1...9999).contains(year) else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(year - 1900)
    unsafe parts.tm_mon = Int32(clamping: month - 1)
    unsafe parts.tm_mday = Int32(clamping: day)
    unsafe parts.tm_hour = Int32(clamping: hour)
    unsafe parts.tm_min = Int32(clamping: minute)
    unsafe parts.tm_sec = Int32(clamping: second)
    // -1 lets mktime(3) determine from the time zone whether daylight saving time applies.
    unsafe parts.tm_isdst = -1
    return unsafe WallTime(milliseconds: Int64(mktime(&parts)) * 1000)
  }
}
