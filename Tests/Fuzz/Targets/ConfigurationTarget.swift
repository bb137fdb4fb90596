@testable import OverlineCore

/// The bytes of a configuration file.
enum ConfigurationTarget {
  static func run(_ bytes: [UInt8]) {
    guard let text = try? Configuration.decode(bytes, "config.toml") else { return }
    let (configuration, diagnostics) = Configuration.parse(text, path: "config.toml")
    for diagnostic in diagnostics { precondition(diagnostic.line > 0 && diagnostic.column > 0) }
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    // The printed configuration parses to the same value.
    let (again, found) = Configuration.parse(configuration.toml, path: "config.toml")
    precondition(!found.contains { $0.severity == .error }, "\(found)")
    precondition(again == configuration)
  }
}
