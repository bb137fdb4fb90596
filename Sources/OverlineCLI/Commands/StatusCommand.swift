internal import ArgumentParser
internal import NetworkPath
internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineSystem

struct StatusCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say what the network is now.",
    discussion: "Asks the monitor, or without one the kernel. Exits with 1 when offline.")

  @OptionGroup var output: FormatOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish { try Self.run(format: output.format, options: options) }
  }

  static func run(format: ObserverFormat, options: CommonOptions) throws -> ExitStatus {
    let status = try current(format, options)
    if !options.quiet { try Output.text(status.text + (format.endsWithLineFeed ? "\n" : "")) }
    return ExitStatus(status.state)
  }

  private static let noMonitorCanBe: [ObserverSocketError.Code] = [.noMonitor, .badDirectory, .pathTooLong]

  private static func current(_ format: ObserverFormat, _ options: CommonOptions) throws -> StatusText {
    do {
      return try ObserverClient.status(path: options.socketPath(), as: format)
    } catch let error as ObserverSocketError where Self.noMonitorCanBe.contains(error.code) {
      // A socket that someone named must answer.
      if options.socket != nil { throw error }
      let state = ObserverState.straight(from: try NWPath.current(options: options.configuration().path))
      return StatusText(state, as: format)
    }
  }
}

extension ExitStatus {
  /// Only a known outage is one.
  init(_ state: ObserverState.State) {
    switch state {
    case .offline: self = .offline
    case .online, .restored, .limited, .unknown: self = .success
    }
  }
}
