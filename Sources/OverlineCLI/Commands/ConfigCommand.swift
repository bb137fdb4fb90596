internal import ArgumentParser
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Write, check, show or find the configuration.",
    subcommands: [Init.self, Check.self, Show.self, Path.self])

  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Write a configuration file with every key, its default and its explanation.",
      discussion: "Leaves an existing file unchanged and exits with 2.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try finish {
        let path = try options.configurationPath()
        do throws(SystemError) {
          try Files.makePrivateDirectories(Files.folder(of: path))
          let file = try Files.create(path)
          do throws(SystemError) {
            try file.writeAll(Array(Configuration.documented.utf8))
          } catch {
            try? Files.remove(path)
            throw SystemError(code: error.code, attempt: "write \(path)")
          }
        } catch {
          guard error.isFileExists else { throw error }
          throw CommandError("\(path) exists; rename it first, or name another file with --config")
        }
        if !options.quiet { try Output.sentence("wrote \(path)") }
        return .success
      }
    }
  }

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
        try Output.line(options.configurationPath())
        return .success
      }
    }
  }
}
