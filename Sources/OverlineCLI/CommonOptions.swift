internal import ArgumentParser
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

/// Options that every command understands.
struct CommonOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only errors and requested output.")
  var quiet = false

  @Flag(help: "Disable colours.")
  var noColor = false

  @Flag(help: "Disable fades.")
  var noMotion = false

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("The monitor's socket.", valueName: "path"), completion: .file())
  var socket: String?

  /// The defaults, without the parser.
  static var defaults: CommonOptions {
    // A property holds only its definition until a value is set.
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

  /// The configuration in effect. Prints its warnings on standard error.
  func configuration() throws -> Configuration {
    try ConfigurationKeeper(self).current
  }

  /// The file's settings with the command line's values in place of theirs, and the file's warnings.
  func loadConfiguration() throws(ConfigurationError) -> (Configuration, [Diagnostic]) {
    let loaded = try Configuration.load(path: config)
    var configuration = loaded.configuration
    if noMotion { configuration.banner.motion = .off }
    return (configuration, loaded.diagnostics)
  }

  /// The path of the configuration file, which may be missing.
  func configurationPath() throws -> String {
    guard let path = config ?? Configuration.defaultPath else {
      throw CommandError("no configuration can be found: \(UserFolders().homeFault), or name a file with --config")
    }
    return path
  }

  /// The path of the monitor's socket.
  func socketPath() throws -> String {
    try socket ?? RuntimeDirectory.locate().socket
  }
}

/// Commands that exit with 78 when the file named with `--config` cannot be used, even if a monitor could answer. `main.swift` checks the
/// file first. Doctor and `config check` report the file's errors themselves; `reset`, `config path`, `config init` and `completions` do not read it.
protocol ConfiguredCommand: ParsableCommand {
  var options: CommonOptions { get }

  /// Throws if a named file cannot be used.
  func checkNamedFile() throws(ConfigurationError)
}

extension ConfiguredCommand {
  func checkNamedFile() throws(ConfigurationError) {
    if let file = options.config { _ = try Configuration.load(path: file) }
  }
}
