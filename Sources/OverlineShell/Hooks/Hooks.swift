package import Dispatch
internal import Overline
package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The user's commands for state changes. Without commands, no process is started.
///
/// Used on the monitor's queue only.
package final class Hooks: @unchecked Sendable {
  package var settings: Configuration.Hooks
  /// Called when ``nextDeadline`` may have changed.
  package var onChange: () -> Void = {} {
    didSet { for runner in runners.values { runner.onChange = onChange } }
  }
  private let runners: [Hook: HookRunner]

  package init(_ settings: Configuration.Hooks, queue: DispatchQueue, console: Console) {
    self.settings = settings
    runners = Dictionary(
      uniqueKeysWithValues: Hook.allCases.map {
        ($0, HookRunner($0, queue: queue, say: console.say, warn: console.warn))
      })
  }

  /// Runs hooks. Before this call, everything else that a command may read must be as new as `state`.
  ///
  /// - Parameter state: the state that observers have received.
  package func run(_ due: [DueHook], _ state: ObserverState) {
    for due in due {
      for other in due.hook.superseded { runners[other]?.handle(.superseded) }
      guard let command = due.hook.command(in: settings) else { continue }
      let environment = Self.environment(state.environment + (due.target?.environment ?? []))
      runners[due.hook]?.handle(
        .due(HookMachine.Job(command: command, environment: environment, topic: due.target?.name)))
    }
  }

  package var nextDeadline: Duration? { runners.values.compactMap(\.nextDeadline).min() }

  package func handleDeadline(at now: Duration) {
    for runner in runners.values { runner.handle(.deadlineReached, at: now) }
  }

  package func cancel() {
    for runner in runners.values { runner.handle(.cancelled) }
  }

  /// This process's own variables, with the given ones in place of equal names.
  private static func environment(_ variables: [(name: String, value: String)]) -> [String] {
    let own = ProcessEnvironment.all.map(\.description).filter { one in
      !variables.contains { one.hasPrefix("\($0.name)=") }
    }
    return own + variables.map { "\($0.name)=\($0.value)" }
  }
}

extension ObserverState.Target {
  /// What `on-target` finds in its environment besides the state.
  fileprivate var environment: [(name: String, value: String)] {
    [
      ("OVERLINE_TARGET", name),
      ("OVERLINE_TARGET_STATE", state?.rawValue ?? ""),
      ("OVERLINE_TARGET_EXPLANATION", explanation),
    ]
  }
}
