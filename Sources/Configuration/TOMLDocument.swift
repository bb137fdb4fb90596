internal import TOMLKit

/// A TOML value without TOMLKit's pointers.
indirect enum TOMLNode {
  case string(String)
  case integer(Int)
  case boolean(Bool)
  case array([TOMLNode])
  case table([String: TOMLNode])
  /// A value of a type that no key here takes, by its name.
  case other(String)

  /// What a person calls it.
  var kind: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .boolean: "a boolean"
    case .array: "an array"
    case .table: "a table"
    case .other(let name): name
    }
  }

  /// Parses a whole document. Throws TOMLKit's `TOMLParseError`, which knows the place.
  static func parse(_ text: String) throws(TOMLParseError) -> TOMLNode {
    do {
      return TOMLNode(try TOMLTable(string: text))
    } catch let error as TOMLParseError {
      throw error
    } catch {
      preconditionFailure("TOMLKit throws TOMLParseError only: \(error)")
    }
  }

  private init(_ table: TOMLTable) {
    var members: [String: TOMLNode] = [:]
    for (key, value) in table { members[key] = TOMLNode(value) }
    self = .table(members)
  }

  private init(_ value: any TOMLValueConvertible) {
    switch value.type {
    case .string: self = .string(value.string ?? "")
    case .int: self = .integer(value.int ?? 0)
    case .bool: self = .boolean(value.bool ?? false)
    case .array: self = .array(value.array?.map { TOMLNode($0) } ?? [])
    case .table: self = value.table.map { TOMLNode($0) } ?? .table([:])
    case .double: self = .other("a floating-point number")
    case .date, .time, .dateTime: self = .other("a date or time")
    }
  }
}
