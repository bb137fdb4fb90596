/// Why the monitor cannot write a file.
package struct WriteFault: Equatable, Sendable {
  package enum Cause: Equatable, Sendable {
    case noSpace
    /// The file's folder does not exist.
    case noFolder
    /// A part of the path belongs to another user: the fault and the command that mends it.
    case foreign(String, remedy: String)
    case denied
    case other
  }

  /// The system's words.
  package var text: String
  package var cause: Cause

  package init(text: String, cause: Cause) {
    self.text = text
    self.cause = cause
  }
}
