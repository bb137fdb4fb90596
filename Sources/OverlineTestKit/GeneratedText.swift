internal import POSIX

/// A text that a test makes of what the code does, and that a document holds: between the lines `<!-- generated: NAME -->` and
/// `<!-- end -->`.
package struct GeneratedText {
  package let document: String
  package let name: String

  /// - Parameters:
  ///   - document: its path from the repository's root.
  ///   - file: `#filePath` of a file in a folder of `Tests`.
  package init(_ name: String, in document: String, from file: String = #filePath) {
    self.document = file.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(document)"
    self.name = name
  }

  /// Whether the document holds `text` there; with `OVERLINE_RECORD` in the environment it is written down before (`make record`).
  package func holds(_ text: String) throws -> Bool {
    let lines = String(decoding: try Files.read(document), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard
      let start = lines.firstIndex(of: "<!-- generated: \(name) -->"),
      let end = lines[start...].firstIndex(of: "<!-- end -->")
    else { throw TestKitError("\(document) has no place for \(name)") }
    if ProcessEnvironment["OVERLINE_RECORD"] != nil {
      let new = lines[...start].map(String.init) + ["", text, ""] + lines[end...].map(String.init)
      try Files.replace(document, with: Array(new.joined(separator: "\n").utf8))
      return true
    }
    return lines[(start + 1)..<end].joined(separator: "\n") == "\n\(text)\n"
  }
}

/// What a machine was seen to do: from one state to another, and why.
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

  /// In the language of Mermaid, which many hosts draw, and which can be read as it is.
  package var mermaid: String {
    let steps = reasons.sorted { $0.key < $1.key }.map { step, reasons in
      "    \(step.from) --> \(step.to): \(reasons.sorted().joined(separator: ", "))"
    }
    return (["```mermaid", "stateDiagram-v2"] + steps + ["```"]).joined(separator: "\n")
  }
}
