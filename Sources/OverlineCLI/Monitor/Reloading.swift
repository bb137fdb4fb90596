internal import OverlineCore
internal import OverlineShell

/// The monitor's reloads: on request, and when the file has changed.
extension Monitor {
  /// Reads the file on request. Reports the reload to the service manager, and returns the answer for the client.
  func reload() -> ObserverResponse {
    service.reloading()
    defer { service.reloaded() }
    return readConfiguration()
  }

  /// Applies the file's current content. If it cannot be used, everything stays as it is, and the error is reported once.
  func readConfiguration() -> ObserverResponse {
    switch keeper.reload() {
    case .unchanged: handle(.configurationRead(nil))
    case .changed(let warnings):
      for warning in warnings { console.warn("\(warning)") }
      handle(.configurationRead(keeper.current))
      say("the configuration was read again")
    case .failed(let error, let isNews):
      handle(.configurationRead(nil))
      if isNews {
        for line in "\(error)".split(separator: "\n") { console.warn(String(line)) }
        console.warn("the configuration stays as it was")
      }
      return ObserverResponse(error)
    }
    return .ok()
  }
}

extension ObserverResponse {
  init(_ error: ConfigurationError) {
    self.init(ProtocolError(.badConfiguration, "\(error)"))
  }
}
