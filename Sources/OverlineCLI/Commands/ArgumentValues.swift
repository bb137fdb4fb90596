internal import ArgumentParser
internal import Configuration
internal import Terminal

/// Words that should have been one with the title.
func refuse(_ rest: [String]) throws {
  if !rest.isEmpty { throw ValidationError("the text must be one argument: put it in quotes") }
}

/// What somebody typed, as an error repeats it.
func quoted(_ text: String) -> String { "\"\(TerminalText.sanitized(String(text.prefix(64))))\"" }

/// Written as in the configuration, or an error that says what one looks like.
@Sendable func duration(_ text: String) throws -> Duration {
  if let duration = DurationText.parse(text) { return duration }
  throw ValidationError("\(quoted(text)) is not a duration; allowed are \(DurationText.allowed)")
}

/// One of a few words, or an error that names the nearest.
@Sendable func choice<Choice: RawRepresentable<String> & CaseIterable>(_ text: String) throws -> Choice {
  if let choice = Choice(rawValue: text) { return choice }
  let known = Choice.allCases.map(\.rawValue)
  let hint = TerminalText.suggestion(for: text, among: known)
  throw ValidationError("\(quoted(text)) is none of \(known.joined(separator: ", "))\(hint)")
}
