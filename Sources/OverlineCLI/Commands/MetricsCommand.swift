internal import ArgumentParser
internal import OverlineCore

struct MetricsCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print the monitor's metrics as OpenMetrics text.",
    discussion: """
      For Prometheus' node exporter the monitor keeps a file up to date: set textfile in [metrics] of the configuration.
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let response = try response(to: .metrics, options: options)
      try expectSuccess(response)
      guard case .ok(let data?) = response, let text = data.string else {
        throw CommandError("the monitor's answer is not metrics")
      }
      try Output.text(text)
      return .success
    }
  }
}
