internal import FoundationEssentials

/// A JSON text (RFC 8259) as a value. The order of an object's members is lost.
package enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// No message nests deeper than five. The decoder's time grows with the cube of the depth, so a line of maximum length could take
  /// minutes.
  private static let maximumDepth = 16

  /// Parses one complete JSON text. Throws ``ProtocolError/Code/badJSON``, also for a text that is nested deeper than 16.
  package init(parsing bytes: some Collection<UInt8>) throws(ProtocolError) {
    if Self.depth(of: bytes) > Self.maximumDepth {
      throw ProtocolError(.badJSON, "nested deeper than \(Self.maximumDepth)")
    }
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw ProtocolError(.badJSON, "not JSON")
    }
  }

  /// The largest number of open brackets at any point, without brackets in strings.
  private static func depth(of bytes: some Collection<UInt8>) -> Int {
    var (depth, maximum) = (0, 0)
    var (isString, isEscaped) = (false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isString: isEscaped = true
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): if !isString { depth += 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isString { depth -= 1 }
      default: break
      }
      maximum = max(maximum, depth)
    }
    return maximum
  }

  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// An integer also counts as a number.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .boolean, .string, .array, .object: nil
    }
  }
  package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

  /// Compact JSON; the names of an object in alphabetical order.
  package var json: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The name of the value's kind for messages: `a string`.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: Decodable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // `decodeNil()` throws nothing. Each wrong `decode` throws, which is slow, so the most frequent kind, a string, comes next.
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode([String: JSONValue].self) {
      self = .object(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .array(try container.decode([JSONValue].self))
    }
  }
}
