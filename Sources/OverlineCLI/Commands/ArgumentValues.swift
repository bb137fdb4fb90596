public import ArgumentParser
public import Overline
internal import OverlineConfiguration

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

/// A whole number, or an error that says why it is none.
@Sendable func wholeNumber<Number: FixedWidthInteger>(_ text: String) throws -> Number {
  if let number = Number(text) { return number }
  let digits = text.drop { $0 == "-" || $0 == "+" }
  let isNumber = !digits.isEmpty && text.count - digits.count < 2 && digits.allSatisfy(\.isWholeNumber)
  throw ValidationError("\(quoted(text)) is \(isNumber ? "out of range" : "not a whole number")")
}

extension ToastStyle: ExpressibleByArgument {}

extension VerticalEdge: ExpressibleByArgument {}
