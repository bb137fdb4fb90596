/// A place in a text, counted from 1; a column is one Unicode scalar.
struct SourcePosition: Hashable, Comparable {
  var line: Int
  var column: Int

  static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// Finds where each key of a TOML document is written, which TOMLKit does not tell.
///
/// The document has been parsed before, so this scanner needs to be right for correct TOML only; on anything else it must merely
/// end. It knows headers, dotted and quoted keys, inline tables, arrays, comments and all four kinds of strings.
struct KeyLocator {
  /// The first place where toml++ 3.4 asserts instead of throwing, which would end the process, and in a build without assertions
  /// is undefined: such a text must not reach it.
  private(set) var trap: (position: SourcePosition, message: String)?
  private var depth = 0
  private var positions: [[String]: SourcePosition] = [:]
  private let text: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: String) {
    // The parser passes over a byte order mark.
    self.text = Array(text.unicodeScalars.dropFirst(text.unicodeScalars.first == "\u{feff}" ? 1 : 0))
    scanDocument()
  }

  /// The place of a key, of an element (its index as the last part), or else of the nearest table around it.
  func position(of path: [String]) -> SourcePosition {
    var path = path
    while !path.isEmpty {
      if let position = positions[path] { return position }
      path.removeLast()
    }
    return SourcePosition(line: 1, column: 1)
  }

  private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }
  private var position: SourcePosition { SourcePosition(line: line, column: index - lineStart + 1) }

  private mutating func advance() {
    if next == "\n" {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  private func looksAt(_ word: String) -> Bool {
    text[index...].starts(with: word.unicodeScalars)
  }

  /// White space; with `lines`, line breaks and comments too.
  private mutating func skipSpace(lines: Bool = false) {
    while let scalar = next {
      switch scalar {
      case " ", "\t", "\r": advance()
      case "\n" where lines: advance()
      case "#" where lines: skipLine()
      default: return
      }
    }
  }

  private mutating func skipBlanks() {
    while next == " " || next == "\t" { advance() }
  }

  /// TOML 1.0.0: bare keys are ASCII letters, digits, underscores and dashes.
  private static func startsKey(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "\"", "'": true
    default: false
    }
  }

  private mutating func skipLine() {
    while let scalar = next, scalar != "\n" { advance() }
  }

  private mutating func note(_ path: [String], _ position: SourcePosition) {
    if positions[path] == nil { positions[path] = position }
  }

  private mutating func scanDocument() {
    var table: [String] = []
    while true {
      skipSpace(lines: true)
      guard let scalar = next else { return }
      let start = index
      if scalar == "[" {
        advance()
        skipBlanks()
        if next == "[" { advance() }
        skipBlanks()
        // `parse_key`
        if let first = next, first != "]", !Self.startsKey(first) {
          noteTrap("the name of a table is expected after \"[\"")
        }
        table = scanKey(under: [])
        skipLine()
      } else {
        scanPair(under: table)
      }
      // Never in correct TOML; the loop must end all the same.
      if index == start { advance() }
    }
  }

  private mutating func scanPair(under table: [String]) {
    let path = scanKey(under: table)
    skipSpace()
    guard next == "=" else { return skipLine() }
    advance()
    skipSpace()
    scanValue(at: path)
  }

  /// A bare, quoted or dotted key. Each of its parts names something: `banner.motion = …` is also where `banner` is.
  private mutating func scanKey(under table: [String]) -> [String] {
    var path = table
    while true {
      skipSpace()
      let start = position
      switch next {
      case "\"", "'": path.append(scanString())
      default:
        var name = String.UnicodeScalarView()
        while let scalar = next,
          scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-"
        {
          name.append(scalar)
          advance()
        }
        path.append(String(name))
      }
      note(path, start)
      skipSpace()
      guard next == "." else { return path }
      guard path.count < Self.deepest else {
        noteTrap("keys are nested more than \(Self.deepest) deep")
        index = text.count
        return path
      }
      advance()
    }
  }

  private mutating func noteTrap(_ message: String, at place: SourcePosition? = nil) {
    if trap == nil { trap = (place ?? position, message) }
  }

  /// As deep as toml++ follows (`TOML_MAX_NESTED_VALUES`).
  private static let deepest = 256

  private mutating func scanValue(at path: [String]) {
    guard depth < Self.deepest else {
      noteTrap("values are nested more than \(Self.deepest) deep")
      index = text.count
      return
    }
    depth += 1
    defer { depth -= 1 }
    switch next {
    case "\"", "'": _ = scanString()
    case "[": scanArray(at: path)
    case "{": scanInlineTable(at: path)
    default: scanScalar()
    }
  }

  private mutating func scanScalar() {
    let start = (index, position)
    while let scalar = next, scalar != ",", scalar != "]", scalar != "}", scalar != "#", scalar != "\n" { advance() }
    var scalar = text[start.0..<index]
    while let last = scalar.last, [" ", "\t", "\r"].contains(last) { scalar.removeLast() }
    // Of a value that begins otherwise, toml++ says itself what is wrong.
    guard let first = scalar.first, ("0"..."9").contains(first) || first == "+" || first == "-" else { return }
    if !TOMLScalar.isCorrect(scalar) {
      noteTrap("a number, a date or a time is expected; a text has quotes around it", at: start.1)
    }
  }

  private mutating func scanArray(at path: [String]) {
    advance()
    var element = 0
    while true {
      skipSpace(lines: true)
      guard let scalar = next else { return }
      let start = index
      if scalar == "]" { return advance() }
      if scalar == "," {
        advance()
        element += 1
      } else {
        // `parse_value`
        if scalar == "}" { noteTrap("a value or \"]\" is expected") }
        let here = path + [String(element)]
        note(here, position)
        scanValue(at: here)
      }
      if index == start { advance() }
    }
  }

  private mutating func scanInlineTable(at path: [String]) {
    advance()
    while true {
      skipSpace(lines: true)
      guard let scalar = next else { return }
      let start = index
      if scalar == "}" { return advance() }
      if scalar == "," { advance() } else { scanPair(under: path) }
      if index == start { advance() }
    }
  }

  /// A string of any kind; its content as far as keys need it (simple escapes).
  private mutating func scanString() -> String {
    let quote: Unicode.Scalar = next == "'" ? "'" : "\""
    let long = String(repeating: Character(quote), count: 3)
    let isLong = looksAt(long)
    for _ in 0..<(isLong ? 3 : 1) { advance() }
    var content = String.UnicodeScalarView()
    while let scalar = next {
      if isLong ? looksAt(long) : scalar == quote { break }
      if !isLong, scalar == "\n" { return String(content) }
      advance()
      if scalar == "\\", quote == "\"", let escaped = next {
        content.append(escaped)
        advance()
      } else {
        content.append(scalar)
      }
    }
    for _ in 0..<(isLong ? 3 : 1) where next == quote { advance() }
    // Up to two quotes may stand right before the closing three (TOML 1.0.0).
    if isLong { while next == quote { advance() } }
    return String(content)
  }
}
