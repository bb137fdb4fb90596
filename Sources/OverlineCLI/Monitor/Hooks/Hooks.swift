internal import Banner
internal import Configuration
internal import Dispatch
internal import ObserverProtocol
internal import POSIX

/// The commands that the user wants run at changes. Without any, nothing is ever started.
///
/// Used on the monitor's queue only.
final class Hooks {
  var settings: Configuration.Hooks
  private var trigger = HookTrigger()
  /// Called when ``nextDeadline`` may be another one.
  var onChange: () -> Void = {} {
    didSet { for runner in runners.values { runner.onChange = onChange } }
  }
  private let runners: [Hook: HookRunner]

  init(_ settings: Configuration.Hooks, queue: DispatchQueue, console: Console) {
    self.settings = settings
    runners = Dictionary(
      uniqueKeysWithValues: Hook.allCases.map {
        ($0, HookRunner($0, queue: queue, say: console.say, complain: console.complain))
      })
  }

  /// Runs what is due.
  ///
  /// - Parameter state: what observers are told.
  func note(_ machine: BannerMachine, _ state: ObserverState) {
    for hook in trigger.take(machine.phase, machine.inset) {
      guard let command = hook.command(in: settings) else { continue }
      runners[hook]?.run(command, environment: Self.environment(state))
    }
  }

  var nextDeadline: Duration? { runners.values.compactMap(\.nextDeadline).min() }

  func handleDeadline(at now: Duration) {
    for runner in runners.values { runner.handleDeadline(at: now) }
  }

  func cancel() {
    for runner in runners.values { runner.cancel() }
  }

  /// This process's own, and the state's.
  private static func environment(_ state: ObserverState) -> [String] {
    let variables = state.environment
    let own = ProcessEnvironment.all.filter { one in !variables.contains { one.hasPrefix("\($0.name)=") } }
    return own + variables.map { "\($0.name)=\($0.value)" }
  }
}
