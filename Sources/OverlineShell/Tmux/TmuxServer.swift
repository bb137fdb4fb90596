package import OverlineCore
package import OverlineSystem

/// Each call runs one short `tmux` client; nothing stays open.
extension TmuxServer {
  /// How long to wait for a server's answer. A server may be busy; a stopped one never answers.
  package static let defaultTimeout: Duration = .seconds(10)

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

  /// The output and the errors of a run of commands. A command that fails does not stop those after it.
  struct Reply: Equatable {
    var output: String
    var errors: [String]

    /// The first error that is a failure. A client or session that ended between our question and our command is no failure.
    var failure: String? {
      errors.first { error in !["can't find", "no such session"].contains { error.contains($0) } }
    }
  }

  /// Runs commands, each a name and its arguments, and returns what they print.
  @discardableResult
  package func run(
    _ commands: [[String]], timeout: Duration = defaultTimeout, until end: BootTimer? = nil
  ) throws(TmuxError) -> String {
    let reply = try source(commands.map(TmuxCommand.line), timeout: timeout, until: end)
    if let error = reply.errors.first {
      throw TmuxError(attempt: "run commands in tmux (\(socket))", errors: error)
    }
    return reply.output
  }

  /// Runs command lines in one `tmux source-file -`. One command per line, because in a `;` chain the first failure skips the rest. From
  /// standard input, because a client's arguments are limited to 16 KB.
  ///
  /// `-u`: without it and with no UTF-8 locale, as under systemd, tmux replaces all non-ASCII characters in its output.
  ///
  /// - Parameters:
  ///   - descriptor: the tmux client also holds this descriptor, so that it closes only after the client's end.
  ///   - end: ends the tmux client when it is due.
  @discardableResult
  func source(
    _ lines: [String], holding descriptor: Int32? = nil, timeout: Duration = defaultTimeout, until end: BootTimer? = nil
  ) throws(TmuxError) -> Reply {
    try checkOwner()
    let attempt = "talk to tmux (\(socket))"
    let result: Subprocess.Result
    do {
      result = try Subprocess.run(
        "tmux", ["-u", "-S", socket, "source-file", "-"], input: Array((lines.joined(separator: "\n") + "\n").utf8),
        inheriting: descriptor.map { [$0] } ?? [], timeout: timeout, until: end)
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
    return Reply(output: result.outputText, errors: errors)
  }
}
