/// Durations as text, in the configuration and on the command line: `250ms`, `2s`, `1.5s`, `1m`, `2h`; without a unit, seconds.
package enum DurationText {
  /// The allowed forms, for error messages.
  package static let allowed = "seconds, such as 5 or 0.5, or a number with a unit, such as 250ms, 1.5s, 2m or 1h"

  /// `ms` comes before `s`, so that it is not parsed as `s`.
  private static let units: [(name: String, length: Duration)] = [
    ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
  ]

  /// Nil for any other text. Never negative; at most 10 digits of the unit.
  package static func parse(_ text: String) -> Duration? {
    let unit = units.first { text.hasSuffix($0.name) }
    let parts = text.dropLast(unit?.name.count ?? 0).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = parts[0].isEmpty && parts.count == 2 ? 0 : digits(parts[0]) else {
      return nil
    }
    let length = unit?.length ?? .seconds(1)
    guard parts.count == 2 else { return length * whole }
    guard let fraction = digits(parts[1]) else { return nil }
    let scale = (0..<parts[1].utf8.count).reduce(1) { scale, _ in scale * 10 }
    // Rounded to the nearest nanosecond.
    let nanoseconds = (length * fraction / scale / .nanoseconds(1)).rounded()
    return length * whole + .nanoseconds(Int64(nanoseconds))
  }

  /// A number of seconds; nil when it is negative, not a number, or a thousand million and more.
  static func seconds(_ number: Double) -> Duration? {
    guard number >= 0, number < 1e9 else { return nil }
    return .nanoseconds(Int64((number * 1e9).rounded()))
  }

  private static func digits(_ text: Substring) -> Int? {
    guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The shortest form: whole seconds, whole milliseconds, or a fraction of milliseconds.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = attoseconds / 1_000_000_000
    if nanoseconds == 0 { return "\(seconds)s" }
    let milliseconds = seconds * 1000 + nanoseconds / 1_000_000
    let rest = nanoseconds % 1_000_000
    if rest == 0 { return "\(milliseconds)ms" }
    var fraction = String(1_000_000 + rest).dropFirst()
    while fraction.hasSuffix("0") { fraction = fraction.dropLast() }
    return "\(milliseconds).\(fraction)ms"
  }
}
