extension Configuration {
  /// A table of the file, for documents.
  package struct DocumentedTable: Sendable {
    /// `banner.offline`
    package let name: String
    /// Empty for a table like the one before it.
    package let text: String
    package let keys: [Key]

    package struct Key: Sendable {
      package let name: String
      /// As TOML.
      package let standard: String
      package let text: String
      /// True if the text is that of the key of the same name in an earlier table.
      package let isRepeated: Bool
    }
  }

  /// What the file is, in paragraphs.
  package static var documentHead: String { ConfigurationWords.head }

  /// Every table and key with its default and its explanation, in the file's order.
  package static var documentation: [DocumentedTable] {
    let sections = Configuration().sections
    return sections.map { section in
      let parent = section.name.prefix { $0 != "." }
      let siblings = sections.map(\.name).filter { $0.hasPrefix("\(parent).") }
      return DocumentedTable(
        name: section.name, text: ConfigurationWords.text(section.name) ?? "",
        keys: section.values.map { key, value in
          let own = ConfigurationWords.text("\(section.name).\(key)")
          let other = siblings.lazy.compactMap { ConfigurationWords.text("\($0).\(key)") }.first
          return .init(name: key, standard: value, text: own ?? other ?? "", isRepeated: own == nil)
        })
    }
  }

  /// The file that `overline config init` writes: every key with its default, explained in comments.
  package static var documented: String {
    var lines = comment(documentHead)
    for table in documentation {
      lines += [""] + comment(table.text) + ["[\(table.name)]"]
      for key in table.keys { lines += (key.isRepeated ? [] : comment(key.text)) + ["\(key.name) = \(key.standard)"] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Comments of at most 80 columns.
  private static func comment(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      var lines = ["#"]
      for word in paragraph.split(separator: " ") {
        if lines[lines.count - 1].count + word.count >= 80 { lines.append("#") }
        lines[lines.count - 1] += " \(word)"
      }
      return text.isEmpty ? [] : lines
    }
  }
}
