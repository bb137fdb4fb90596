/// Text in the language of manual pages, mdoc(7).
enum Mdoc {
  /// Lines of text: a paragraph for each line of the source, every sentence on a line of its own as mdoc requires, and none longer than
  /// 76 characters. Text between backquotes is bold.
  static func text(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map { lines(String($0)) }
      .reduce(into: [String]()) { result, paragraph in
        if !result.isEmpty { result.append(".Pp") }
        result += paragraph
      }
  }

  private static func lines(_ paragraph: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, line.count + word.count >= 76 || line.hasSuffix(".") && word.first?.isUppercase == true {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    if !line.isEmpty { lines.append(line) }
    var isBold = false
    return lines.map { escaped($0, &isBold) }
  }

  private static func escaped(_ line: String, _ isBold: inout Bool) -> String {
    // A full stop at its beginning would make the line a macro.
    var result = line.hasPrefix(".") ? "\\&" : ""
    for character in line {
      if character == "`" {
        isBold.toggle()
        result += isBold ? "\\fB" : "\\fR"
      } else {
        result += escaped(character)
      }
    }
    return result
  }

  /// The character as it is: roff would make typographic characters of some that must be copied from the page to a shell unchanged.
  private static func escaped(_ character: Character) -> String {
    switch character {
    case "\\": "\\e"
    case "-": "\\-"
    case "'": "\\(aq"
    case "~": "\\(ti"
    case "^": "\\(ha"
    default: String(character)
    }
  }

  /// Lines to type or to write into a file, each as it is.
  static func literal(_ text: String) -> [String] {
    [".Bd -literal -offset indent"]
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        (line.hasPrefix(".") ? "\\&" : "") + line.map { escaped($0) }.joined()
      } + [".Ed"]
  }

  /// One argument of a macro: literal, even if it is the name of another macro.
  static func argument(_ text: String) -> String {
    "\"\\&" + text.map { $0 == "\"" ? "\\(dq" : escaped($0) }.joined() + "\""
  }
}
