/// The grammar of TOML's booleans, numbers, dates and times (TOML 1.0.0, ABNF).
struct TOMLScalar {
  private var rest: ArraySlice<Unicode.Scalar>

  private init(_ text: String) { rest = Array(text.unicodeScalars)[...] }

  /// Nil for any other text, and for an integer of more than 64 bits.
  static func value(of text: String) -> TOMLValue? {
    if text == "true" || text == "false" { return .boolean(text == "true") }
    if isInteger(text) { return integer(text).map { .integer($0) } }
    if matches(text, { $0.isFloat() }) { return Double(text.filter { $0 != "_" }).map { .float($0) } }
    return matches(text, { $0.isDateTime() }) || matches(text, { $0.isTime() }) ? .dateOrTime : nil
  }

  static func isInteger(_ text: String) -> Bool {
    matches(text) { $0.isPrefixedInteger() } || matches(text) { $0.isDecimalInteger() }
  }

  static func isDate(_ text: String) -> Bool { matches(text) { $0.isDate() } }

  private static func matches(_ text: String, _ form: (inout TOMLScalar) -> Bool) -> Bool {
    var scalar = TOMLScalar(text)
    return form(&scalar) && scalar.rest.isEmpty
  }

  private static func integer(_ text: String) -> Int? {
    let digits = text.filter { $0 != "_" }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
      return Int(digits.dropFirst(2), radix: radix)
    }
    return Int(digits)
  }

  // MARK: Forms

  private mutating func isPrefixedInteger() -> Bool {
    guard take("0") else { return false }
    if take("x") { return digits(radix: 16) }
    if take("o") { return digits(radix: 8) }
    return take("b") && digits(radix: 2)
  }

  private mutating func isDecimalInteger() -> Bool {
    _ = take("+") || take("-")
    // No other digit may follow a leading zero.
    return take("0") || digits(radix: 10)
  }

  /// A number with a fraction, an exponent or both.
  private mutating func isFloat() -> Bool {
    _ = take("+") || take("-")
    if take("inf") || take("nan") { return true }
    guard take("0") || digits(radix: 10) else { return false }
    if take("."), !digits(radix: 10) { return false }
    guard take("e") || take("E") else { return true }
    _ = take("+") || take("-")
    return digits(radix: 10)
  }

  /// A date, optionally followed by a time and its offset.
  private mutating func isDateTime() -> Bool {
    guard isDate() else { return false }
    if rest.isEmpty { return true }
    guard take("T") || take("t") || take(" "), isTime() else { return false }
    if rest.isEmpty || take("Z") || take("z") { return true }
    return (take("+") || take("-")) && number(0...23) && take(":") && number(0...59)
  }

  private mutating func isDate() -> Bool {
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-") else { return false }
    guard (1...12).contains(month) else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return number(1...[31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1])
  }

  private mutating func isTime() -> Bool {
    // 60 is a leap second.
    guard number(0...23), take(":"), number(0...59), take(":"), number(0...60) else { return false }
    guard take(".") else { return true }
    let fraction = rest.prefix { ("0"..."9").contains($0) }
    rest = rest.dropFirst(fraction.count)
    return !fraction.isEmpty
  }

  // MARK: Parts

  private mutating func take(_ word: String) -> Bool {
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return true
  }

  /// A number of two digits.
  private mutating func number(_ range: ClosedRange<Int>) -> Bool {
    number(digits: 2).map { range.contains($0) } ?? false
  }

  private mutating func number(digits count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
  }

  /// Digits, with single underscores between them.
  private mutating func digits(radix: Int) -> Bool {
    var isAfterDigit = false
    while let scalar = rest.first {
      if Self.isDigit(scalar, radix) {
        isAfterDigit = true
      } else if scalar == "_", isAfterDigit {
        isAfterDigit = false
      } else {
        break
      }
      rest.removeFirst()
    }
    return isAfterDigit
  }

  private static func isDigit(_ scalar: Unicode.Scalar, _ radix: Int) -> Bool {
    scalar.isASCII && Character(scalar).hexDigitValue.map { $0 < radix } ?? false
  }
}
