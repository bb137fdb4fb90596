/// A strict JSON parser over bytes; bounded in depth, so that no input can exhaust the stack.
struct JSONParser {
  /// Our messages nest 3 deep; RFC 8259 (section 9) allows a limit.
  private static let maximumDepth = 32

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func parse() throws(ProtocolError) -> JSONValue {
    let value = try parseValue()
    skipSpace()
    guard position == bytes.count else { throw unexpected("the end of the line") }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func unexpected(_ wanted: String) -> ProtocolError {
    let place = position < bytes.count ? "at byte \(position + 1)" : "at the end"
    return ProtocolError(.badJSON, "not JSON: \(wanted) expected \(place)")
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func parseValue() throws(ProtocolError) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(ProtocolError) in try parser.parseObject() }
    case UInt8(ascii: "["): return try nested { parser throws(ProtocolError) in try parser.parseArray() }
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try parseWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): return try parseNumber()
    case .some, .none: throw unexpected("a value")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(ProtocolError) -> JSONValue
  ) throws(ProtocolError) -> JSONValue {
    guard depth < Self.maximumDepth else { throw unexpected("fewer than \(Self.maximumDepth) levels") }
    depth += 1
    position += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  private mutating func parseObject() throws(ProtocolError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
      let name = try parseString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected("\":\"") }
      members[name] = try parseValue()
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw unexpected("\",\" or \"}\"") }
    }
  }

  private mutating func parseArray() throws(ProtocolError) -> JSONValue {
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try parseValue())
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw unexpected("\",\" or \"]\"") }
    }
  }

  private mutating func parseWord(_ word: String, _ value: JSONValue) throws(ProtocolError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw unexpected("a value") }
    position += word.utf8.count
    return value
  }

  private mutating func parseNumber() throws(ProtocolError) -> JSONValue {
    let start = position
    _ = take(UInt8(ascii: "-"))
    let whole = skipDigits()
    guard whole == 1 || (whole > 1 && bytes[position - whole] != UInt8(ascii: "0")) else {
      throw unexpected("a number")
    }
    var isInteger = true
    if take(UInt8(ascii: ".")) {
      isInteger = false
      guard skipDigits() > 0 else { throw unexpected("a digit") }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard skipDigits() > 0 else { throw unexpected("a digit") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw unexpected("a smaller number") }
    return .number(value)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func parseString() throws(ProtocolError) -> String {
    position += 1
    let start = position
    skipPlainText()
    // Nearly every string is plain: no copy of it is made first.
    if next == UInt8(ascii: "\"") {
      position += 1
      return try text(bytes[start..<position - 1])
    }
    var content = Array(bytes[start..<position])
    while !take(UInt8(ascii: "\"")) {
      guard take(UInt8(ascii: "\\")) else { throw unexpected("a closing quote") }
      content += Array(String(try parseEscape()).utf8)
      let start = position
      skipPlainText()
      content += bytes[start..<position]
    }
    return try text(content[...])
  }

  /// Goes to the next quote, backslash or control character.
  private mutating func skipPlainText() {
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
  }

  private func text(_ content: ArraySlice<UInt8>) throws(ProtocolError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else { throw unexpected("UTF-8 before here") }
    return text
  }

  private mutating func parseEscape() throws(ProtocolError) -> Unicode.Scalar {
    guard let byte = next else { throw unexpected("an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try parseHex()
      if let scalar = Unicode.Scalar(first) { return scalar }
      // RFC 8259, section 7: beyond U+FFFF two escapes make a UTF-16 surrogate pair.
      guard first < 0xdc00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
        throw unexpected("a surrogate pair")
      }
      let second = try parseHex()
      guard (0xdc00..<0xe000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
      else { throw unexpected("a surrogate pair") }
      return scalar
    default: throw unexpected("an escape")
    }
  }

  private mutating func parseHex() throws(ProtocolError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("four hexadecimal digits")
      }
      value = value << 4 + UInt32(digit)
      position += 1
    }
    return value
  }
}
