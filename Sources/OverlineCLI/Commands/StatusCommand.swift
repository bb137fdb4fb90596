internal import ArgumentParser
internal import NetworkPath
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

struct StatusCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print the network's state.",
    discussion: "Asks the monitor, or the kernel if no monitor runs. Exits with 1 when offline.")

  @OptionGroup var output: FormatOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      try Self.run(
        output.format, socket: options.socket, isQuiet: options.quiet, path: try options.configuration().path)
    }
  }

  /// - Parameter path: read only if no monitor runs.
  static func run(
    _ format: ObserverFormat, socket: String? = nil, isQuiet: Bool = false, path: @autoclosure () throws -> PathOptions
  ) throws -> ExitStatus {
    let status = try current(format, socket: socket, path: path)
    if !isQuiet { try Output.text(status.text + (format.endsWithLineFeed ? "\n" : "")) }
    return ExitStatus(status.state)
  }

  private static let noMonitorCanBe: [ObserverSocketError.Code] = [.noMonitor, .badDirectory, .pathTooLong]

  private static func current(
    _ format: ObserverFormat, socket: String?, path: () throws -> PathOptions
  ) throws -> StatusText {
    do {
      return try ObserverClient.status(path: socket ?? RuntimeDirectory.locate().socket, as: format)
    } catch let error as ObserverSocketError where Self.noMonitorCanBe.contains(error.code) {
      // If the user named a socket, a monitor must answer there.
      if socket != nil { throw error }
      let state = ObserverState.straight(from: try NWPath.current(options: path()))
      return StatusText(state, as: format)
    }
  }
}

extension ExitStatus {
  /// Only a known outage counts as offline.
  init(_ state: ObserverState.State) {
    switch state {
    case .offline: self = .offline
    case .online, .restored, .limited, .unknown: self = .success
    }
  }
}
