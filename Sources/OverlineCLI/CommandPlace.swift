internal import ArgumentParser
internal import OverlineCore

/// The command named by the first words of a call.
struct CommandPlace {
  private(set) var command: any ParsableCommand.Type
  /// `["tmux", "attach"]`
  private(set) var path: [String]
  /// True if `help` precedes the command.
  private(set) var isHelp = false
  /// The words after the command.
  private(set) var rest: ArraySlice<String>

  /// - Parameters:
  ///   - root: the command whose subcommands the first words name.
  ///   - path: the words before.
  init(_ arguments: [String], of root: any ParsableCommand.Type, path: [String] = []) {
    (command, self.path) = (root, path)
    rest = arguments[...]
    while let word = rest.first {
      if word == "help", self.path.isEmpty, !isHelp {
        isHelp = true
      } else if let next = command.configuration.subcommands.first(where: { $0._commandName == word }) {
        command = next
        self.path.append(word)
      } else {
        return
      }
      rest = rest.dropFirst()
    }
  }

  /// The call that prints the command's help.
  var help: String { (["overline", "help"] + path).joined(separator: " ") }

  struct Option {
    /// `["--timeout", "-t"]`
    let names: [String]
    /// All allowed values; empty without a fixed list.
    let values: [String]
  }

  /// The first word that looks like an option but is unknown to the command.
  var unknownOption: String? {
    // The words after the program's name belong to the program.
    if path == ["run"] { return nil }
    let known = Set(options.flatMap(\.names) + ["--help", "--help-hidden", "--version"])
    return rest.prefix { $0 != "--" }.first { $0.hasPrefix("--") && !known.contains(String($0.prefix { $0 != "=" })) }
  }

  /// A word such as `-1h`. The parser would read it as several options, of which the last asks for help.
  var negativeDuration: String? {
    if path == ["run"] { return nil }
    return rest.prefix { $0 != "--" }.first {
      $0.first == "-" && $0.dropFirst().first?.isNumber == true && $0.contains("h")
    }
  }

  /// The word after an option, if there is one.
  func word(behind option: String) -> String? {
    rest.firstIndex(of: option).flatMap { $0 + 1 < rest.endIndex ? rest[$0 + 1] : nil }
  }

  /// The command's options, as ArgumentParser describes them.
  var options: [Option] {
    guard let dump = try? JSONValue(parsing: command._dumpHelp().utf8) else { return [] }
    return (dump["command"]?["arguments"]?.array ?? []).filter { $0["shouldDisplay"]?.boolean != false }.map {
      argument in
      let names = (argument["names"]?.array ?? []).map { name in
        (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
      }
      return Option(names: names, values: (argument["allValues"]?.array ?? []).compactMap(\.string))
    }
  }
}
