internal import OverlineProcess
internal import OverlineSystem

/// A document of this repository, as a forge shows it.
package struct MarkdownDocument: Sendable {
  /// A block of code.
  package struct Block: Hashable, Sendable {
    /// The word after the fence; empty for an indented block.
    package var language: String
    package var text: String
  }

  /// The path from the repository's root.
  package let path: String
  package let text: String
  package private(set) var blocks: [Block] = []
  /// The lines that belong to no block and are no comment.
  package private(set) var prose: [String] = []

  /// The guide's pages, and the README.
  package static func guide(from file: String = #filePath) throws -> [MarkdownDocument] {
    let folder = "Sources/OverlineCLI/OverlineCLI.docc/Guide"
    let names = try Files.names(in: "\(root(file))/\(folder)").filter { $0.hasSuffix(".md") }.sorted()
    return try (["README.md"] + names.map { "\(folder)/\($0)" }).map { try MarkdownDocument($0, from: file) }
  }

  /// - Parameters:
  ///   - path: the path from the repository's root.
  ///   - file: `#filePath` of a file in a folder of `Tests` or `Sources`.
  package init(_ path: String, from file: String = #filePath) throws {
    self.path = path
    text = String(decoding: try Files.read("\(Self.root(file))/\(path)"), as: UTF8.self)
    var lines: [Substring]?
    var language = ""
    var previous: Substring = ""
    // An indented block may end with the file.
    let all: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false) + [""]
    for line in all {
      let isFence = line.hasPrefix("```")
      if let block = lines {
        let isIndented = language.isEmpty
        if isIndented ? !line.hasPrefix("    ") : isFence {
          blocks.append(Block(language: language, text: block.joined(separator: "\n")))
          lines = nil
        } else {
          lines?.append(isIndented ? line.dropFirst(4) : line)
        }
      } else if isFence {
        lines = []
        language = line.count > 3 ? String(line.dropFirst(3)) : "text"
      } else if line.hasPrefix("    "), previous.isEmpty {
        lines = [line.dropFirst(4)]
        language = ""
      } else if !line.hasPrefix("<!--") {
        prose.append(String(line))
      }
      previous = line
    }
  }

  static func root(_ file: String) -> String {
    file.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  }

  /// The targets of its links and pictures.
  package var links: [String] {
    prose.joined(separator: "\n").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
  }

  /// The names of its headings, as a forge makes them: lower case, hyphens for spaces, no other signs.
  package var anchors: Set<String> {
    var anchors: Set<String> = []
    for line in prose where line.hasPrefix("#") {
      let name = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased().filter {
        $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
      }.replacing(" ", with: "-")
      let count = anchors.count
      anchors.insert(name)
      if anchors.count == count { anchors.insert("\(name)-1") }
    }
    return anchors
  }

  /// The code in its sentences and tables.
  package var codeSpans: [String] {
    prose.joined(separator: "\n").matches(of: /`([^`]+)`/).map { String($0.1.replacing("\n", with: " ")) }
  }

  /// How many words a reader reads: links by their names, tables included.
  package var wordCount: Int {
    prose.joined(separator: "\n").replacing(/\]\([^)]*\)/, with: "]").split { $0.isWhitespace }.filter {
      $0.contains { $0.isLetter || $0.isNumber }
    }.count
  }
}
