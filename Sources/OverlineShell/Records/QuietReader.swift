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

  private var note: QuietNote { QuietFile.read(in: folder) }

  /// Whether the user has made a pause that has not ended.
  package var isPaused: Bool { note.pause > WallTime.now.milliseconds }

  /// Begins a pause. Hours that the user has ended early stay ended.
  package func pause(until: Int64) throws(SystemError) { try change { $0.pause = until } }

  /// Ends a pause. The file stays: a watch of a missing file is a watch of its folder, in which each state of the monitor is a change.
  package func endPause() throws(SystemError) { try change { $0.pause = 0 } }

  /// Ends the configured hours early.
  ///
  /// - Parameter until: their end.
  package func endHours(until: Int64) throws(SystemError) {
    try change {
      $0.hours = 0
      $0.resumed = until
    }
  }

  /// Writes what windows and other programs must know of the configured hours: until when it is quiet, or that it no longer is.
  ///
  /// - Parameter period: the current time of quiet, or the next one; nil for none.
  package func tell(_ period: QuietPeriod?) throws(SystemError) {
    let end = period.flatMap { $0.start <= BootClock.now ? WallTime(rfc3339: $0.time)?.milliseconds : nil } ?? 0
    let hours = end == note.pause ? 0 : end
    if hours != note.hours { try change { $0.hours = hours } }
  }

  /// Makes the file, so that it can be watched.
  package func prepare() throws(SystemError) { if !Files.exists(file) { try change { _ in } } }

  /// Ends the configured hours for windows. Removes the file, unless it says something that counts for a later monitor.
  package func tidy() {
    if max(note.pause, note.resumed) <= WallTime.now.milliseconds {
      try? Files.remove(file)
    } else if note.hours != 0 {
      // Windows obey the hours of a running monitor only.
      try? change { $0.hours = 0 }
    }
  }

  /// Other windows and programs read the file at once, or when they show something.
  private func change(_ body: (inout QuietNote) -> Void) throws(SystemError) {
    var note = note
    body(&note)
    try Files.replace(file, with: Array(note.text.utf8))
  }
}
