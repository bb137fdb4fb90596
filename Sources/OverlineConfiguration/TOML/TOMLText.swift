/// Values as TOML 1.0.0 writes them.
enum TOMLText {
  /// A basic string: the quote, the backslash and the three control characters escaped that an expected body may have.
  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"", "\\": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func list(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ", ") + "]" }

  /// An inline table of strings; the keys are bare ones.
  static func table(_ members: [(key: String, value: String)]) -> String {
    let members = members.map { "\($0.key) = \(string($0.value))" }
    return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
  }
}
