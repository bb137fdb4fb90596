/// The fault of a message, for its sender: a stable code for programs, a sentence for users.
package struct ProtocolError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Stable: other programs compare these.
  package enum Code: String, Equatable, Sendable, CaseIterable {
    /// The line is not JSON, or not an object.
    case badJSON = "bad-json"
    case unknownRequest = "unknown-request"
    case missingField = "missing-field"
    /// A field has the wrong type or a value outside its range.
    case badField = "bad-field"
    /// A colour is neither "#rrggbb" nor one of the terminal's.
    case badColor = "bad-colour"
    /// The file cannot be used; the previous configuration stays in effect.
    case badConfiguration = "bad-configuration"
    /// The window is too small for the overlay, or its cursor position is unknown.
    case noRoom = "no-room"
    /// No window, attached tmux client or status bar would show the overlay. The request had no effect.
    case noScreen = "no-screen"
    /// The line is longer than ``ObserverRequest/maximumLineLength``.
    case lineTooLong = "line-too-long"
    /// The message has a later, incompatible version of this protocol.
    case unsupportedVersion = "unsupported-version"
    /// The peer runs as another user.
    case refused
    case tooManyClients = "too-many-clients"
    /// The connection's rate limit is exceeded (``RequestAllowance``). The request had no effect. The client can repeat it later.
    case tooMany = "too-many"
    /// The process that should own the overlay does not exist.
    case noProcess = "no-process"
    /// The monitor has no state yet.
    case noState = "no-state"
    /// The request is known, but this server does not support it.
    case unsupported
    /// The request was understood but failed.
    case failed
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
