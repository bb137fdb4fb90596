internal import Overline
internal import OverlineSystem

/// The monitor as a service: its messages to the manager that started it (systemd.service(5), sd_notify(3)), if one did.
///
/// Used on the monitor's queue only, so the watchdog shows that the queue moves.
final class MonitorService: @unchecked Sendable {
  private let socket: NotifySocket?
  /// Half of the manager's timeout, as sd_watchdog_enabled(3) recommends.
  private let interval: Duration?
  private(set) var nextDeadline: Duration?
  private var isReady = false
  private var status = ""

  /// How long to wait for a slow manager: it must not miss these messages, and no client waits for us yet or any more.
  private static let timeout = Duration.seconds(1)

  /// - Parameter warn: called with the reason if the manager cannot be reached.
  init(_ service: ServiceEnvironment, warn: (String) -> Void) {
    var socket: NotifySocket?
    do {
      if let address = service.notifySocket { socket = try NotifySocket(address) }
    } catch {
      warn("\(error)")
    }
    interval = socket == nil ? nil : service.watchdog.map { $0 / 2 }
    self.socket = socket
  }

  /// Reports the state of the network in words. The first call also reports that the monitor answers.
  func tell(_ words: String, at now: Duration) {
    let sentence = TerminalText.sanitized(words)
    if isReady, sentence == status { return }
    status = sentence
    send(["STATUS=\(sentence)"] + (isReady ? [] : ["READY=1"]), timeout: isReady ? .zero : Self.timeout)
    isReady = true
    if nextDeadline == nil { nextDeadline = interval.map { now + $0 } }
  }

  /// Reports that the configuration is about to be read again; ``reloaded()`` ends that.
  func reloading() {
    // The time shows the manager that this answers its signal.
    send(["RELOADING=1", "MONOTONIC_USEC=\(Int64(BootClock.awake / .microseconds(1)))"], timeout: Self.timeout)
  }

  /// Reports that the configuration is in effect, or was rejected and the old one stays.
  func reloaded() { send(["READY=1", "STATUS=\(status)"], timeout: Self.timeout) }

  /// Reports that the monitor restores tmux and ends.
  func stopping() {
    nextDeadline = nil
    send(["STOPPING=1", "STATUS=ending"], timeout: Self.timeout)
  }

  /// Sends a sign of life when one is due.
  func handleDeadline(at now: Duration) {
    guard let interval, let due = nextDeadline, due <= now else { return }
    nextDeadline = now + interval
    send(["WATCHDOG=1"], timeout: .zero)
  }

  /// A message that the manager does not accept is lost: the next one follows.
  private func send(_ assignments: [String], timeout: Duration) {
    switch socket {
    case .some(let socket): try? socket.send(assignments, timeout: timeout)
    case .none: break
    }
  }
}
