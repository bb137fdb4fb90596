@testable import OverlineConfiguration
import Testing

/// What `text` is complained about.
func diagnostics(_ text: String) -> [String] {
  Configuration.parse(text, path: "c.toml").diagnostics.map(\.description)
}

/// The configuration that `text` is, which nothing is to be complained about in.
func parsed(_ text: String) throws -> Configuration {
  let (configuration, diagnostics) = Configuration.parse(text, path: "c.toml")
  try #require(diagnostics.isEmpty, "\(diagnostics)")
  return configuration
}
