internal import NetworkPath
internal import Overline

/// The diagnostics of a file, and every key with its value in effect.
final class Report {
  private let path: String
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sections: [Section] = []

  /// A table with its keys.
  struct Section {
    /// `banner.offline`
    var name: String
    var words: String
    var keys: [Key] = []
  }

  struct Key {
    var name: String
    /// The value in effect, as TOML.
    var value: String
    var words: String
  }

  init(path: String) {
    self.path = path
  }

  func add(_ severity: Diagnostic.Severity, _ key: [String], at place: SourcePosition, _ message: String) {
    diagnostics.append(
      Diagnostic(
        severity: severity, path: path, line: place.line, column: place.column, key: key.joined(separator: "."),
        message: TerminalText.sanitized(message)))
  }

  func begin(section: [String], _ words: String) {
    sections.append(Section(name: section.joined(separator: "."), words: words))
  }

  func note(_ key: Key, in section: [String]) {
    let name = section.joined(separator: ".")
    guard let index = sections.lastIndex(where: { $0.name == name }) else { return }
    sections[index].keys.append(key)
  }
}

extension Diagnostic {
  init(_ error: TOMLError, path: String) {
    self.init(
      severity: .error, path: path, line: error.position.line, column: error.position.column, key: "",
      message: "not TOML: \(TerminalText.sanitized(error.message))")
  }
}

/// Reads the keys of one table. Each method reads a key, checks its value, and keeps the default if the value is missing or wrong. It then
/// reports the value in effect, so that `overline config show` contains every key that is read. A key that no method reads counts as
/// unknown. Each key has words that explain it.
struct SectionReader {
  private let document: TOMLDocument
  /// Nil for a table that is missing from the file.
  private let table: TOMLDocument.TableID?
  private let position: SourcePosition
  private let path: [String]
  private let report: Report
  private var asked: [String] = []

  init(_ document: TOMLDocument, report: Report) {
    self.init(
      document, TOMLDocument.root, at: SourcePosition(line: 1, column: 1), path: [], report: report)
  }

  private init(
    _ document: TOMLDocument, _ table: TOMLDocument.TableID?, at position: SourcePosition, path: [String],
    report: Report
  ) {
    self.document = document
    self.table = table
    self.position = position
    self.path = path
    self.report = report
  }

  private var members: [String: TOMLDocument.Member] { table.map { document.tables[$0].members } ?? [:] }

  /// A table below this one, empty if missing from the file.
  mutating func section(_ key: String, _ words: String, _ read: (inout SectionReader) -> Void) {
    report.begin(section: path + [key], words)
    var section: TOMLDocument.TableID?
    switch take(key) {
    case .none: break
    case .table(let table): section = table
    case .some(let value):
      error(key, "is \(value.kind); it must be a table: [\((path + [key]).joined(separator: "."))]")
    }
    var reader = SectionReader(
      document, section, at: place(of: key), path: path + [key], report: report)
    read(&reader)
    reader.reportUnknownKeys()
  }

  func has(_ key: String) -> Bool { members[key] != nil }

  /// - Parameter place: the place of an element. Nil means the key's place, or the table's if the file does not contain the key.
  func error(_ key: String, at place: SourcePosition? = nil, _ message: String) {
    report.add(.error, path + [TerminalText.sanitized(key)], at: place ?? self.place(of: key), message)
  }

  func warning(_ key: String, _ message: String) {
    report.add(.warning, path + [key], at: place(of: key), message)
  }

  private func place(of key: String) -> SourcePosition { members[key]?.position ?? position }

  mutating func boolean(_ key: String, _ value: inout Bool, _ words: String) {
    defer { note(key, words, value ? "true" : "false") }
    switch take(key) {
    case .none: break
    case .boolean(let boolean): value = boolean
    case .some(let value): error(key, "is \(value.kind); allowed are true and false")
    }
  }

