internal import ArgumentParser
internal import NetworkPath
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

struct StatusCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print the network's state.",
    discussion: """
      Asks the monitor, or the kernel if no monitor runs. Exits with 1 when offline.

      With --verbose it also asks the kernel: which VPN is up, and over what; when the router last answered, and when anything beyond it did.
      """)

  @OptionGroup var output: FormatOptions

  @Flag(name: .shortAndLong, help: "Also print the VPN, and the last answers of router and connections.")
  var verbose = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if verbose, output.format != .text {
      throw ValidationError("--verbose prints text; leave out --format and --json.")
    }
  }

  func run() throws {
    try finish {
      let status = try Self.run(
        output.format, icon: output.icon, socket: options.socket, isQuiet: options.quiet,
        path: try options.configuration().path)
      if verbose, !options.quiet { try printFacts() }
      return status
    }
  }

  /// What the kernel knows now, also of what the monitor does not watch.
  private func printFacts() throws {
    let pathOptions = try options.configuration().path
    let word = RunningMonitor(options)?.word(pathOptions)
    let (path, basis) = try NWPath.currentWithBasis(options: pathOptions, word: word)
    var facts = PathFacts()
    facts.addVPNs(of: path)
    facts.add("tunnels", basis.tunnels.filter(\.report.isDoubtful).map { "\($0.name) \($0.report.words)" })
    facts.addAnswers(basis)
    for line in facts.lines { try Output.sentence(line) }
  }

  /// - Parameter path: read only if no monitor runs.
  static func run(
    _ format: ObserverFormat, icon: String = "", socket: String? = nil, isQuiet: Bool = false,
    path: @autoclosure () throws -> PathOptions
  ) throws -> ExitStatus {
    let status = try current(format, icon, socket: socket, path: path)
    if !isQuiet { try Output.text(status.text + (format.endsWithLineFeed ? "\n" : "")) }
    return ExitStatus(status.state)
  }

  private static let noMonitorCanBe: [ObserverSocketError.Code] = [.noMonitor, .badDirectory, .pathTooLong]

  private static func current(
    _ format: ObserverFormat, _ icon: String, socket: String?, path: () throws -> PathOptions
  ) throws -> StatusText {
    do {
      let socket = try socket ?? RuntimeDirectory.locate().socket
      // The monitor knows no icon.
      if !icon.isEmpty { return StatusText(try ObserverClient.status(path: socket), as: format, icon: icon) }
      return try ObserverClient.status(path: socket, as: format)
    } catch let error as ObserverSocketError where Self.noMonitorCanBe.contains(error.code) {
      // If the user named a socket, a monitor must answer there.
      if socket != nil { throw error }
      let state = ObserverState.straight(from: try NWPath.current(options: path()))
      return StatusText(state, as: format, icon: icon)
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
