package import OverlineSystem

/// A running tmux server, named by its socket. A value: it holds nothing open, each call runs one short `tmux` client.
package struct TmuxServer: Hashable, Sendable {
  /// Path of the server's socket: what `tmux -S` takes.
  package let socket: String

  package init(socket: String) {
    self.socket = socket
  }

  /// How long a server is waited for that does not answer. It may be busy; one that is stopped never does.
  package static let patience: Duration = .seconds(10)

  /// The server that a program runs in, from the value of `$TMUX`: `SOCKET,PID,SESSION` (tmux(1), ENVIRONMENT). The path may
  /// contain commas itself.
  package init?(environment value: String) {
    let fields = value.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count >= 3 else { return nil }
    let socket = fields.dropLast(2).joined(separator: ",")
    guard socket.hasPrefix("/") else { return nil }
    self.socket = socket
  }

  /// Throws unless the server is this user's own, and nobody else can put another in its place: tmux's client reads and writes files for
  /// its server, which so acts as whoever runs the client. To be called before every `tmux` that talks to a server.
  package func checkOwner() throws(TmuxError) {
    do throws(SystemError) {
      try Files.checkSocket(socket)
    } catch {
      throw TmuxError(
        code: error.isNoSuchFile ? .serverGone : .refused, attempt: "talk to tmux (\(socket))", reason: error.reason)
    }
  }

  /// Whether a server listens at the socket, without starting a `tmux`. One that is stopped does.
  package var isListening: Bool { UnixSocket.isListened(at: socket) }

  /// What a run of commands printed, and what some of them could not do. One that fails does not stop those after it.
  struct Reply: Equatable {
    var output: String
    var errors: [String]

    /// The first error that matters. A client that detached, or a session that ended, between our question and our command is
    /// nobody's fault.
    var failure: String? {
      errors.first { error in !["can't find", "no such session"].contains { error.contains($0) } }
    }
  }

  /// Runs commands, each a name and its arguments, and returns what they print.
  @discardableResult
  package func run(
    _ commands: [[String]], timeout: Duration = patience, until end: BootTimer? = nil
  ) throws(TmuxError) -> String {
    let reply = try source(commands.map(TmuxCommand.line), timeout: timeout, until: end)
    if let error = reply.errors.first {
      throw TmuxError(attempt: "run commands in tmux (\(socket))", errors: error)
    }
    return reply.output
  }

  /// Runs command lines in one `tmux source-file -`. A line each, because in a `;` chain the first that fails ends the rest;
  /// from standard input, because a client's arguments are limited to 16 KB.
  ///
  /// `-u`: without it and with no UTF-8 locale, as under systemd, tmux replaces all but ASCII in what it prints.
  ///
  /// - Parameters:
  ///   - descriptor: held open by the tmux client too, so that it closes only when that has ended.
  ///   - end: ends the tmux client when it is due.
  @discardableResult
  func source(
    _ lines: [String], holding descriptor: Int32? = nil, timeout: Duration = patience, until end: BootTimer? = nil
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
    // What it cannot even parse, an alias of the user's perhaps, tmux reports on its standard output.
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
