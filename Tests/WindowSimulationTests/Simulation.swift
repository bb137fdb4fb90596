import Overline
import OverlineProcess
import OverlineSimulatedTerminal
import OverlineSystem
@testable import OverlineCore
@testable import OverlineShell

/// Runs a window in a simulated world, and compares the terminal with one that has no window.
final class Simulation {
  private static let maximumTurns = 100_000
  /// The longest time without a banner, whether the terminal answers or not.
  private static let maximumMissing = Duration.seconds(2)
  /// A deadline that is farther away is no work under way: the age in a banner's words.
  private static let restTime = Duration.seconds(5)

  let world: SimulatedWorld
  fileprivate(set) var pump: WindowPump<SimulatedPort>
  /// Whether the schedule compares the screens, which only terminals of one size allow.
  let hasOneSize: Bool
  let changesWidth: Bool

  init(_ scenario: Scenario, logs: Bool = false) {
    world = SimulatedWorld(scenario, logs: logs)
    let display = DisplayMachine(
      banner: BannerSettings(graceDelay: .zero, hideDelay: .milliseconds(200), motion: .off),
      toasts: ToastSettings(motion: .off), toastInput: ToastInputSettings(),
      size: world.size, capabilities: Self.capabilities(scenario.isNamed ? scenario.family : ""),
      leadsSession: scenario.leadsSession)
    pump = WindowPump(WindowMachine(display), port: SimulatedPort(world: world))
    changesWidth = scenario.items.contains {
      if case .resize(_, let columns) = $0.action { columns != scenario.columns } else { false }
    }
    hasOneSize = !scenario.items.contains { if case .resize = $0.action { true } else { false } }
  }

  static func run(_ scenario: Scenario, isBare: Bool = false) -> (failure: Failure?, coverage: Coverage) {
    ScheduleExport.note(scenario)
    let simulation = Simulation(scenario)
    let failure = isBare ? simulation.runRelay() : simulation.run()
    return (failure, simulation.world.coverage)
  }

  private static func capabilities(_ family: String) -> TerminalCapabilities {
    var variables = ["LANG": "C.UTF-8"]
    switch family {
    case "xterm": variables.merge(["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"]) { $1 }
    case "vte": variables.merge(["TERM": "xterm-256color", "VTE_VERSION": "7006"]) { $1 }
    case "kitty": variables["TERM"] = "xterm-kitty"
    case "urxvt": variables["TERM"] = "rxvt-unicode-256color"
    case "alacritty", "foot", "mlterm": variables["TERM"] = family
    case "st": variables["TERM"] = "st-256color"
    case "tmux", "screen": variables["TERM"] = "\(family)-256color"
    default: variables["TERM"] = "xterm-256color"
    }
    return TerminalCapabilities(environment: { variables[$0] }, isTerminal: true)
  }

  // MARK: The run

  func run() -> Failure? {
    pump.deliver(.opened(world.isOffline ? [.network(SimulatedWorld.lost)] : [.network(SimulatedWorld.online)]))
    var turns = 0
    while true {
      if case .over = pump.machine.phase { break }
      turns += 1
      if turns > Self.maximumTurns { return failure(.restless, "no rest after \(turns) turns, at \(world.now)") }
      if pump.machine.phase == .ready {
        pump.deliver(.programStarted(title: nil))
        pump.noteSize()
        world.startProgram()
      }
      guard isResting else {
        pump.turn()
        world.noteMissingTime()
        if world.longestMissing > Self.maximumMissing {
          return failure(.noBanner, "missing for \(world.longestMissing), until \(world.now)")
        }
        continue
      }
      world.noteRest()
      if let failure = failureAtRest() { return failure }
      if !world.continueAfterRest() { return nil }
    }
    world.finish()
    if hasBanner { return failure(.banner, "it is on the screen after the end") }
    return failureOfTheLines() ?? failureOfTheScreen() ?? failureOfTheKeys()
  }

  /// Runs a relay in the window's place.
  func runRelay() -> Failure? {
    var port = SimulatedPort(world: world)
    var interest = PortInterest()
    (interest.typed, interest.printed, interest.reports) = (true, true, true)
    var drain = PortInterest()
    drain.terminal = true
    world.startProgram()
    while true {
      if world.isQuiet {
        if let failure = failureOfTheLines() ?? failureOfTheScreen() { return failure }
        guard world.continueAfterRest() else { return nil }
      }
      var ready = port.wait(for: interest, until: nil)
      Self.ignoreOthers(&port)
      var (typed, printed): ([UInt8], [UInt8]) = ([], [])
      if ready.typed, port.read(.terminal, into: &typed) == .bytes { _ = port.write(typed[...], to: .program) }
      guard ready.printed, port.read(.program, into: &printed) == .bytes else { continue }
      var rest = printed[...]
      while !rest.isEmpty, let count = port.write(rest, to: .terminal) {
        rest = rest.dropFirst(count)
        while count == 0, !ready.terminal {
          ready = port.wait(for: drain, until: nil)
          Self.ignoreOthers(&port)
        }
        ready.terminal = false
      }
    }
  }

  private static func ignoreOthers(_ port: inout SimulatedPort) {
    while port.nextSignal() != nil {}
    _ = port.takeRequests()
    while let report = port.nextReport() { if report == .stopped { _ = port.perform(.stop) } }
  }

  private var isResting: Bool {
    world.isQuiet && (pump.machine.nextDeadline.map { $0 > world.now + Self.restTime } ?? true)
  }

  func failure(_ kind: Failure.Kind, _ detail: String) -> Failure {
    Failure(kind: kind, tag: world.tag, detail: detail)
  }
}
