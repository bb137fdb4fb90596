internal import Overline

/// Reads the fields of a JSON object. Its errors name each missing or wrong field and the expected value.
struct FieldReader {
  private let json: JSONValue

  init(_ json: JSONValue) {
    self.json = json
  }

  func string(_ name: String) throws(ProtocolError) -> String {
    let value = try required(name, "a string")
    guard let string = value.string else { throw wrong(name, value, "a string") }
    return string
  }

  /// Nil when the field is absent or null.
  func optionalString(_ name: String) throws(ProtocolError) -> String? {
    guard let value = json[name], value != .null else { return nil }
    guard let string = value.string else { throw wrong(name, value, "a string") }
    return string
  }

  /// `#rrggbb`. Bars put a colour into their markup.
  func optionalColor(_ name: String) throws(ProtocolError) -> String? {
    guard let text = try optionalString(name) else { return nil }
    guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit) else {
      throw ProtocolError(.badField, "\"\(name)\" must be a color such as #b3261e")
    }
    return text
  }

  func integer(_ name: String) throws(ProtocolError) -> Int {
    let value = try required(name, "an integer")
    guard let integer = value.integer else { throw wrong(name, value, "an integer") }
    return integer
  }

  func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws(ProtocolError) -> Int? {
    guard let value = json[name], value != .null else { return nil }
    let wanted = "an integer from \(range.lowerBound) to \(range.upperBound)"
    guard let integer = value.integer else { throw wrong(name, value, wanted) }
    guard range.contains(integer) else {
      throw ProtocolError(.badField, "\"\(name)\" is \(integer); it must be \(wanted)")
    }
    return integer
  }

  /// One of a fixed set of words. Nil when the field is absent or null.
  func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(ProtocolError) -> Choice? {
    guard let text = try optionalString(name) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    let hint = TerminalText.suggestion(for: text, among: known)
    throw ProtocolError(
      .badField,
      "\"\(name)\" is \"\(TerminalText.sanitized(String(text.prefix(64))))\"\(hint) (known: \(known.joined(separator: ", ")))"
    )
  }

  /// An absolute path: the monitor's working directory differs from its client's.
  func path(_ name: String) throws(ProtocolError) -> String {
    let path = try string(name)
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw ProtocolError(.badField, "\"\(name)\" must be an absolute path")
    }
    return path
  }

  /// Nil when the field is absent or null.
  func optionalPath(_ name: String) throws(ProtocolError) -> String? {
    try optionalString(name) == nil ? nil : try path(name)
  }

  func boolean(_ name: String) throws(ProtocolError) -> Bool {
    let value = try required(name, "true or false")
    guard let boolean = value.boolean else { throw wrong(name, value, "true or false") }
    return boolean
  }

  /// Nil when the field is absent or null.
  func optionalBoolean(_ name: String) throws(ProtocolError) -> Bool? {
    json[name] == nil || json[name] == .null ? nil : try boolean(name)
  }

  /// Empty when the field is absent.
  func optionalArray(_ name: String) throws(ProtocolError) -> [JSONValue] {
    json[name] == nil ? [] : try array(name)
  }

  func array(_ name: String) throws(ProtocolError) -> [JSONValue] {
    let value = try required(name, "an array")
    guard let array = value.array else { throw wrong(name, value, "an array") }
    return array
  }

  func object(_ name: String) throws(ProtocolError) -> JSONValue {
    let value = try required(name, "an object")
    guard value.object != nil else { throw wrong(name, value, "an object") }
    return value
  }

  /// Nil when the field is absent or null.
  func optionalObject(_ name: String) throws(ProtocolError) -> JSONValue? {
    json[name] == nil || json[name] == .null ? nil : try object(name)
  }

  /// Nil when the field is absent.
  func value(_ name: String) -> JSONValue? { json[name] }

  private func required(_ name: String, _ wanted: String) throws(ProtocolError) -> JSONValue {
    guard let value = json[name] else {
      throw ProtocolError(.missingField, "\"\(name)\" is missing; it must be \(wanted)")
    }
    return value
  }

  func wrong(_ name: String, _ value: JSONValue, _ wanted: String) -> ProtocolError {
    ProtocolError(.badField, "\"\(name)\" is \(value.kind); it must be \(wanted)")
  }
}
