internal import ArgumentParser
internal import Overline

/// An unknown word in place of a command. The parser reports it as an unexpected argument and cannot suggest a command.
struct UnknownCommand: Error, CustomStringConvertible {
  let description: String

  /// Nil without such a word.
  init?(_ place: CommandPlace) {
    let commands = place.command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    // A word may also be an option's value, and such a value can be any text.
    guard !commands.isEmpty, let word = place.rest.first, !word.hasPrefix("-") else { return nil }
    let names = commands.map { $0._commandName }
    let hint = TerminalText.suggestion(for: word, among: names)
    description =
      "unknown command \(quoted((place.path + [word]).joined(separator: " ")))"
      + (hint.isEmpty ? "; the commands are \(names.joined(separator: ", "))" : hint)
  }
}
