public import ArgumentParser
public import Overline
internal import OverlineCore

/// Throws if there are words that should be part of the title.
func refuse(_ rest: [String]) throws {
  if !rest.isEmpty { throw ValidationError("the text must be one argument: put it in quotes") }
}

/// The user's text, quoted for an error.
func quoted(_ text: String) -> String { "\"\(TerminalText.sanitized(String(text.prefix(64))))\"" }

/// Parses a duration in the configuration's form; the error lists the allowed forms.
@Sendable func duration(_ text: String) throws -> Duration {
  if let duration = DurationText.parse(text) { return duration }
  throw ValidationError("\(quoted(text)) is not a duration; allowed are \(DurationText.allowed)")
}

/// Parses a whole number; the error states the reason.
@Sendable func wholeNumber<Number: FixedWidthInteger>(_ text: String) throws -> Number {
  if let number = Number(text) { return number }
  let digits = text.drop { $0 == "-" || $0 == "+" }
  let isNumber = !digits.isEmpty && text.count - digits.count < 2 && digits.allSatisfy(\.isWholeNumber)
  throw ValidationError("\(quoted(text)) is \(isNumber ? "out of range" : "not a whole number")")
}

extension ToastStyle: ExpressibleByArgument {}

extension ToastEdge: ExpressibleByArgument {}
