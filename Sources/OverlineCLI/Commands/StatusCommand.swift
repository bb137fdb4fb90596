internal import ArgumentParser
internal import NetworkPath
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

struct StatusCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print the network's state; -v: also VPN and router.",
    discussion: """
      Asks the monitor, or the kernel if no monitor runs. Exits with 1 when offline.

      With --verbose it also asks the kernel: which VPN is up, and over what; when the router last answered, and when anything beyond it did.
      """)

  @OptionGroup var output: FormatOptions

  @Flag(name: .shortAndLong, help: "Also print the VPN, and the last answers of router and connections.")
  var verbose = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if verbose, output.quality { throw ValidationError("--verbose prints the quality; leave out --quality.") }
    if verbose, output.format != .text {
      throw ValidationError("--verbose prints text; leave out --format and --json.")
    }
  }

  func run() throws {
    try finish {
      if verbose { return try runVerbosely() }
      return try Self.run(
        output.format, icon: output.icon, hasQuality: output.quality, socket: options.socket, isQuiet: options.quiet,
        path: try options.configuration().path)
    }
  }

  /// Prints the monitor's state, then what the kernel knows now, also of what the monitor does not watch.
  private func runVerbosely() throws -> ExitStatus {
    let pathOptions = try options.configuration().path
    let monitor = RunningMonitor(options)
    let state = try Self.state(socket: options.socket) { pathOptions }
    let (_, basis) = try NWPath.currentWithBasis(options: pathOptions, word: monitor?.word(pathOptions))
    if options.quiet { return ExitStatus(state.state) }
    var facts = PathFacts()
    facts.addVPNs(state.path.vpns.map(\.explanation))
    facts.add("tunnels", basis.tunnels.filter(\.report.isDoubtful).map { "\($0.name) \($0.report.words)" })
    facts.addAnswers(basis, silent: monitor?.silentRouters(pathOptions) ?? [:])
    if monitor?.exists != true { facts.add("monitor", monitor?.words) }
    let age = WallTime(rfc3339: state.time).map { WallTime.now.milliseconds - $0.milliseconds } ?? 0
    let sentence = StatusText(state.aged(by: Int(age / 1000)), as: .text).text
    for line in [sentence] + facts.lines { try Output.sentence(line) }
    return ExitStatus(state.state)
  }

  /// - Parameter path: read only if no monitor runs.
  static func run(
    _ format: ObserverFormat, icon: String = "", hasQuality: Bool = false, socket: String? = nil,
    isQuiet: Bool = false, path: @autoclosure () throws -> PathOptions
  ) throws -> ExitStatus {
    let status =
      hasQuality
      ? StatusText(
        measured(try state(socket: socket, path: path), (try? path()) ?? PathOptions()), as: format, icon: icon)
      : try current(format, icon, socket: socket, path: path)
    if !isQuiet { try Output.text(status.text + (format.endsWithLineFeed ? "\n" : "")) }
    return ExitStatus(status.state)
  }

  private static let noMonitorCanBe: [ObserverSocketError.Code] = [.noMonitor, .badDirectory, .pathTooLong]

  private static func current(
    _ format: ObserverFormat, _ icon: String, socket: String?, path: () throws -> PathOptions
  ) throws -> StatusText {
    // The monitor knows no icon.
    if !icon.isEmpty { return StatusText(try state(socket: socket, path: path), as: format, icon: icon) }
    return try answer(socket, { try ObserverClient.status(path: $0, as: format) }) {
      StatusText(.straight(from: try NWPath.current(options: path())), as: format)
    }
  }

  /// The state with the quality of now, from a single look.
  private static func measured(_ state: ObserverState, _ options: PathOptions) -> ObserverState {
    // What the monitor has measured agrees with the rest of its state.
    guard state.path.quality == nil, let watch = try? NWPath.QualityWatch(options: options),
      let look = try? watch.look().look
    else { return state }
    var state = state
    var meter = QualityMeter()
    meter.take(look, at: BootClock.now)
    state.path.quality = meter.reading.report.map(ObserverState.Quality.init)
    return state
  }

  private static func state(socket: String?, path: () throws -> PathOptions) throws -> ObserverState {
    try answer(socket, { try ObserverClient.status(path: $0) }) {
      .straight(from: try NWPath.current(options: path()))
    }
  }

  /// The monitor's answer, or the kernel's if no monitor runs. If the user named a socket, a monitor must answer there.
  private static func answer<Answer>(
    _ socket: String?, _ ask: (String) throws -> Answer, straight: () throws -> Answer
  ) throws -> Answer {
    do {
      return try ask(socket ?? RuntimeDirectory.locate().socket)
    } catch let error as ObserverSocketError where Self.noMonitorCanBe.contains(error.code) && socket == nil {
      return try straight()
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
