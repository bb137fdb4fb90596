internal import ArgumentParser
internal import OverlineConfiguration

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check, show or find the configuration.",
    subcommands: [Check.self, Show.self, Path.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check the configuration and print every error. Exits with 78 if it is invalid.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish {
        let loaded: Configuration.Loaded
        do {
          loaded = try Configuration.load(path: options.config)
        } catch {
          // The diagnostics are the answer: one line each, in the form of compilers' messages.
          for line in "\(error)".split(separator: "\n") { try Output.sentence(String(line)) }
          return .badConfiguration
        }
        for diagnostic in loaded.diagnostics { try Output.sentence("\(diagnostic)") }
        if !options.quiet {
          try Output.sentence(loaded.path.map { "\($0): good" } ?? "no configuration file: defaults")
        }
        return .success
      }
    }
  }

  struct Show: ConfiguredCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show every key with the value in effect, as TOML.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish {
        try Output.text(options.configuration().toml)
        return .success
      }
    }
  }

  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Print the configuration file's path.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish {
        guard let path = options.config ?? Configuration.defaultPath else {
          throw CommandError("no configuration can be found: HOME is not set; name a file with --config")
        }
        try Output.line(path)
        return .success
      }
    }
  }
}
