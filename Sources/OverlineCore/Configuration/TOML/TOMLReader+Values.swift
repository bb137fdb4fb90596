extension TOMLReader {
  /// - Parameter depth: the number of enclosing tables and arrays.
  mutating func readValue(depth: Int) throws(TOMLError) -> TOMLValue {
    switch next {
    case "\"", "'": .string(try readString())
    case "[": try readArray(depth: depth)
    case "{": try readInlineTable(depth: depth)
    case _: try readScalar()
    }
  }

  private mutating func readArray(depth: Int) throws(TOMLError) -> TOMLValue {
    try TOMLDocument.checkDepth(depth, at: position)
    advance()
    var elements: [(position: SourcePosition, value: TOMLValue)] = []
    repeat {
      try skipLines()
      if next == "]" { break }
      let start = position
      elements.append((start, try readValue(depth: depth + 1)))
      try skipLines()
    } while take(",")
    guard take("]") else { throw unexpected("\",\" or \"]\"") }
    return .array(elements)
  }

  /// Skips white space, line ends and comments.
  private mutating func skipLines() throws(TOMLError) {
    repeat {
      skipBlanks()
      try skipComment()
    } while takeNewline()
  }

  private mutating func readInlineTable(depth: Int) throws(TOMLError) -> TOMLValue {
    let table = try document.add(.inline, depth: depth, at: position)
    advance()
    skipBlanks()
    if take("}") { return .table(table) }
    repeat {
      try readPair(of: table)
      skipBlanks()
    } while take(",")
    guard take("}") else { throw unexpected("\",\" or \"}\" in the same line") }
    return .table(table)
  }

  private mutating func readScalar() throws(TOMLError) -> TOMLValue {
    let start = position
    var word = readWord()
    // A space may stand for the T between a date and its time.
    if next == " ", TOMLScalar.isDate(word), let digit = following, ("0"..."9").contains(digit) {
      advance()
      word += " " + readWord()
    }
    if word.isEmpty { throw unexpected("a value") }
    if let value = TOMLScalar.value(of: word) { return value }
    if TOMLScalar.isInteger(word) { throw error("the integer does not fit into 64 bits", at: start) }
    let isNumeric = "+-0123456789".unicodeScalars.contains(word.unicodeScalars.first ?? "a")
    throw error(
      "\"\(word.prefix(64))\" is not a \(isNumeric ? "number, a date or a time" : "value"); a text has quotes around it",
      at: start)
  }

  private mutating func readWord() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = next {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "+", ".", ":": word.append(scalar)
      default: return String(word)
      }
      advance()
    }
    return String(word)
  }
}
