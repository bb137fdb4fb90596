import Testing
@testable import OverlineCore

/// The diagnostics for `text`.
func diagnostics(_ text: String) -> [String] {
  Configuration.parse(text, path: "c.toml").diagnostics.map(\.description)
}

/// The configuration in `text`; records an issue if there are diagnostics.
func parsed(_ text: String) throws -> Configuration {
  let (configuration, diagnostics) = Configuration.parse(text, path: "c.toml")
  try #require(diagnostics.isEmpty, "\(diagnostics)")
  return configuration
}
