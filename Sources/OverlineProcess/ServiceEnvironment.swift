internal import OverlineSystem

/// The service manager's variables, parsed like the functions of sd-daemon(3): the notification socket, the watchdog interval and the
/// sockets that the manager opened for this process.
package struct ServiceEnvironment: Equatable, Sendable {
  /// The address of the notification socket (sd_notify(3)).
  package var notifySocket: String?
  /// How long the manager waits for a keep-alive before it ends the service (sd_watchdog_enabled(3)). Nil when it does not wait.
  package var watchdog: Duration?
  /// The listening sockets, with their names; the first has descriptor 3 (sd_listen_fds(3)).
  package var listeners: [String]

  /// Variables that describe only this process. Its children must not see them.
  static let variables = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]

  /// Reads the variables for the process of this number. If `WATCHDOG_PID` or `LISTEN_PID` contains another number, these variables were
  /// for its parent.
  package init(environment: (String) -> String?, processID: Int32) {
    notifySocket = environment("NOTIFY_SOCKET")
    let own = String(processID)
    if let text = environment("WATCHDOG_USEC"), environment("WATCHDOG_PID") ?? own == own, let interval = Int64(text),
      interval > 0
    {
      watchdog = .microseconds(interval)
    }
    listeners = []
    if environment("LISTEN_PID") == own, let count = environment("LISTEN_FDS").flatMap({ Int($0) }),
      (1...Self.maximumListeners).contains(count)
    {
      // Missing names are "unknown", as in sd_listen_fds(3).
      let names = (environment("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
      listeners = (0..<count).map { $0 < names.count && !names[$0].isEmpty ? String(names[$0]) : "unknown" }
    }
  }

  /// The limit, higher than any of our units needs. A wrong count must not make this process touch unrelated descriptors.
  private static let maximumListeners = 64
}

extension ServiceEnvironment {
  /// Reads the variables once and removes them, so that no child uses them. Call this before a second thread runs.
  package static func take() -> ServiceEnvironment {
    let service = ServiceEnvironment(
      environment: { ProcessEnvironment[$0] }, processID: ProcessEnvironment.processID)
    for variable in variables { ProcessEnvironment.remove(variable) }
    return service
  }
}
