/// A place in a text, counted from 1; a column is one Unicode scalar.
struct SourcePosition: Equatable {
  var line: Int
  var column: Int
}

/// The reason why a text is not TOML.
struct TOMLError: Error, Equatable {
  let position: SourcePosition
  let message: String
}

/// One part of a dotted key.
struct TOMLKey {
  let name: String
  let position: SourcePosition
}

enum TOMLValue {
  case string(String)
  case integer(Int)
  case float(Double)
  case boolean(Bool)
  /// The reader recognizes dates and times, but no key accepts one.
  case dateOrTime
  case array([(position: SourcePosition, value: TOMLValue)])
  case table(TOMLDocument.TableID)
  /// `[[name]]`. No key accepts one. Only its last table can still get keys.
  case tables(last: TOMLDocument.TableID)

  /// The name of the value's kind for messages.
  var kind: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a floating-point number"
    case .boolean: "a boolean"
    case .dateOrTime: "a date or time"
    case .array: "an array"
    case .table: "a table"
    case .tables: "an array of tables"
    }
  }
}

/// The tables of a TOML file, and the rules for adding keys to them (TOML 1.0.0, "Table").
struct TOMLDocument {
  typealias TableID = Int

  struct Member {
    /// The position of the key's first occurrence.
    let position: SourcePosition
    var value: TOMLValue
  }

  struct Table {
    enum Origin {
      /// Mentioned by `[name.below]`. The table's own header and dotted keys may still follow.
      case mentioned
      /// `[name]`
      case header
      /// `name.key = …`. Only dotted keys of the same table can add keys.
      case dotted
      /// `{ … }`: complete.
      case inline
    }

    var origin: Origin
    /// The number of enclosing tables and arrays.
    let depth: Int
    var members: [String: Member] = [:]
  }

  static let root: TableID = 0
  /// The configuration nests four deep. This limit keeps the reader's recursion far from the end of a thread's stack.
  static let maximumDepth = 64

  private(set) var tables = [Table(origin: .header, depth: 0)]

  /// Opens `[path]`, or a new element of `[[path]]`.
  mutating func open(_ path: [TOMLKey], isElement: Bool) throws(TOMLError) -> TableID {
    var table = Self.root
    for key in path.dropLast() { table = try enter(key, of: table) }
    let key = path[path.count - 1]
    switch tables[table].members[key.name]?.value {
    case nil:
      let new = try add(.header, depth: tables[table].depth + 1, at: key.position)
      tables[table].members[key.name] = Member(
        position: key.position, value: isElement ? .tables(last: new) : .table(new))
      return new
    case .tables where isElement:
      let new = try add(.header, depth: tables[table].depth + 1, at: key.position)
      tables[table].members[key.name]?.value = .tables(last: new)
      return new
    case .table(let known) where !isElement && tables[known].origin == .mentioned:
      tables[known].origin = .header
      return known
    case .some: throw conflict(key, in: table)
    }
  }

  /// The table of one part of a header, except the last.
  private mutating func enter(_ key: TOMLKey, of table: TableID) throws(TOMLError) -> TableID {
    switch tables[table].members[key.name]?.value {
    case nil: return try addMember(.mentioned, key, of: table)
    case .table(let known) where tables[known].origin != .inline: return known
    case .tables(let last): return last
    case .some: throw conflict(key, in: table)
    }
  }

  /// The table to which `path = …` adds its last part.
  mutating func parent(of path: [TOMLKey], from table: TableID) throws(TOMLError) -> TableID {
    var table = table
    for key in path.dropLast() {
      switch tables[table].members[key.name]?.value {
      case nil: table = try addMember(.dotted, key, of: table)
      case .table(let known) where [.mentioned, .dotted].contains(tables[known].origin):
        tables[known].origin = .dotted
        table = known
      case .some: throw conflict(key, in: table)
      }
    }
    let key = path[path.count - 1]
    if tables[table].members[key.name] != nil { throw conflict(key, in: table) }
    return table
  }

  mutating func set(_ key: TOMLKey, of table: TableID, to value: TOMLValue) {
    tables[table].members[key.name] = Member(position: key.position, value: value)
  }

  mutating func add(_ origin: Table.Origin, depth: Int, at position: SourcePosition) throws(TOMLError) -> TableID {
    try Self.checkDepth(depth, at: position)
    tables.append(Table(origin: origin, depth: depth))
    return tables.count - 1
  }

  static func checkDepth(_ depth: Int, at position: SourcePosition) throws(TOMLError) {
    guard depth > maximumDepth else { return }
    throw TOMLError(position: position, message: "tables and arrays are nested more than \(maximumDepth) deep")
  }

  private mutating func addMember(
    _ origin: Table.Origin, _ key: TOMLKey, of table: TableID
  ) throws(TOMLError) -> TableID {
    let new = try add(origin, depth: tables[table].depth + 1, at: key.position)
    set(key, of: table, to: .table(new))
    return new
  }

  private func conflict(_ key: TOMLKey, in table: TableID) -> TOMLError {
    let line = tables[table].members[key.name]?.position.line ?? 0
    return TOMLError(
      position: key.position, message: "\"\(key.name.prefix(64))\" is defined already, in line \(line); allowed is once"
    )
  }
}
