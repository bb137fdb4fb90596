internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The start or the end of a period as users write it: `24h`, `7d`, `yesterday`, `2026-11-20`, `2026-11-20 21:00`.
enum Since {
  static let allowed =
    "allowed are times such as 90m, 1.5h, 24h, 7d, today, yesterday, 2026-11-20 and \"2026-11-20 21:00\""

  /// A million days.
  private static let maximumDuration = Duration.seconds(1_000_000 * 86_400)

  /// Milliseconds of the units that ``DurationText`` does not parse.
  private static let units: [Character: Int64] = ["d": 86_400_000, "w": 604_800_000]

  /// Nil if the text is not a time, or is a time in the future.
  static func parse(_ text: String, now: WallTime) -> WallTime? {
    guard let time = anyTime(text, now: now), time <= now else { return nil }
    return time
  }

  /// A length of time in milliseconds: `90` (seconds), `30m`, `1h`, `2d`.
  static func length(_ text: String) -> Int64? {
    if let unit = text.last.flatMap({ units[$0] }), let count = number(text.dropLast(), digits: 1...6) {
      return count > 0 ? Int64(count) * unit : nil
    }
    guard let duration = DurationText.parse(text), duration > .zero, duration < maximumDuration else { return nil }
    return duration.wholeMilliseconds
  }

  /// A time to come: `18:00` today or tomorrow, `2026-11-30`, `2026-11-30 18:00`; nil for a time in the past.
  static func parse(next text: String, now: WallTime) -> WallTime? {
    if let time = numbers(text[...], ":", [1...2, 2...2]), time[0] < 24, time[1] < 60 {
      let today = LocalTime(now)
      let days = [0, 1].compactMap { day in
        LocalTime(year: today.year, month: today.month, day: today.day + day, hour: time[0], minute: time[1]).wallTime
      }
      return days.first { $0 > now }
    }
    // A duration would lie in the past here.
    guard text.contains("-"), let time = anyTime(text, now: now), time > now else { return nil }
    return time
  }

  /// The end of a period. A day stands for its last moment, as in "until yesterday". A time to come means now.
  static func parse(end text: String, now: WallTime) -> WallTime? {
    anyTime(text, now: now, daysLater: 1).map { min($0, now) }
  }

  /// - Parameter days: added to a day without a time of day.
  private static func anyTime(_ text: String, now: WallTime, daysLater days: Int = 0) -> WallTime? {
    let today = LocalTime(now)
    switch text {
    case "today": return LocalTime(year: today.year, month: today.month, day: today.day + days).wallTime
    case "yesterday": return LocalTime(year: today.year, month: today.month, day: today.day - 1 + days).wallTime
    case _: break
    }
    if let unit = text.last.flatMap({ units[$0] }), let count = number(text.dropLast(), digits: 1...6) {
      return WallTime(milliseconds: now.milliseconds - Int64(count) * unit)
    }
    // A number without a unit may be the beginning of a date.
    if text.last?.isLetter == true, let duration = DurationText.parse(text), duration < maximumDuration {
      return WallTime(milliseconds: now.milliseconds - duration.wholeMilliseconds)
    }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
    guard parts.count <= 2, let date = numbers(parts[0], "-", [4...4, 2...2, 2...2]),
      let time = parts.count == 1 ? [0, 0] : numbers(parts[1], ":", [2...2, 2...2]),
      (1...12).contains(date[1]), (1...31).contains(date[2]), time[0] < 24, time[1] < 60
    else { return nil }
    // There is no 30 February.
    guard let first = LocalTime(year: date[0], month: date[1], day: date[2], hour: 12).wallTime,
      LocalTime(first).day == date[2]
    else { return nil }
    let day = date[2] + (parts.count == 1 ? days : 0)
    return LocalTime(year: date[0], month: date[1], day: day, hour: time[0], minute: time[1]).wallTime
  }

  private static func numbers(
    _ text: Substring, _ separator: Character, _ digits: [ClosedRange<Int>]
  ) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == digits.count else { return nil }
    let numbers = zip(parts, digits).compactMap { number($0, digits: $1) }
    return numbers.count == parts.count ? numbers : nil
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}
