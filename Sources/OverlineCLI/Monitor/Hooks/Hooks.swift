internal import Dispatch
internal import Overline
internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineSystem

/// The commands that the user wants run at changes. Without any, nothing is ever started.
///
/// Used on the monitor's queue only.
final class Hooks: @unchecked Sendable {
  var settings: Configuration.Hooks
  private var trigger = HookTrigger()
  /// Called when ``nextDeadline`` may be another one.
  var onChange: () -> Void = {} {
    didSet { for runner in runners.values { runner.onChange = onChange } }
  }
  private let runners: [Hook: HookRunner]
  private var isCancelled = false

  init(_ settings: Configuration.Hooks, queue: DispatchQueue, console: Console) {
    self.settings = settings
    runners = Dictionary(
      uniqueKeysWithValues: Hook.allCases.map {
        ($0, HookRunner($0, queue: queue, say: console.say, complain: console.complain))
      })
  }

  /// The hooks that a change makes due, and that have a command.
  func due(_ machine: BannerMachine) -> [Hook] {
    trigger.take(machine.phase, machine.inset).filter { $0.command(in: settings) != nil }
  }

  /// Runs hooks. What a command reads elsewhere must be as new as `state` by now.
  ///
  /// - Parameter state: what observers have been sent.
  func run(_ due: [Hook], _ state: ObserverState) {
    if isCancelled { return }
    for hook in due {
      if let command = hook.command(in: settings) { runners[hook]?.run(command, environment: Self.environment(state)) }
    }
  }

  var nextDeadline: Duration? { runners.values.compactMap(\.nextDeadline).min() }

  func handleDeadline(at now: Duration) {
    for runner in runners.values { runner.handleDeadline(at: now) }
  }

  func cancel() {
    isCancelled = true
    for runner in runners.values { runner.cancel() }
  }

  /// This process's own, and the state's.
  private static func environment(_ state: ObserverState) -> [String] {
    let variables = state.environment
    let own = ProcessEnvironment.all.map(\.description).filter { one in
      !variables.contains { one.hasPrefix("\($0.name)=") }
    }
    return own + variables.map { "\($0.name)=\($0.value)" }
  }
}
