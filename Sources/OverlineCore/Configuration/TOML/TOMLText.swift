/// Formats values as TOML 1.0.0.
enum TOMLText {
  /// A basic string. Escapes the quote, the backslash and the three control characters that an expected body may contain.
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

  /// An inline table with bare keys. The values are TOML.
  static func table(_ members: [(key: String, value: String)]) -> String {
    let members = members.map { "\($0.key) = \($0.value)" }
    return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
  }
}
