internal import ArgumentParser
internal import Overline
internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineSystem

/// Options that every command understands.
struct CommonOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Say nothing but errors and what was asked for.")
  var quiet = false

  @Flag(help: "No colours.")
  var noColor = false

  @Flag(help: "No fades: each change is one repaint.")
  var noMotion = false

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("The monitor's socket.", valueName: "path"), completion: .file())
  var socket: String?

  /// The defaults, without going through the parser.
  static var defaults: CommonOptions {
    // Setting a property makes it a value; before that it is only the definition of one.
    var options = CommonOptions()
    options.quiet = false
    options.noColor = false
    options.noMotion = false
    options.config = nil
    options.socket = nil
    return options
  }

  func validate() throws {
    if config == "" { throw ValidationError("--config: the path is empty") }
    if socket == "" { throw ValidationError("--socket: the path is empty") }
  }

  /// The configuration in effect. What is doubtful in it is said on standard error.
  func configuration() throws -> Configuration {
    try ConfigurationKeeper(self).current
  }

  /// What the file says, with what was said on the command line; and what is doubtful in it.
  func loadConfiguration() throws(ConfigurationError) -> (Configuration, [Diagnostic]) {
    let loaded = try Configuration.load(path: config)
    var configuration = loaded.configuration
    if noMotion { configuration.banner.motion = .off }
    return (configuration, loaded.diagnostics)
  }

  /// Where the monitor listens.
  func socketPath() throws -> String {
    try socket ?? RuntimeDirectory.locate().socket
  }
}

/// Commands that exit with 78 when the file named with `--config` cannot be used, even if a monitor would answer instead. `main.swift`
/// checks the file first. Doctor and `config check` report its errors themselves; `reset` and `config path` do without it.
protocol ConfiguredCommand: ParsableCommand {
  var options: CommonOptions { get }

  /// Throws for a named file that cannot be used.
  func checkNamedFile() throws(ConfigurationError)
}

extension ConfiguredCommand {
  func checkNamedFile() throws(ConfigurationError) {
    if let file = options.config { _ = try Configuration.load(path: file) }
  }
}
