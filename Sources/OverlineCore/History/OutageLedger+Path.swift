package import NetworkPath
package import Overline

extension OutageLedger.Network {
  /// Nil if the kernel could not be queried.
  package init?(_ path: NWPath, _ limitation: Limitation?) {
    if !path.isKnown { return nil }
    let interface = path.availableInterfaces.first.map { TerminalText.sanitized($0.name) }
    switch path.status {
    case .unsatisfied:
      self = .offline(reason: path.reason?.rawValue, explanation: TerminalText.sanitized(path.explanation))
    case .satisfied, .requiresConnection:
      self =
        limitation.map {
          .limited(
            interface: interface, reason: $0.reason.rawValue, explanation: TerminalText.sanitized($0.explanation))
        } ?? .online(interface: interface)
    }
  }
}