  mutating func integer(_ key: String, in range: ClosedRange<Int>, _ value: inout Int, _ words: String) {
    defer { note(key, words, String(value)) }
    let allowed = "allowed are integers from \(range.lowerBound) to \(range.upperBound)"
    switch take(key) {
    case .none: break
    case .integer(let integer) where range.contains(integer): value = integer
    case .integer(let integer): error(key, "is \(integer); \(allowed)")
    case .some(let value): error(key, "is \(value.kind); \(allowed)")
    }
  }

  /// A displayed text. Control characters are an error, since users do not write them on purpose.
  mutating func title(_ key: String, _ value: inout String, _ words: String) {
    defer { note(key, words, TOMLText.string(value)) }
    guard let text = string(key, "allowed is a text in quotes") else { return }
    if let scalar = TerminalText.firstUnsafe(in: text) {
      return error(key, "has the control character \(scalar.code); allowed is one line of plain text")
    }
    if !text.contains(where: { !$0.isWhitespace }) {
      return error(key, "is empty; allowed is a text with a visible character")
    }
    if text.count > 200 { return error(key, "has \(text.count) characters; allowed are at most 200") }
    value = text
  }

  mutating func duration(_ key: String, in range: ClosedRange<Duration>, _ value: inout Duration, _ words: String) {
    defer { note(key, words, TOMLText.string(DurationText.text(value))) }
    let allowed =
      "allowed are durations from \"\(DurationText.text(range.lowerBound))\" to \"\(DurationText.text(range.upperBound))\", such as \"250ms\", \"1.5s\" or \"1m\", or a number of seconds"
    let written: (text: String, duration: Duration?)
    switch take(key) {
    case .none: return
    case .string(let text): written = (quoted(text), DurationText.parse(text))
    case .integer(let seconds): written = ("\(seconds) seconds", DurationText.seconds(Double(seconds)))
    case .float(let seconds): written = ("\(seconds) seconds", DurationText.seconds(seconds))
    case .some(let value): return error(key, "is \(value.kind); \(allowed)")
    }
    guard let duration = written.duration, range.contains(duration) else {
      return error(key, "is \(written.text); \(allowed)")
    }
    value = duration
  }

  mutating func color(_ key: String, _ value: inout TerminalColor, _ words: String) {
    defer { note(key, words, TOMLText.string(value.description)) }
    guard let text = string(key, "allowed are \"#rrggbb\" and the names of the terminal's colours") else { return }
    do {
      value = try TerminalColor(parsing: text)
    } catch {
      self.error(key, "\(error)")
    }
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ value: inout Choice, _ words: String
  ) {
    defer { note(key, words, TOMLText.string(value.rawValue)) }
    let names = Choice.allCases.map(\.rawValue)
    let allowed = "allowed are " + names.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let text = string(key, allowed) else { return }
    guard let choice = Choice(rawValue: text) else {
      return error(key, "is \(quoted(text))\(TerminalText.suggestion(for: text, among: names)); \(allowed)")
    }
    value = choice
  }

  /// A key typed with Ctrl; nil for an empty text.
  mutating func controlKey(_ key: String, _ value: inout UInt8?, _ words: String) {
    defer { note(key, words, TOMLText.string(ControlKey.text(value))) }
    let allowed =
      "allowed are \"\" for none and \"ctrl-a\" to \"ctrl-z\" but for c, h, i, j, m, q, s and z, which are keys already"
    guard let text = string(key, allowed) else { return }
    guard let character = ControlKey.parse(text) else { return error(key, "is \(quoted(text)); \(allowed)") }
    value = character == 0 ? nil : character
  }

  /// A line for `sh`; nil for an empty text.
  mutating func command(_ key: String, _ value: inout String?, _ words: String) {
    defer { note(key, words, TOMLText.string(value ?? "")) }
    guard let text = line(key, "allowed is a command for sh in one line of at most 4096 bytes, and \"\" for none")
    else {
      return
    }
    value = text.isEmpty ? nil : text
  }

