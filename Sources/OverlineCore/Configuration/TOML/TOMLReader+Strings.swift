extension TOMLReader {
  /// A string of any of the four kinds.
  mutating func readString() throws(TOMLError) -> String {
    let start = position
    let quote: Unicode.Scalar = next == "'" ? "'" : "\""
    let delimiter = String(repeating: Character(quote), count: 3)
    let isLong = looksAt(delimiter)
    advance(isLong ? 3 : 1)
    if isLong { _ = takeNewline() }
    var content = String.UnicodeScalarView()
    while let scalar = next {
      if isLong ? looksAt(delimiter) : scalar == quote {
        advance(isLong ? 3 : 1)
        // One or two quotes may precede the closing three.
        for _ in 0..<2 where isLong && take(quote) { content.append(quote) }
        return String(content)
      }
      if takeNewline() {
        if !isLong { break }
        content.append("\n")
      } else if scalar == "\\", quote == "\"" {
        try readEscape(isLong: isLong, into: &content)
      } else {
        try checkText(scalar)
        content.append(scalar)
        advance()
      }
    }
    throw error("the text has no closing \(isLong ? delimiter : String(quote))", at: start)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{c}", "r": "\r", "\"": "\"", "\\": "\\",
  ]

  private mutating func readEscape(
    isLong: Bool, into content: inout String.UnicodeScalarView
  ) throws(TOMLError) {
    let start = position
    advance()
    if let scalar = next.flatMap({ Self.escapes[$0] }) {
      content.append(scalar)
      advance()
    } else if take("u") {
      content.append(try readCode(digits: 4, start))
    } else if take("U") {
      content.append(try readCode(digits: 8, start))
    } else if !isLong || !skipLineEnd() {
      throw error(
        "the backslash begins no escape; allowed are \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX and \\UXXXXXXXX, or single quotes, in which it is a letter",
        at: start)
    }
  }

  /// A backslash at the end of a line removes all white space up to the next text.
  private mutating func skipLineEnd() -> Bool {
    skipBlanks()
    guard takeNewline() else { return false }
    repeat { skipBlanks() } while takeNewline()
    return true
  }

  private mutating func readCode(digits: Int, _ start: SourcePosition) throws(TOMLError) -> Unicode.Scalar {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = next.flatMap({ $0.isASCII ? Character($0).hexDigitValue : nil }) else {
        throw error("the escape has fewer than \(digits) hexadecimal digits", at: start)
      }
      value = value << 4 | UInt32(digit)
      advance()
    }
    guard let scalar = Unicode.Scalar(value) else { throw error("the escape is no Unicode character", at: start) }
    return scalar
  }
}
