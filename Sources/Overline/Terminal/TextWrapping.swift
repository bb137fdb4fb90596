extension TerminalText {
  /// Wraps the text at spaces. A word that is too long for a line is broken at the line's end.
  ///
  /// - Parameters:
  ///   - columns: the width that no line exceeds, at least 1.
  ///   - lines: the maximum number of lines; the last one ends in an ellipsis if text is left over.
  package static func wrapped(_ text: String, toColumns columns: Int, lines limit: Int, ellipsis: String = "…")
    -> [String]
  {
    var lines: [String] = []
    var line = ""
    // A long text costs no more than its visible part.
    var rest = text.prefix(columns * (limit + 1) * 4).split(separator: " ").map(String.init)[...]
    while let word = rest.first, lines.count <= limit {
      let joined = line.isEmpty ? word : line + " " + word
      if width(of: joined) <= columns {
        line = joined
        rest.removeFirst()
      } else if line.isEmpty {
        let head = prefix(of: word, columns: columns)
        // A character that is wider than a line fits into none.
        guard !head.isEmpty else {
          rest.removeFirst()
          continue
        }
        lines.append(head)
        rest[rest.startIndex] = String(word.dropFirst(head.count))
      } else {
        lines.append(line)
        line = ""
      }
    }
    if !line.isEmpty { lines.append(line) }
    guard lines.count > limit, limit > 0 else { return Array(lines.prefix(max(0, limit))) }
    let last = truncated(lines[limit - 1] + " " + lines[limit], toColumns: columns, ellipsis: ellipsis)
    return lines.prefix(limit - 1) + [
      width(of: last) == columns ? last : truncated(last + ellipsis, toColumns: columns, ellipsis: ellipsis)
    ]
  }
}
