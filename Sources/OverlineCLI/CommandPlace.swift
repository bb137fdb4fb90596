internal import ArgumentParser
internal import OverlineObservers

/// The command that the first words of a call name.
struct CommandPlace {
  private(set) var command: any ParsableCommand.Type = Overline.self
  /// `["tmux", "attach"]`
  private(set) var path: [String] = []
  /// `help` stands before the command.
  private(set) var isHelp = false
  /// The words behind them.
  private(set) var rest: ArraySlice<String>

  init(_ arguments: [String]) {
    rest = arguments[...]
    while let word = rest.first {
      if word == "help", path.isEmpty, !isHelp {
        isHelp = true
      } else if let next = command.configuration.subcommands.first(where: { $0._commandName == word }) {
        command = next
        path.append(word)
      } else {
        return
      }
      rest = rest.dropFirst()
    }
  }

  /// What tells more about the command.
  var help: String { (["overline", "help"] + path).joined(separator: " ") }

  struct Option {
    /// `["--timeout", "-t"]`
    let names: [String]
    /// All that it can be; empty for one of many values.
    let values: [String]
  }

  /// The first word that has the form of an option and is none of the command's.
  var unknownOption: String? {
    // Words behind the program's name are the program's.
    if command == RunCommand.self { return nil }
    let known = Set(options.flatMap(\.names) + ["--help", "--help-hidden", "--version"])
    return rest.prefix { $0 != "--" }.first { $0.hasPrefix("--") && !known.contains(String($0.prefix { $0 != "=" })) }
  }

  /// The word that stands behind an option, if there is one.
  func word(behind option: String) -> String? {
    rest.firstIndex(of: option).flatMap { $0 + 1 < rest.endIndex ? rest[$0 + 1] : nil }
  }

  /// As ArgumentParser describes them.
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
