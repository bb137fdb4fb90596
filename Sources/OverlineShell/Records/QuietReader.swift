package import Overline
package import OverlineCore
internal import OverlineProcess
package import OverlineSystem

/// Reads and writes the file of a user's pause, with this machine's clock and time zone.
package struct QuietReader: Sendable {
  private let folder: String
  /// The file to watch.
  package var file: String { "\(folder)/\(QuietFile.name)" }

  package init(_ directory: RuntimeDirectory) { folder = directory.path }

  /// The current time of quiet, or the next one, for the monitor.
  ///
  /// - Parameter hours: the configured ones; nil for none.
  package func period(hours: QuietHours?) -> QuietPeriod? {
    let now = WallTime.now.milliseconds
    return period(hours: hours.map { Self.days($0, at: now) } ?? [], at: now)
  }

  /// The current time of quiet, for a window: it knows the hours from the monitor.
  package func period() -> QuietPeriod? { period(hours: nil, at: WallTime.now.milliseconds) }

  private func period(hours: [Range<Int64>]?, at now: Int64) -> QuietPeriod? {
    let boot = BootClock.now
    guard let period = QuietPlan.period(QuietFile.read(in: folder), hours: hours, at: now) else { return nil }
    return QuietPeriod(
      start: boot + .milliseconds(period.lowerBound - now), end: boot + .milliseconds(period.upperBound - now),
      time: WallTime(milliseconds: period.upperBound).rfc3339, words: Self.words(period.upperBound, at: now))
  }

  /// The hours of yesterday, today and tomorrow.
  private static func days(_ hours: QuietHours, at now: Int64) -> [Range<Int64>] {
    let today = LocalTime(WallTime(milliseconds: now))
    func moment(_ day: Int, _ minutes: Int) -> Int64? {
      LocalTime(year: today.year, month: today.month, day: today.day + day, hour: minutes / 60, minute: minutes % 60)
        .wallTime?.milliseconds
    }
    return (-1...1).compactMap { day in
      guard let start = moment(day, hours.start), let end = moment(day + (hours.end < hours.start ? 1 : 0), hours.end),
        start < end
      else { return nil }
      return start..<end
    }
  }

  /// `18:00`, with the date if that is another day.
  package static func words(_ time: Int64, at now: Int64) -> String {
    let (end, today) = (LocalTime(WallTime(milliseconds: time)), LocalTime(WallTime(milliseconds: now)))
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let clock = "\(two(end.hour)):\(two(end.minute))"
    let isToday = (end.year, end.month, end.day) == (today.year, today.month, today.day)
    return isToday ? clock : "\(end.year)-\(two(end.month))-\(two(end.day)) \(clock)"
  }

  /// Whether the user has made a pause that has not ended.
  package var isPaused: Bool {
    if case .pause(let until, _) = QuietFile.read(in: folder) { until > WallTime.now.milliseconds } else { false }
  }

  /// Begins a pause. Hours that the user has ended early stay ended.
  package func pause(until: Int64) throws(SystemError) { try write(.pause(until: until, resumed: resumed)) }

  private var resumed: Int64 { QuietFile.read(in: folder)?.resumed ?? 0 }

  /// Other windows and programs read the file at once, or when they show something.
  private func write(_ note: QuietNote) throws(SystemError) {
    try Files.replace(file, with: Array(note.text.utf8))
  }

  /// Ends a pause. The file stays: a watch of a missing file is a watch of its folder, in which each state of the monitor is a change.
  ///
  /// - Parameter until: the end of the configured hours that the user has ended too; nil for those that were ended already.
  package func resume(until: Int64? = nil) throws(SystemError) { try write(.resumed(until: until ?? resumed)) }

  /// Makes the file, so that it can be watched.
  package func prepare() throws(SystemError) { if !Files.exists(file) { try resume() } }

  /// Removes the file, unless it says something that counts for a later monitor.
  package func tidy() {
    let now = WallTime.now.milliseconds
    switch QuietFile.read(in: folder) {
    case .pause(let until, let resumed) where max(until, resumed) > now: break
    case .resumed(let until) where until > now: break
    case .pause, .resumed, .hours, nil: try? Files.remove(file)
    }
  }

  /// Writes the hours that have begun, so that windows and other programs are quiet too. A pause that ends in them becomes as long.
  package func keep(_ period: QuietPeriod) throws(SystemError) {
    guard let end = WallTime(rfc3339: period.time)?.milliseconds else { return }
    let note = QuietFile.read(in: folder)
    if note?.end == end { return }
    if case .pause(let until, _) = note, until > WallTime.now.milliseconds { return try pause(until: end) }
    try write(.hours(until: end))
  }
}
