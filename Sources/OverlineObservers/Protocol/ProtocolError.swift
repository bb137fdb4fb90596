/// What is wrong with a message, for the other side: a stable code for programs, a sentence for people.
package struct ProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stable: other programs compare these.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The line is not JSON, or not an object.
    case badJSON = "bad-json"
    case unknownRequest = "unknown-request"
    case missingField = "missing-field"
    /// A field has the wrong type or a value outside its range.
    case badField = "bad-field"
    /// A colour is neither "#rrggbb" nor one of the terminal's.
    case badColor = "bad-colour"
    /// The file cannot be used; what was in effect stays so.
    case badConfiguration = "bad-configuration"
    /// The window is too small to show it, or does not know where.
    case noRoom = "no-room"
    /// Neither a window nor an attached tmux client nor a status bar would show it. Nothing was done.
    case noScreen = "no-screen"
    /// Longer than ``ObserverRequest/maximumLineLength``.
    case lineTooLong = "line-too-long"
    /// The message speaks a later, incompatible version of this protocol.
    case unsupportedVersion = "unsupported-version"
    /// The peer runs as another user.
    case refused
    case tooManyClients = "too-many-clients"
    /// Faster than a connection may ask (``RequestAllowance``). Nothing was done; later it would be.
    case tooMany = "too-many"
    /// The process that an overlay was to be tied to is not there.
    case noProcess = "no-process"
    /// The monitor has not judged the network yet.
    case noState = "no-state"
    /// The request is known, but the one who answers does not do it.
    case unsupported
    /// The request was understood and could not be done.
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
