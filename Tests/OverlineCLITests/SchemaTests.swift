import Foundation
import NetworkPath
import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore

/// `config/state.schema.json` describes what `overline status --json` prints: every field, and no other.
@Suite(.ownThread) struct SchemaTests {
  private static func schema() throws -> JSONValue {
    try JSONValue(parsing: Array(MarkdownDocument("config/state.schema.json").text.utf8))
  }

  /// What contradicts the schema. A field that the schema does not describe does too.
  private static func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "state") -> [String] {
    var faults: [String] = []
    if let types = schema["type"].map({ $0.array ?? [$0] }), !types.contains(.string(type(of: value))) {
      faults.append("\(place) is \(type(of: value))")
    }
    if let values = schema["enum"]?.array, !values.contains(value) { faults.append("\(place) is \(value.json)") }
    if let constant = schema["const"], constant != value { faults.append("\(place) is \(value.json)") }
    for (index, element) in (value.array ?? []).enumerated() {
      faults += self.faults(element, schema["items"] ?? .null, at: "\(place)[\(index)]")
    }
    guard let members = value.object else { return faults }
    for name in schema["required"]?.array?.compactMap(\.string) ?? [] where members[name] == nil {
      faults.append("\(place).\(name) is missing")
    }
    for (name, member) in members {
      guard let property = schema["properties"]?[name] else {
        faults.append("\(place).\(name) is not described")
        continue
      }
      faults += self.faults(member, property, at: "\(place).\(name)")
    }
    return faults
  }

  private static func type(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  @Test("a monitor's states match the schema: online, offline, with targets, a banner and a toast")
  func realOutput() throws {
    let schema = try Self.schema()
    let world = try World()
    try world.configure(
      "path.targets = { near = \"192.0.2.0/24\", office = \"10.20.0.0/16\" }\nbanner.grace-delay = \"0s\"\n")
    let alone = try world.overline("status", "--json").output
    #expect(try Self.faults(JSONValue(parsing: alone), schema) == [])
    let monitor = try world.startMonitor()
    let watch = try world.start("watch", "--json")
    try watch.lines.first("online") { $0.contains("\"online\"") }
    try world.pullTheCable()
    try watch.lines.first("the banner") { $0.contains("\"presented\"") }
    try world.plugTheCable()
    try watch.lines.first("its end") { $0.contains("\"restored\"") }
    for line in watch.lines.values { #expect(try Self.faults(JSONValue(parsing: Array(line.utf8)), schema) == []) }
    withExtendedLifetime(monitor) {}
  }

  /// The lists of words in the schema: the properties that lead to each, and the code's words.
  private static let lists: [(path: [String], words: [String])] = [
    (["state"], ObserverState.State.allCases.map(\.rawValue)),
    (["path", "reason"], NWPath.Reason.allCases.map(\.rawValue)),
    (["path", "vpns", "use"], NWPath.Tunnel.Use.allCases.map(\.rawValue)),
    (["path", "quality", "level"], [.good, .moderate, .minimal].map(\NWPath.LinkQuality.name)),
    (["banner", "phase"], BannerPhaseName.allCases.map(\.rawValue)),
    (["toast", "style"], ToastStyle.allCases.map(\.rawValue)),
    (["limited", "reason"], Limitation.Reason.allCases.map(\.rawValue)),
  ]

  @Test("the schema has each state, reason and phase of the code, and no other: make record writes them")
  func everyWordIsRecorded() throws {
    if ProcessEnvironment["OVERLINE_RECORD"] != nil { try Self.record() }
    let schema = try Self.schema()
    for (path, words) in Self.lists {
      let property = path.reduce(schema as JSONValue?) { ($0?["properties"] ?? $0?["items"]?["properties"])?[$1] }
      #expect(property?["enum"]?.array?.compactMap(\.string) == words, "\(path)")
    }
  }

  /// Replaces what is between the brackets of each list, and leaves all else as people wrote it.
  private static func record() throws {
    let file = "config/state.schema.json"
    var text = try MarkdownDocument(file).text[...]
    var result = ""
    var last: [String] = []
    for (path, words) in lists {
      // A list after another one of the same object is found below that.
      let isSibling = path.count > 1 && path.first == last.first
      last = path
      for mark in path.dropFirst(isSibling ? 1 : 0).map({ "\"\($0)\": {" }) + ["\"enum\": ["] {
        let end = try #require(text.range(of: mark)).upperBound
        result += text[..<end]
        text = text[end...]
      }
      let old = text.prefix { $0 != "]" }
      result += ((old.contains("null") ? ["null"] : []) + words.map { "\"\($0)\"" }).joined(separator: ", ")
      text = text.dropFirst(old.count)
    }
    try Files.replace(
      #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(file)",
      with: Array((result + text).utf8), permissions: 0o644)
  }

  @Test("limitation, toast and alert match the schema") func rareFields() throws {
    let time = "2026-11-20T21:04:05.123Z"
    var state = ObserverState(
      seq: 1, time: time, since: time, path: NWPath(status: .satisfied),
      limitation: Limitation(.captivePortal, cause: "Log in", explanation: "a redirect", portal: "http://192.0.2.1/"),
      phase: .hidden, appearance: nil, inset: TerminalInsets())
    #expect(state.limited != nil)
    state.toast = .init(ToastContent(title: "Saved", message: "to disk", style: .success))
    state.alert = .init(Alert(title: "Deploy?", buttons: ["Deploy", "Cancel"]))
    #expect(try Self.faults(JSONValue(parsing: Array(state.json.utf8)), Self.schema()) == [])
  }

  @Test("the protocol reference has each request, as the server reads it, and each code of an error") func reference()
    throws
  {
    let spans = Set(try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/Protocol.md").codeSpans)
    let requests = spans.filter { $0.hasPrefix("{\"do\"") }
    for request in requests { _ = try ObserverRequest(line: Array(request.utf8)) }
    for name in ObserverRequest.names {
      #expect(spans.contains(name) || requests.contains { $0.hasPrefix("{\"do\":\"\(name)\"") }, "\(name)")
    }
    for code in ProtocolError.Code.allCases { #expect(spans.contains(code.rawValue), "\(code.rawValue)") }
  }

  @Test("the guide's example of a state matches the schema") func example() throws {
    let page = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/Protocol.md")
    let examples = page.blocks.filter { $0.language == "json" }
    #expect(!examples.isEmpty)
    for example in examples {
      #expect(try Self.faults(JSONValue(parsing: Array(example.text.utf8)), Self.schema()) == [])
    }
  }
}
