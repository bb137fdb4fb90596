internal import Overline
package import OverlineSystem

/// The monitor as a service: its messages to the service manager (systemd.service(5), sd_notify(3)). Without a manager these do nothing.
///
/// Used on the monitor's queue only, so a watchdog message proves that the queue works.
package final class MonitorService: @unchecked Sendable {
  private let socket: NotifySocket?
  /// Half of the manager's timeout, as sd_watchdog_enabled(3) recommends.
  private let interval: Duration?
  package private(set) var nextDeadline: Duration?
  private var isReady = false
  private var status = ""

  /// How long to wait for a slow manager. It must not miss these messages, and no client waits at the start or the end.
  private static let timeout = Duration.seconds(1)

  /// - Parameter warn: called with the reason if the manager cannot be reached.
  package init(_ service: ServiceEnvironment, warn: (String) -> Void) {
    var socket: NotifySocket?
    do {
      if let address = service.notifySocket { socket = try NotifySocket(address) }
    } catch {
      warn("\(error)")
    }
    interval = socket == nil ? nil : service.watchdog.map { $0 / 2 }
    self.socket = socket
  }

  /// Reports the state of the network in words. The first call also reports that the monitor is ready.
  package func tell(_ words: String, at now: Duration) {
    let sentence = TerminalText.sanitized(words)
    if isReady, sentence == status { return }
    status = sentence
    send(["STATUS=\(sentence)"] + (isReady ? [] : ["READY=1"]), timeout: isReady ? .zero : Self.timeout)
    isReady = true
    if nextDeadline == nil { nextDeadline = interval.map { now + $0 } }
  }

  /// Reports the beginning of a reload; ``reloaded()`` reports its end.
  package func reloading() {
    // The manager matches this message with its signal by the time.
    send(["RELOADING=1", "MONOTONIC_USEC=\(Int64(BootClock.awake / .microseconds(1)))"], timeout: Self.timeout)
  }

  /// Reports the end of a reload: the new configuration is in effect, or it was rejected and the old one stays.
  package func reloaded() { send(["READY=1", "STATUS=\(status)"], timeout: Self.timeout) }

  /// Reports that the monitor is restoring tmux and then ends.
  package func stopping() {
    nextDeadline = nil
    send(["STOPPING=1", "STATUS=ending"], timeout: Self.timeout)
  }

  /// Sends a sign of life when one is due.
  package func handleDeadline(at now: Duration) {
    guard let interval, let due = nextDeadline, due <= now else { return }
    nextDeadline = now + interval
    send(["WATCHDOG=1"], timeout: .zero)
  }

  /// If the manager does not accept a message, the message is lost. The next one follows.
  private func send(_ assignments: [String], timeout: Duration) {
    switch socket {
    case .some(let socket): try? socket.send(assignments, timeout: timeout)
    case .none: break
    }
  }
}
