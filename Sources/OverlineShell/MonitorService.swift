internal import Overline
internal import OverlineCore
package import OverlineProcess
internal import OverlineSystem

/// Sends the messages of ``ServiceMachine`` to the service manager. Without a manager it sends nothing.
///
/// Used on the monitor's queue only, so a sign of life proves that the queue works.
package final class MonitorService: @unchecked Sendable {
  private let socket: NotifySocket?
  private var machine: ServiceMachine

  package var nextDeadline: Duration? { machine.nextDeadline }

  /// How long a patient message waits for a slow manager. No client waits at the start or the end.
  private static let timeout = Duration.seconds(1)

  /// - Parameter warn: called with the reason if the manager cannot be reached.
  package init(_ service: ServiceEnvironment, warn: (String) -> Void) {
    var socket: NotifySocket?
    do {
      if let address = service.notifySocket { socket = try NotifySocket(address) }
    } catch {
      warn("\(error)")
    }
    machine = ServiceMachine(watchdog: socket == nil ? nil : service.watchdog)
    self.socket = socket
  }

  package func tell(_ words: String) { handle(.told(TerminalText.sanitized(words))) }
  package func reloading() { handle(.reloading(awake: BootClock.awake)) }
  package func reloaded() { handle(.reloaded) }
  package func stopping() { handle(.stopping) }
  package func handleDeadline() { handle(.deadlineReached) }

  private func handle(_ event: ServiceMachine.Event) {
    guard let message = machine.handle(event, at: BootClock.now) else { return }
    switch socket {
    case .some(let socket): try? socket.send(message.assignments, timeout: message.isPatient ? Self.timeout : .zero)
    case .none: break
    }
  }
}
