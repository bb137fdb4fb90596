internal import ArgumentParser
internal import Terminal

/// Words that should have been one with the title.
func refuse(_ rest: [String]) throws {
  if !rest.isEmpty { throw ValidationError("the text must be one argument: put it in quotes") }
}

/// What somebody typed, as an error repeats it.
func quoted(_ text: String) -> String { "\"\(TerminalText.sanitized(String(text.prefix(64))))\"" }

/// A number, or an error that says what one looks like: a configuration's "3s" is none.
@Sendable func numberOfSeconds(_ text: String) throws -> Double {
  if let seconds = Double(text) { return seconds }
  throw ValidationError("\(quoted(text)) is not a number of seconds, such as 3 or 0.5")
}

/// One of a few words, or an error that names the nearest.
@Sendable func choice<Choice: RawRepresentable<String> & CaseIterable>(_ text: String) throws -> Choice {
  if let choice = Choice(rawValue: text) { return choice }
  let known = Choice.allCases.map(\.rawValue)
  let hint = TerminalText.suggestion(for: text, among: known)
  throw ValidationError("\(quoted(text)) is none of \(known.joined(separator: ", "))\(hint)")
}
