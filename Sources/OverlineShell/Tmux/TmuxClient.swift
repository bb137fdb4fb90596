package import OverlineCore
internal import OverlineProcess
package import OverlineSystem

/// Talks to a tmux server. Each call runs one short `tmux` client; nothing stays open.
package struct TmuxClient: TmuxPort {
  package let server: TmuxServer
  private let guardian: GuardianProcess?
  private let end: BootTimer?

  /// How long to wait for a server's answer. A server may be busy; a stopped one never answers.
  package static let defaultTimeout: Duration = .seconds(10)

  /// - Parameters:
  ///   - guardian: gives the server's lines back if this process dies; nil if the server gets no lines.
  ///   - end: ends every wait for `tmux` when it is due, also one in progress.
  package init(_ server: TmuxServer, guardian: GuardianProcess? = nil, until end: BootTimer? = nil) {
    self.server = server
    self.guardian = guardian
    self.end = end
  }

  /// Runs command lines in one `tmux source-file -`. One command per line, because in a `;` chain the first failure skips the rest. From
  /// standard input, because a client's arguments are limited to 16 KB.
  ///
  /// `-u`: without it and with no UTF-8 locale, as under systemd, tmux replaces all non-ASCII characters in its output.
  package func source(_ lines: [String], changes: Bool, timeout: Duration?) throws(TmuxError) -> TmuxReply {
    // From the current guardian: the previous one may have been killed since the last run. The client holds the descriptor until its end.
    switch changes ? guardian?.hold() : nil {
    case .some(let hold): return try source(lines, holding: [hold.rawValue], timeout: timeout)
    case .none: return try source(lines, holding: [], timeout: timeout)
    }
  }

  /// - Parameter holding: descriptors that the tmux client holds until its end.
  func source(
    _ lines: [String], holding: [Int32], timeout: Duration? = nil
  ) throws(TmuxError) -> TmuxReply {
    try server.checkOwner()
    let attempt = "talk to tmux (\(server.socket))"
    let result: Subprocess.Result
    do {
      result = try Subprocess.run(
        "tmux", ["-u", "-S", server.socket, "source-file", "-"],
        input: Array((lines.joined(separator: "\n") + "\n").utf8), inheriting: holding,
        timeout: timeout ?? Self.defaultTimeout, until: end)
    } catch {
      throw TmuxError(code: error.isNoSuchFile ? .notInstalled : .failed, attempt: attempt, reason: error.reason)
    }
    var errors = result.errorText.split(separator: "\n").map(String.init)
    // tmux reports parse errors, perhaps from a user's alias, on its standard output.
    if errors.isEmpty, result.status != 0 {
      let words = result.status < 128 ? result.outputText.split(separator: "\n").last : nil
      errors = [words.map(String.init) ?? "exit status \(result.status)"]
    }
    if let first = errors.first {
      let error = TmuxError(attempt: attempt, errors: first)
      if error.code != .failed { throw error }
    }
    return TmuxReply(output: result.outputText, errors: errors)
  }

  package func watch() -> String? {
    do {
      try guardian?.watch(server)
      return nil
    } catch {
      return GuardianProcess.consequence("\(error)")
    }
  }

  package func release() { guardian?.release(server) }
}

extension TmuxServer {
  /// Throws unless this user owns the server and no other user can replace it. A tmux client reads and writes files for its server with the
  /// client's own rights. Call this before every `tmux` that talks to a server.
  package func checkOwner() throws(TmuxError) {
    do throws(SystemError) {
      try Files.checkSocket(socket)
    } catch {
      throw TmuxError(
        code: error.isNoSuchFile ? .serverGone : .refused, attempt: "talk to tmux (\(socket))", reason: error.reason)
    }
  }

  /// Whether a server listens at the socket; true for a stopped server too. This starts no `tmux`.
  package var isListening: Bool { UnixSocket.isListened(at: socket) }
}
