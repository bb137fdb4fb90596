/// The grammar of TOML's numbers, dates and times (TOML 1.0.0, ABNF), where toml++ 3.4 guesses from the first characters what follows
/// and asserts that it does: `1979-05-27T.7` would end the process.
struct TOMLScalar {
  private var rest: ArraySlice<Unicode.Scalar>

  /// Whether all of a text is one of them.
  static func isCorrect(_ text: some Sequence<Unicode.Scalar>) -> Bool {
    let text = Array(text)[...]
    let forms: [(inout TOMLScalar) -> Bool] = [
      { $0.isPrefixedInteger() }, { $0.isDecimal() }, { $0.isDateTime() }, { $0.isTime() },
    ]
    return forms.contains { form in
      var scalar = TOMLScalar(rest: text)
      return form(&scalar) && scalar.rest.isEmpty
    }
  }

  // MARK: Forms

  private mutating func isPrefixedInteger() -> Bool {
    guard take("0") else { return false }
    if take("x") { return digits(radix: 16) }
    if take("o") { return digits(radix: 8) }
    return take("b") && digits(radix: 2)
  }

  /// An integer, or a number with a fraction, an exponent or both.
  private mutating func isDecimal() -> Bool {
    _ = take("+") || take("-")
    if take("inf") || take("nan") { return true }
    // A zero leads no other digit.
    guard take("0") || digits(radix: 10) else { return false }
    if take("."), !digits(radix: 10) { return false }
    guard take("e") || take("E") else { return true }
    _ = take("+") || take("-")
    return digits(radix: 10)
  }

  /// A date, and then perhaps a time and its offset.
  private mutating func isDateTime() -> Bool {
    guard number(4), take("-"), number(2), take("-"), number(2) else { return false }
    if rest.isEmpty { return true }
    guard take("T") || take("t") || take(" "), isTime() else { return false }
    if rest.isEmpty || take("Z") || take("z") { return true }
    return (take("+") || take("-")) && number(2) && take(":") && number(2)
  }

  private mutating func isTime() -> Bool {
    guard number(2), take(":"), number(2) else { return false }
    // Seconds may be left out in the next version of TOML.
    guard take(":") else { return true }
    return number(2) && (!take(".") || number(nil))
  }

  // MARK: Parts

  private mutating func take(_ word: String) -> Bool {
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return true
  }

  /// So many digits; nil for as many as there are.
  private mutating func number(_ count: Int?) -> Bool {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    let taken = count ?? digits.count
    rest = rest.dropFirst(taken)
    return taken > 0 && digits.count >= taken
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
