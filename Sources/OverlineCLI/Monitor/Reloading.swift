internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineSystem

/// When the monitor reads its configuration again: when it is told to, and when the file has changed.
extension Monitor {
  /// `SIGHUP` asks for it, as with other programs of its kind, unless it means what its name says: the terminal that the monitor was
  /// started in is gone, and nobody is there to see it or to end it.
  func hungUp() {
    if hasTerminal && OwnTerminal.open() == nil { end() } else { _ = reload() }
  }

  /// Reads the file because somebody wants it read, who is told when that is done.
  func reload() -> ObserverResponse {
    service.reloading()
    defer { service.reloaded() }
    return readConfiguration()
  }

  /// Goes over to what the file says now. If it cannot be used, everything stays as it is, and that is said once.
  private func readConfiguration() -> ObserverResponse {
    reloadDeadline = nil
    switch keeper.reload() {
    case .unchanged:
      break
    case .changed(let warnings):
      for warning in warnings { console.complain("\(warning)") }
      apply(keeper.current)
      say("the configuration was read again")
    case .failed(let error, let isNews):
      if isNews {
        for line in "\(error)".split(separator: "\n") { console.complain(String(line)) }
        console.complain("the configuration stays as it was")
      }
      return ObserverResponse(error)
    }
    return .ok()
  }

  /// The file may have changed, and may go on doing so for a moment.
  func configurationFileChanged() {
    reloadDeadline = BootClock.now + ConfigurationKeeper.patience
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
