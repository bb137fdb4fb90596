internal import ArgumentParser
internal import Overline

/// The first word that stands where a command should and is none. The parser takes it for an argument too many and cannot say what
/// was meant.
struct UnknownCommand: Error, CustomStringConvertible {
  let description: String

  /// Nil when there is no such word.
  init?(_ place: CommandPlace) {
    let commands = place.command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    // An option's value can look like anything.
    guard !commands.isEmpty, let word = place.rest.first, !word.hasPrefix("-") else { return nil }
    let names = commands.map { $0._commandName }
    let hint = TerminalText.suggestion(for: word, among: names)
    description =
      "unknown command \(quoted((place.path + [word]).joined(separator: " ")))"
      + (hint.isEmpty ? "; the commands are \(names.joined(separator: ", "))" : hint)
  }
}
