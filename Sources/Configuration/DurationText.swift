/// Durations as people write them: `"250ms"`, `"2s"`, `"1.5s"`, `"1m"`.
enum DurationText {
  /// Nanoseconds in each unit; the longer name first, so that `ms` is not read as `s`.
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
  ]

  static func parse(_ text: String) -> Duration? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
    let number = text.dropLast(unit.name.count).split(separator: ".", omittingEmptySubsequences: false)
    // Nine digits of each keep everything far below 2^63 nanoseconds.
    guard (1...2).contains(number.count),
      number.allSatisfy({ (1...9).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let whole = Int64(number[0])
    else { return nil }
    var nanoseconds = whole * unit.nanoseconds
    if number.count == 2, let fraction = Int64(number[1]) {
      let scale = (0..<number[1].utf8.count).reduce(Int64(1)) { scale, _ in scale * 10 }
      nanoseconds += Int64((Double(fraction) / Double(scale) * Double(unit.nanoseconds)).rounded())
    }
    return .nanoseconds(nanoseconds)
  }

  /// The shortest form: whole seconds, whole milliseconds, or a fraction of milliseconds.
  static func text(_ duration: Duration) -> String {
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
