internal import Overline

/// Reads TOML 1.0.0 (https://toml.io/en/v1.0.0) and records the position of each key and element.
///
/// This replaces TOMLKit 0.6, which wraps toml++. TOMLKit leaked 18 KB at each load of the full file, gave no position of a key, added C++
/// to the build, and aborted with an assertion on some texts.
struct TOMLReader {
  private let text: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  var document = TOMLDocument()

  static func read(_ text: String) throws(TOMLError) -> TOMLDocument {
    var reader = TOMLReader(text)
    try reader.readLines()
    return reader.document
  }

  private init(_ text: String) {
    // Some editors begin each file with a byte order mark.
    self.text = Array(text.unicodeScalars.dropFirst(text.unicodeScalars.first == "\u{feff}" ? 1 : 0))
  }

  private mutating func readLines() throws(TOMLError) {
    var table = TOMLDocument.root
    while true {
      skipBlanks()
      switch next {
      case "\n", "\r", "#": break
      case "[": table = try readHeader()
      case .some: try readPair(of: table)
      case nil: return
      }
      skipBlanks()
      try skipComment()
      if !takeNewline(), next != nil { throw unexpected("the end of the line") }
    }
  }

  private mutating func readHeader() throws(TOMLError) -> TOMLDocument.TableID {
    advance()
    let isElement = take("[")
    let path = try readKey("the name of a table")
    for _ in 0..<(isElement ? 2 : 1) where !take("]") { throw unexpected("\"]\"") }
    return try document.open(path, isElement: isElement)
  }

  mutating func readPair(of table: TOMLDocument.TableID) throws(TOMLError) {
    let path = try readKey("a key")
    guard take("=") else { throw unexpected("\"=\"") }
    skipBlanks()
    let parent = try document.parent(of: path, from: table)
    let value = try readValue(depth: document.tables[parent].depth + 1)
    document.set(path[path.count - 1], of: parent, to: value)
  }

  /// A bare, quoted or dotted key.
  private mutating func readKey(_ what: String) throws(TOMLError) -> [TOMLKey] {
    var path: [TOMLKey] = []
    repeat {
      skipBlanks()
      let start = position
      let isQuoted = next == "\"" || next == "'"
      if looksAt("\"\"\"") || looksAt("'''") { throw unexpected("a key of one line") }
      let name = isQuoted ? try readString() : try readBareKey()
      if name.isEmpty, !isQuoted { throw unexpected(what) }
      path.append(TOMLKey(name: name, position: start))
      skipBlanks()
    } while take(".")
    return path
  }

  private mutating func readBareKey() throws(TOMLError) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = next {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-": name.append(scalar)
      case _ where scalar.isASCII: return String(name)
      case _:
        throw error(
          "\(Self.name(of: scalar)) needs quotes in a key; allowed without are A to Z, a to z, digits, - and _")
      }
      advance()
    }
    return String(name)
  }

  // MARK: Characters

  var next: Unicode.Scalar? { index < text.count ? text[index] : nil }
  /// The scalar after `next`.
  var following: Unicode.Scalar? { index + 1 < text.count ? text[index + 1] : nil }
  private var isAtNewline: Bool { next == "\n" || next == "\r" && following == "\n" }
  var position: SourcePosition { SourcePosition(line: line, column: index - lineStart + 1) }

  mutating func advance(_ count: Int = 1) { index += count }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  func looksAt(_ word: String) -> Bool { text[index...].starts(with: word.unicodeScalars) }

  mutating func skipBlanks() {
    while next == " " || next == "\t" { advance() }
  }

  mutating func skipComment() throws(TOMLError) {
    guard next == "#" else { return }
    while let scalar = next, !isAtNewline {
      try checkText(scalar)
      advance()
    }
  }

  mutating func takeNewline() -> Bool {
    guard isAtNewline else { return false }
    advance(next == "\n" ? 1 : 2)
    line += 1
    lineStart = index
    return true
  }

  // MARK: Errors

  func error(_ message: String, at position: SourcePosition? = nil) -> TOMLError {
    TOMLError(position: position ?? self.position, message: message)
  }

  func unexpected(_ expected: String) -> TOMLError {
    guard let next else { return error("\(expected) is expected, but the file ends") }
    if isAtNewline { return error("\(expected) is expected, but the line ends") }
    return error("\(expected) is expected here, not \(Self.name(of: next))")
  }

  /// Comments and strings may contain tabs, but no other control character.
  func checkText(_ scalar: Unicode.Scalar) throws(TOMLError) {
    if scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7f {
      throw error("here is the control character \(Self.name(of: scalar)); allowed is only the tab")
    }
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    if TerminalText.firstUnsafe(in: String(scalar)) != nil { return scalar.code }
    return scalar == "\"" ? "'\"'" : "\"\(scalar)\""
  }
}

extension Unicode.Scalar {
  /// `U+001B`
  var code: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
