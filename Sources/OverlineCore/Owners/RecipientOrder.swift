/// The order in which a command offers its request to windows and the monitor: the window that the command is called in; inside tmux the monitor, which
/// shows the request there; the window with the last input, or else the newest window; the monitor.
package struct RecipientOrder: Equatable, Sendable {
  /// Paths of sockets.
  package private(set) var sockets: [String]
  /// The sockets that were found in the runtime directory. Each is probed before it gets a request: a stopped recipient (Ctrl-Z) would
  /// perform it when it continues.
  package private(set) var probed: Set<String>

  /// - Parameters:
  ///   - window: the window that the command is called in.
  ///   - isInTmux: whether the command is called inside tmux.
  ///   - monitor: the monitor's socket; nil without a runtime directory.
  ///   - windows: the windows of the runtime directory, the one with the last input first.
  package init(window: String?, isInTmux: Bool, monitor: String?, windows: [String]) {
    let here = window.map { [$0] } ?? []
    let monitor = monitor.map { [$0] } ?? []
    sockets = here + (isInTmux ? monitor + windows : windows + monitor)
    probed = Set(windows + monitor).subtracting(here)
  }

  /// - Parameter isProbed: whether the sockets were found in the runtime directory, and not named by the user or a variable.
  package init(_ sockets: [String], isProbed: Bool = false) {
    self.sockets = sockets
    probed = isProbed ? Set(sockets) : []
  }
}
