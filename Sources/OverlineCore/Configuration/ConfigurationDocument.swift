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
  package static let documentHead = """
    Overline's configuration: every key with its default. It lies at $XDG_CONFIG_HOME/overline/config.toml \
    (~/.config/overline/config.toml). A key that is missing there keeps its default.

    Durations are strings with a unit, "250ms", "1.5s", "1m" or "2h", or numbers of seconds: 2, 0.5. Colours are "#rrggbb" or the name \
    of one of the terminal's colours: "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", and each as "bright-red".

    The monitor and windows follow the file; other commands read it when they start. "overline config check" prints what is wrong in a \
    file, "overline config show" what is in effect.
    """

  /// Every table and key with its default and its explanation, in the file's order.
  package static var documentation: [DocumentedTable] {
    var tables: [DocumentedTable] = []
    for section in Configuration().sections {
      let parent = section.name.prefix { $0 != "." }
      let siblings = tables.filter { $0.name.hasPrefix("\(parent).") }
      let keys = section.keys.map { key in
        let isRepeated = siblings.contains { $0.keys.contains { $0.name == key.name && $0.text == key.words } }
        return DocumentedTable.Key(name: key.name, standard: key.value, text: key.words, isRepeated: isRepeated)
      }
      tables.append(DocumentedTable(name: section.name, text: section.words, keys: keys))
    }
    return tables
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
