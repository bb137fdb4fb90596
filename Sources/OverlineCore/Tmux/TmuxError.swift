/// A failed attempt to use a tmux server, with advice for the user.
package struct TmuxError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// No `tmux` in `PATH`.
    case notInstalled = "tmux-not-installed"
    /// No server answers at the socket: it ended.
    case serverGone = "tmux-server-gone"
    /// Older than 3.2, the first version with hidden variables and number comparisons in formats.
    case tooOld = "tmux-too-old"
    /// The server belongs to another user, or client and server speak different protocols.
    case refused = "tmux-refused"
    /// The server rejected the command, or did not answer in time.
    case failed = "tmux-failed"
  }

  package let code: Code
  /// The attempt, in words that fit after "cannot": `show the banner in tmux (/tmp/tmux-1000/default)`.
  package let attempt: String
  /// tmux's message, or ours.
  package let reason: String

  package init(code: Code, attempt: String, reason: String) {
    self.code = code
    self.attempt = attempt
    self.reason = reason
  }

  package var description: String { "cannot \(attempt): \(reason). \(advice)" }

  /// Advice for the user, as a sentence.
  package var advice: String {
    switch code {
    case .notInstalled: "Install tmux 3.2 or later, or put it in the monitor's PATH."
    case .serverGone: "The server has ended; it registers again when tmux starts."
    case .tooOld: "Install tmux 3.2 or later and restart its server."
    case .refused: "Run the monitor as the user who owns the server, with the tmux that started it."
    case .failed: "See what tmux said; `overline tmux detach` removes every trace."
    }
  }

  /// Classifies a tmux client's standard error.
  package init(attempt: String, errors: String) {
    let reason = errors.split(separator: "\n").first.map(String.init) ?? "no reason given"
    let gone = ["error connecting to", "no server running", "server exited", "lost server"]
    if reason.contains("Permission denied") || reason.contains("access not allowed") || reason.contains("protocol") {
      self.init(code: .refused, attempt: attempt, reason: reason)
    } else if gone.contains(where: { reason.contains($0) }) {
      self.init(code: .serverGone, attempt: attempt, reason: reason)
    } else {
      self.init(code: .failed, attempt: attempt, reason: reason)
    }
  }
}
