internal import Overline

/// Appends compact JSON to bytes.
///
/// Replaces `JSONEncoder` for three reasons. The fields of a state have a fixed order for people and for scripts that grep; an encoder
/// sorts or shuffles them. This writes `null` where an encoder omits the field. And encoding a change takes a few microseconds instead of
/// about sixty.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  init() { bytes.reserveCapacity(1024) }

  mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  mutating func key(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func value(_ value: JSONValue) {
    switch value {
    case .null: plain("null")
    case .boolean(let value): plain(value ? "true" : "false")
    case .integer(let value): plain(String(value))
    case .number(let value): plain(value.isFinite ? String(value) : "null")
    case .string(let value): string(value)
    case .array(let elements):
      open("[")
      for element in elements { self.value(element) }
      close("]")
    case .object(let members):
      open("{")
      for name in members.keys.sorted() { field(name, members[name]!) }
      close("}")
    }
  }

  mutating func field(_ name: String, _ value: JSONValue) {
    key(name)
    self.value(value)
  }

  mutating func field(_ name: String, _ value: String?) {
    key(name)
    if let value { string(value) } else { plain("null") }
  }

  mutating func field(_ name: String, _ value: Int?) {
    key(name)
    plain(value.map { String($0) } ?? "null")
  }

  mutating func field(_ name: String, _ value: Int) {
    key(name)
    plain(String(value))
  }

  mutating func field(_ name: String, _ value: Bool) {
    key(name)
    plain(value ? "true" : "false")
  }

  mutating func string(_ value: String) {
    separate()
    quote(value)
    needsComma = true
  }

  mutating func null() { plain("null") }

  mutating func endLine() { bytes.append(0x0a) }

  private mutating func plain(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// Escapes characters that could control a terminal or reverse its text when it shows the JSON. Parsers still read the original text.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7e || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for scalar in text.unicodeScalars { escape(scalar) }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
    case _ where TerminalText.isUnsafe(scalar):
      // All these scalars have at most four digits.
      let digits = String(scalar.value, radix: 16)
      bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
    default: bytes.append(contentsOf: UTF8.encode(scalar)!)
    }
  }
}
