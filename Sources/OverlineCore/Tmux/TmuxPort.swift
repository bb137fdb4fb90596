internal import Overline

/// A way to a tmux server. The shell starts a `tmux` for each call, and a test asks a model.
package protocol TmuxPort {
  var server: TmuxServer { get }

  /// Runs command lines, and waits for their end. A line that fails does not stop those after it.
  ///
  /// - Parameters:
  ///   - changes: whether the lines change what a guardian restores. The guardian then waits for their end.
  ///   - timeout: the limit for the answer; nil for the usual one.
  /// - Throws: if the server has ended, may not be used, or does not answer.
  func source(_ lines: [String], changes: Bool, timeout: Duration?) throws(TmuxError) -> TmuxReply

  /// Tells the guardian that the server is about to get a line.
  ///
  /// - Returns: the consequence for the user, if there is no guardian now.
  func watch() -> String?

  /// Tells the guardian that the server has no line any more.
  func release()
}

/// The output and the errors of a run of commands.
package struct TmuxReply: Equatable, Sendable {
  package var output: String
  package var errors: [String]

  package init(output: String, errors: [String] = []) {
    self.output = output
    self.errors = errors
  }

  /// The first error that is a failure. A client or session that ended between our question and our command is no failure.
  package var failure: String? {
    errors.first { error in !["can't find", "no such session"].contains { error.contains($0) } }
  }
}

extension TmuxPort {
  /// Runs commands, each a name and its arguments, and returns what they print.
  @discardableResult
  package func run(_ commands: [[String]], timeout: Duration? = nil) throws(TmuxError) -> String {
    let reply = try source(commands.map(TmuxCommand.line), changes: false, timeout: timeout)
    if let error = reply.errors.first {
      throw TmuxError(attempt: "run commands in tmux (\(server.socket))", errors: error)
    }
    return reply.output
  }

  /// Checks that the server can show a banner, and reads its owner's options. Throws if the server is too old, has ended, or belongs to
  /// another user.
  package func probe(timeout: Duration? = nil) throws(TmuxError) -> TmuxProbe {
    TmuxProbe(try answers(ServerReading.probeQuestions, timeout))
  }

  package func activity(timeout: Duration? = nil) throws(TmuxError) -> TmuxActivity {
    let question = ServerReading.withSession([
      "list-clients", "-F", "#{?client_control_mode,,#{client_activity}}",
    ])
    let times = ServerReading.lines(try run([question], timeout: timeout)).compactMap { Int($0) }
    return TmuxActivity(clientCount: times.count, last: times.max())
  }

  /// Reads the server in one round, or in two if the first lists sessions that are not in `known`.
  ///
  /// - Parameter known: the sessions at the last reading; some may have ended.
  func snapshot(sessions known: Set<String>) throws(TmuxError) -> ServerSnapshot {
    let questions = ServerReading.serverQuestions + known.sorted().flatMap(ServerReading.questions(session:))
    var answers = try answers(questions, nil)
    let probe = TmuxProbe(answers)
    let sessions = probe.sessions.subtracting(known).sorted()
    if !sessions.isEmpty {
      answers.merge(ServerReading.answers(try ask(sessions.flatMap(ServerReading.questions(session:)), nil))) { $1 }
    }
    return ServerSnapshot(answers)
  }

  private func answers(_ questions: [String], _ timeout: Duration?) throws(TmuxError) -> [String: String] {
    let answers = ServerReading.answers(try ask(questions, timeout))
    let version = answers["version"] ?? ""
    if let known = TmuxVersion(version), !known.isSupported {
      throw TmuxError(
        code: .tooOld, attempt: "show a banner in tmux (\(server.socket))", reason: "the server is tmux \(version)")
    }
    return answers
  }

  /// The colours that all clients can show now.
  func colorDepth() throws(TmuxError) -> ColorDepth {
    ServerReading.colorDepth(try ask([TmuxCommand.line(ServerReading.listTerminals)], nil))
  }

  /// Rejects a partial answer: a missing option would count as unset, and later be restored as unset.
  private func ask(_ questions: [String], _ timeout: Duration?) throws(TmuxError) -> String {
    let reply = try source(questions, changes: false, timeout: timeout)
    if let error = reply.failure { throw TmuxError(attempt: "read tmux (\(server.socket))", errors: error) }
    return reply.output
  }

  /// Undoes the changes of banners and toasts in this server, and removes all our variables. What users have changed since stays. Returns
  /// true if a line was there. For the monitor after a crash, the guardian, and `overline tmux detach`.
  ///
  /// - Parameter known: the sessions at the last reading.
  @discardableResult
  package func restoreSaved(sessions known: Set<String> = []) throws(TmuxError) -> Bool {
    let snapshot = try snapshot(sessions: known)
    try change(snapshot, attempt: "take the banner out of tmux") { snapshot, current in
      let original = snapshot.state.undoing(snapshot.saved, keeping: snapshot.settings)
      let commands = current.commands(to: original)
      let places = commands.isEmpty ? [] : ScrolledPane.commands(snapshot.scrolled)
      let lines =
        (UserSettings.ending(snapshot.hooks) + PluginFailure.ending(snapshot.failureHooks) + commands + places)
        .map(TmuxCommand.line)
        + TmuxVariables.all.map(TmuxCommand.removeVariable)
        + snapshot.clients.map(TmuxCommand.refresh)
      return (lines, original)
    }
    return snapshot.saved != nil
  }

  /// Changes the server's options.
  ///
  /// The user may change an option between the snapshot and our change, which then replaces the user's value. So the same run reads the
  /// options once more, right before it changes them. If they differ from the snapshot, a second run makes the change that the user's
  /// values call for.
  ///
  /// - Parameter plan: the lines that change the server, and its state after them. It gets the snapshot to start from, and the server's
  ///   current state.
  func change(
    _ snapshot: ServerSnapshot, attempt: String,
    _ plan: (_ snapshot: ServerSnapshot, _ current: ServerState) -> (lines: [String], state: ServerState)
  ) throws(TmuxError) {
    let first = plan(snapshot, snapshot.state)
    // What the user's hooks print during the change is no answer.
    let lines = snapshot.optionQuestions + [ServerReading.heading("change")] + first.lines
    let later = snapshot.reading(ServerReading.answers(try change(lines, attempt: attempt)))
    if later != snapshot { try change(plan(later, first.state).lines, attempt: attempt) }
  }

  /// Runs lines that change the server, and returns what they print.
  @discardableResult
  func change(_ lines: [String], attempt: String) throws(TmuxError) -> String {
    let reply = try source(lines, changes: true, timeout: nil)
    if let error = reply.failure { throw TmuxError(attempt: "\(attempt) (\(server.socket))", errors: error) }
    return reply.output
  }
}

/// All variables that we may set in a server.
private enum TmuxVariables {
  static let all =
    StatusLine.allCases.flatMap(\.variableNames) + [
      SavedState.variableName, UserSettings.variableName, PluginFailure.variableName,
    ]
}
