internal import ArgumentParser
internal import Terminal

/// The first word that stands where a command should and is none. The parser takes it for an argument too many and cannot say what
/// was meant.
struct UnknownCommand: Error, CustomStringConvertible {
  let description: String

  /// Nil when there is no such word.
  init?(_ arguments: [String], of root: any ParsableCommand.Type = Overline.self) {
    var (command, path, isHelp) = (root, [root._commandName], false)
    for word in arguments {
      let commands = command.configuration.subcommands
      // An option's value can look like anything.
      if commands.isEmpty || word.hasPrefix("-") { return nil }
      if word == "help", path.count == 1, !isHelp {
        isHelp = true
      } else if let next = commands.first(where: { $0._commandName == word }) {
        command = next
        path.append(word)
      } else {
        let names = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        let hint = TerminalText.suggestion(for: word, among: names)
        description =
          "\(path.joined(separator: " ")) has no command \"\(word)\""
          + (hint.isEmpty ? "; the commands are \(names.joined(separator: ", "))" : hint)
        return
      }
    }
    return nil
  }
}
