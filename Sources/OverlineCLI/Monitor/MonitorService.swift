internal import Overline
internal import OverlineSystem

/// The monitor as a service: what it tells the manager that started it (systemd.service(5), sd_notify(3)). Nothing when nobody did.
///
/// Used on the monitor's queue only, which makes the watchdog a sign that the queue moves.
final class MonitorService: @unchecked Sendable {
  private let socket: NotifySocket?
  /// Half of what the manager waits for, as sd_watchdog_enabled(3) recommends.
  private let interval: Duration?
  private(set) var nextDeadline: Duration?
  private var isReady = false
  private var status = ""

  /// How long to wait for a manager that is behind: it must not miss these messages, and nobody waits for us yet or any more.
  private static let patience = Duration.seconds(1)

  /// - Parameter complain: told why the manager cannot be reached.
  init(_ service: ServiceEnvironment, complain: (String) -> Void) {
    var socket: NotifySocket?
    do {
      if let address = service.notifySocket { socket = try NotifySocket(address) }
    } catch {
      complain("\(error)")
    }
    interval = socket == nil ? nil : service.watchdog.map { $0 / 2 }
    self.socket = socket
  }

  /// How the network is, in words. The first time also means that the monitor answers.
  func tell(_ words: String, at now: Duration) {
    let sentence = TerminalText.sanitized(words)
    if isReady, sentence == status { return }
    status = sentence
    send(["STATUS=\(sentence)"] + (isReady ? [] : ["READY=1"]), patience: isReady ? .zero : Self.patience)
    isReady = true
    if nextDeadline == nil { nextDeadline = interval.map { now + $0 } }
  }

  /// The configuration is about to be read again; ``reloaded()`` ends it.
  func reloading() {
    // With the time, the manager knows that this answers the signal that it has sent.
    send(["RELOADING=1", "MONOTONIC_USEC=\(Int64(BootClock.awake / .microseconds(1)))"], patience: Self.patience)
  }

  /// The configuration is in effect, or was refused and the old one stays.
  func reloaded() { send(["READY=1", "STATUS=\(status)"], patience: Self.patience) }

  /// The monitor gives back what it borrowed and ends.
  func stopping() {
    nextDeadline = nil
    send(["STOPPING=1", "STATUS=ending"], patience: Self.patience)
  }

  /// Gives a sign of life when one is due.
  func handleDeadline(at now: Duration) {
    guard let interval, let due = nextDeadline, due <= now else { return }
    nextDeadline = now + interval
    send(["WATCHDOG=1"], patience: .zero)
  }

  /// What the manager does not take is lost: it is told the next thing.
  private func send(_ assignments: [String], patience: Duration) {
    switch socket {
    case .some(let socket): try? socket.send(assignments, patience: patience)
    case .none: break
    }
  }
}
