internal import OverlineProcess
internal import OverlineSystem

/// A text in a document that is generated from the code's behaviour: between the lines `<!-- generated: NAME -->` and
/// `<!-- end -->`.
package struct GeneratedText {
  package let document: String
  package let name: String

  /// - Parameters:
  ///   - document: the path from the repository's root.
  ///   - file: `#filePath` of a file in a folder of `Tests`.
  package init(_ name: String, in document: String, from file: String = #filePath) {
    self.document = file.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(document)"
    self.name = name
  }

  /// - Parameter path: the path of the document.
  package init(_ name: String, path: String) {
    document = path
    self.name = name
  }

  /// Whether the document holds `text` between those lines. With `OVERLINE_RECORD` in the environment, `text` is first written there (`make
  /// record`).
  package func holds(_ text: String) throws -> Bool {
    if ProcessEnvironment["OVERLINE_RECORD"] != nil { try write(text) }
    let (lines, place) = try find()
    return lines[place].joined(separator: "\n") == "\n\(text)\n"
  }

  package func write(_ text: String) throws {
    var (lines, place) = try find()
    lines.replaceSubrange(place, with: ["", text, ""])
    try Files.replace(document, with: Array(lines.joined(separator: "\n").utf8))
  }

  /// The document's lines, and the range of this text in them.
  private func find() throws -> (lines: [String], place: Range<Int>) {
    let lines = String(decoding: try Files.read(document), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    guard
      let start = lines.firstIndex(of: "<!-- generated: \(name) -->"),
      let end = lines[start...].firstIndex(of: "<!-- end -->")
    else { throw TestKitError("\(document) has no place for \(name)") }
    return (lines, start + 1..<end)
  }
}

/// The observed transitions of a machine, with their reasons.
package struct StateDiagram {
  private var reasons: [Step: Set<String>] = [:]

  private struct Step: Hashable, Comparable {
    var from: String
    var to: String
    static func < (a: Step, b: Step) -> Bool { (a.from, a.to) < (b.from, b.to) }
  }

  package init() {}

  package mutating func note(from: String, to: String, because reason: String) {
    if from != to { reasons[Step(from: from, to: to), default: []].insert(reason) }
  }

  /// The diagram in Mermaid, which many hosts draw, and which is readable as it is.
  package var mermaid: String {
    let steps = reasons.sorted { $0.key < $1.key }.map { step, reasons in
      "    \(step.from) --> \(step.to): \(reasons.sorted().joined(separator: ", "))"
    }
    return (["```mermaid", "stateDiagram-v2"] + steps + ["```"]).joined(separator: "\n")
  }
}
