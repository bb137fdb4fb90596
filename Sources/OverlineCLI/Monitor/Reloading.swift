internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineSystem

/// The monitor reads its configuration again on request, and when the file has changed.
extension Monitor {
  /// `SIGHUP` requests a reload, as with other daemons, unless it means what its name says: the terminal that the monitor was started in is
  /// gone, and no user is left to see or end the monitor.
  func hungUp() {
    if hasTerminal && OwnTerminal.open() == nil { end() } else { _ = reload() }
  }

  /// Reads the file on request. Reports that to the service manager, and returns the answer for the client.
  func reload() -> ObserverResponse {
    service.reloading()
    defer { service.reloaded() }
    return readConfiguration()
  }

  /// Applies the file's current content. If it cannot be used, everything stays as it is, and the error is reported once.
  private func readConfiguration() -> ObserverResponse {
    reloadDeadline = nil
    switch keeper.reload() {
    case .unchanged:
      break
    case .changed(let warnings):
      for warning in warnings { console.warn("\(warning)") }
      apply(keeper.current)
      say("the configuration was read again")
    case .failed(let error, let isNews):
      if isNews {
        for line in "\(error)".split(separator: "\n") { console.warn(String(line)) }
        console.warn("the configuration stays as it was")
      }
      return ObserverResponse(error)
    }
    return .ok()
  }

  /// Handles a possible change of the file, which may go on for a moment.
  func configurationFileChanged() {
    reloadDeadline = BootClock.now + ConfigurationKeeper.debounceInterval
    arm()
  }

  func handleReloadDeadline(at now: Duration) {
    if let reloadDeadline, reloadDeadline <= now { _ = readConfiguration() }
  }
}

extension ObserverResponse {
  init(_ error: ConfigurationError) {
    self.init(ProtocolError(.badConfiguration, "\(error)"))
  }
}