  /// The file for the node exporter, which reads `*.prom`; nil for an empty text.
  mutating func metricsFile(_ key: String, _ value: inout String?, _ words: String) {
    defer { note(key, words, TOMLText.string(value ?? "")) }
    let allowed = "allowed are absolute paths that end in \".prom\", and \"\" for none"
    guard let text = line(key, allowed) else { return }
    let name = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard text.isEmpty || (text.hasPrefix("/") && name.hasSuffix(".prom") && name != ".prom") else {
      return error(key, "is \(quoted(text)); \(allowed)")
    }
    value = text.isEmpty ? nil : text
  }

  private mutating func line(_ key: String, _ allowed: String) -> String? {
    guard let text = string(key, allowed) else { return nil }
    if text.utf8.count > 4096 {
      error(key, "has \(text.utf8.count) bytes; \(allowed)")
      return nil
    }
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) {
      error(key, "has a control character in it; \(allowed)")
      return nil
    }
    return text
  }

  mutating func hours(_ key: String, _ value: inout QuietHours?, _ words: String) {
    defer { note(key, words, TOMLText.string(value?.text ?? "")) }
    let allowed = "allowed are two times of day such as \"22:00-07:00\", and \"\" for none"
    guard let text = string(key, allowed) else { return }
    value = QuietHours(text)
    if value == nil, !text.isEmpty { error(key, "is \(quoted(text)); \(allowed)") }
  }

  /// None for an empty text.
  mutating func checkURL(_ key: String, _ value: inout CheckURL?, _ words: String) {
    defer { note(key, words, TOMLText.string(value?.text ?? "")) }
    let allowed =
      "allowed are \"http://…\" and \"https://…\" in at most \(CheckURL.maximumLength) printable ASCII characters, without a user's name, and \"\" for none"
    guard let text = string(key, allowed) else { return }
    value = CheckURL(text)
    if value == nil && !text.isEmpty { error(key, "is \(quoted(text)); \(allowed)") }
  }

  /// Nil for an empty text. Line ends are allowed, since servers' answers contain them.
  mutating func expectedBody(_ key: String, _ value: inout String?, _ words: String) {
    defer { note(key, words, TOMLText.string(value ?? "")) }
    let allowed = "allowed is a text of at most 1024 bytes, and \"\" for any"
    guard let text = string(key, allowed) else { return }
    if text.utf8.count > 1024 { return error(key, "has \(text.utf8.count) bytes; \(allowed)") }
    if text.unicodeScalars.contains(where: {
      ($0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0)) || $0.value == 0x7f
    }) {
      return error(key, "has a control character in it; \(allowed)")
    }
    value = text.isEmpty ? nil : text
  }

  mutating func globs(_ key: String, _ value: inout [InterfaceGlob], _ words: String) {
    let allowed =
      "allowed is a list of interface names, in which * ? and [a-z] stand for others: [\"docker*\", \"veth?\"]"
    list(key, &value, allowed, parse: InterfaceGlob.init, fault: \InterfaceGlob.Invalid.message)
    note(key, words, TOMLText.list(value.map(\.pattern)))
  }

  mutating func networks(_ key: String, _ value: inout [IPPrefix], _ words: String) {
    let allowed =
      "allowed is a list of at most \(PathOptions.maximumNetworkCount) networks: [\"10.0.0.0/8\", \"2001:db8::/32\"]"
    var networks = value
    list(
      key, &networks, allowed,
      parse: { (text) throws(PathTarget.Invalid) in try PathTarget(text).network }, fault: \.message)
    if networks.count > PathOptions.maximumNetworkCount {
      error(key, "has \(networks.count) networks; \(allowed)")
    } else {
      value = networks
    }
    note(key, words, TOMLText.list(value.map(\.description)))
  }

  private mutating func list<Element, Fault: Error>(
    _ key: String, _ value: inout [Element], _ allowed: String, parse: (String) throws(Fault) -> Element,
    fault: (Fault) -> String
  ) {
    switch take(key) {
    case .none: break
    case .array(let elements):
      var list: [Element] = []
      for (place, value) in elements {
        guard case .string(let text) = value else {
          error(key, at: place, "has \(value.kind) in it; \(allowed)")
          continue
        }
        do throws(Fault) {
          list.append(try parse(text))
        } catch {
          self.error(key, at: place, "\(quoted(text)) \(fault(error)); \(allowed)")
        }
      }
      value = list
    case .some(let value): error(key, "is \(value.kind); \(allowed)")
    }
  }

  /// A table of networks. The keys are the user's names for them.
  mutating func targets(_ key: String, _ value: inout [PathTarget], _ words: String) {
    defer { note(key, words, TOMLText.table(value.map { ($0.name, toml($0)) })) }
    let allowed = "allowed is a table of names and networks: { office = \"10.20.0.0/16\" }"
    switch take(key) {
    case .none: break
    case .table(let table):
      var reader = SectionReader(
        document, table, at: place(of: key), path: path + [key], report: report)
      let names = reader.members.keys.sorted()
      if names.count > PathTarget.maximumTargetCount {
        return error(
          key,
          "has \(names.count) targets, and each costs time at every change; allowed are at most \(PathTarget.maximumTargetCount)"
        )
      }
      // A table has no order, so sort by name for a stable one.
      value = names.compactMap { reader.target($0) }
    case .some(let value): error(key, "is \(value.kind); \(allowed)")
    }
  }

  private func toml(_ target: PathTarget) -> String {
    let network = TOMLText.string(target.network.description)
    if target.byRoute == .own { return network }
    return TOMLText.table([("network", network), ("by-route", TOMLText.string(target.byRoute.rawValue))])
  }

  /// A network, or a table with a network: `{ network = "10.20.0.0/16", by-route = "any" }`.
  private mutating func target(_ name: String) -> PathTarget? {
    if !PathTarget.isName(name) {
      error(name, "is no name for a target; allowed is \(PathTarget.allowedNames)")
      return nil
    }
    guard case .table(let table)? = members[name]?.value else { return target(name, network: name, .own) }
    var reader = SectionReader(document, table, at: place(of: name), path: path + [name], report: report)
    var route = PathTarget.Route.own
    reader.choice("by-route", &route, "")
    let target = reader.target(name, network: "network", route)
    reader.reportUnknownKeys()
    return target
  }

  /// - Parameter key: the key whose value is the network.
  private mutating func target(_ name: String, network key: String, _ route: PathTarget.Route) -> PathTarget? {
    let allowed = "allowed is \(PathTarget.allowedNetworks)"
    guard let network = string(key, allowed) else {
      if !has(key) { error(key, "is missing; \(allowed)") }
      return nil
    }
    do {
      return try PathTarget(name: name, network: network, byRoute: route)
    } catch {
      self.error(key, "\(quoted(network)) \(error.message); \(allowed)")
      return nil
    }
  }

  func reportUnknownKeys() {
    for key in members.keys where !asked.contains(key) {
      let place = path.isEmpty ? "a table here" : "a key of [\(path.joined(separator: "."))]"
      let hint = TerminalText.suggestion(for: key, among: asked)
      error(key, "is not \(place)\(hint); allowed are \(asked.joined(separator: ", "))")
    }
  }

  private func note(_ key: String, _ words: String, _ value: String) {
    report.note(Report.Key(name: key, value: value, words: words), in: path)
  }

  private mutating func take(_ key: String) -> TOMLValue? {
    asked.append(key)
    return members[key]?.value
  }

  private mutating func string(_ key: String, _ allowed: String) -> String? {
    switch take(key) {
    case .none: return nil
    case .string(let text): return text
    case .some(let value):
      error(key, "is \(value.kind); \(allowed)")
      return nil
    }
  }

  private func quoted(_ text: String) -> String {
    "\"\(TerminalText.sanitized(String(text.prefix(64))))\""
  }
}
