internal import ArgumentParser
internal import Overline

/// The error in a call's words, in one line and in the form of our other errors. ArgumentParser's texts occupy several lines and do not
/// suggest the nearest value. Its error types are internal, so only their texts (of 1.8) distinguish them.
enum Mistake {
  /// - Parameter message: ArgumentParser's, or that of a `ValidationError`.
  static func text(_ message: String, at place: CommandPlace) -> String {
    // The parser checks options last, and reports the word after an unknown option as an unexpected argument.
    let unknown = place.unknownOption.map { unknownOption($0, of: place) }
    let text =
      unknown ?? option(message, at: place) ?? argument(message, at: place) ?? value(message, at: place)
      ?? plain(message)
    // An error with advice or the allowed values needs no pointer to the help.
    return text.contains(";") ? text : "\(text); see: \(place.help)"
  }

  /// An option that the command does not have.
  ///
  /// - Parameter otherwise: appended when no name is similar.
  static func unknownOption(_ word: String, of place: CommandPlace, otherwise: String = "") -> String {
    let name = String(word.prefix { $0 != "=" })
    if place.path.isEmpty,
      CommandPlace(["status"], of: place.command).options.contains(where: { $0.names.contains(name) })
    {
      return "\(name) comes before the command; write it after, as in: overline status \(name)"
    }
    // One letter is not enough for a suggestion.
    let known = place.options.flatMap(\.names).filter { $0.count > 2 }
    let hint = name.count > 2 ? TerminalText.suggestion(for: name, among: known) : ""
    return "unknown option \(quoted(name))\(hint.isEmpty ? otherwise : hint)"
  }

  private static func option(_ message: String, at place: CommandPlace) -> String? {
    if let words = rest(of: message, after: "Unknown option '") {
      return unknownOption(String(words.prefix { $0 != "'" }), of: place)
    }
    if let words = rest(of: message, after: "Missing value for '") {
      let option = words.prefix { $0 != "'" }
      let name = option.prefix { $0 != " " }
      // The parser reads a word that begins with a dash as the next option.
      if let given = place.word(behind: String(name)), given.dropFirst().first?.isNumber == true {
        return "\(name): \(quoted(given)) is negative"
      }
      return "\(name) needs a value: \(option)"
    }
    if let words = rest(of: message, after: "The option '") { return "\(words.prefix { $0 != "'" }) takes no value" }
    return nil
  }

  private static func argument(_ message: String, at place: CommandPlace) -> String? {
    if let words = rest(of: message, after: "Missing expected argument '") {
      return "missing argument \(words.prefix { $0 != "'" })"
    }
    if let word = rest(of: message, after: "Unexpected argument '") {
      let word = String(word.dropLast())
      // Most words there are times.
      let hint = place.path == ["history"] ? "; did you mean --since \(word)?" : ""
      return "unexpected argument \(quoted(word))\(hint)"
    }
    if let words = rest(of: String(message.drop(while: \.isNumber)), after: " unexpected arguments: '") {
      let all = words.dropLast().split(separator: "', '").map { quoted(String($0)) }
      return "unexpected arguments \(all.joined(separator: " "))"
    }
    return nil
  }

  /// A value that the option does not allow.
  private static func value(_ message: String, at place: CommandPlace) -> String? {
    let parts = message.split(separator: "' is invalid for '")
    guard parts.count == 2, let value = rest(of: String(parts[0]), after: "The value '") else { return nil }
    let option = parts[1].prefix { $0 != "'" }
    let name = option.prefix { $0 != " " }
    if let reason = rest(of: String(parts[1]), after: "\(option)': ") { return "\(name): \(reason)" }
    let values = place.options.first { $0.names.contains(String(name)) }?.values ?? []
    let hint = TerminalText.suggestion(for: String(value), among: values)
    return "\(name): \(quoted(String(value))) is not allowed\(hint)"
      + (values.isEmpty ? "" : "; allowed are \(values.joined(separator: ", "))")
  }

  /// One line with the beginning and the end of our other errors.
  private static func plain(_ message: String) -> String {
    let line = message.split { $0.isWhitespace }.joined(separator: " ")
    let text = line.prefix(1).lowercased() + line.dropFirst()
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private static func rest(of message: String, after start: String) -> Substring? {
    message.hasPrefix(start) ? message.dropFirst(start.count) : nil
  }
}
