internal import Overline
package import OverlineCore
package import OverlineSystem

extension TmuxServer {
  /// Checks that the server can show a banner, and reads its owner's options. Throws if the server is too old, has ended, or belongs to
  /// another user.
  ///
  /// - Parameters:
  ///   - timeout: the limit for the answer.
  ///   - end: ends the wait when it is due.
  package func probe(timeout: Duration = defaultTimeout, until end: BootTimer? = nil) throws(TmuxError) -> TmuxProbe {
    TmuxProbe(try answers(ServerReading.probeQuestions, timeout, end))
  }

  /// Reads the server in one round, or in two if the first lists sessions that are not in `known`.
  ///
  /// - Parameter known: the sessions at the last reading; some may have ended.
  func snapshot(sessions known: Set<String> = [], until end: BootTimer? = nil) throws(TmuxError) -> ServerSnapshot {
    let questions = ServerReading.serverQuestions + known.sorted().flatMap(ServerReading.questions(session:))
    var answers = try answers(questions, Self.defaultTimeout, end)
    let probe = TmuxProbe(answers)
    let sessions = probe.sessions.subtracting(known).sorted()
    if !sessions.isEmpty {
      let more = try ask(sessions.flatMap(ServerReading.questions(session:)), Self.defaultTimeout, end)
      answers.merge(ServerReading.answers(more)) { $1 }
    }
    return ServerSnapshot(answers)
  }

  private func answers(
    _ questions: [String], _ timeout: Duration, _ end: BootTimer?
  ) throws(TmuxError) -> [String: String] {
    let answers = ServerReading.answers(try ask(questions, timeout, end))
    let version = answers["version"] ?? ""
    if let known = TmuxVersion(version), !known.isSupported {
      throw TmuxError(
        code: .tooOld, attempt: "show a banner in tmux (\(socket))", reason: "the server is tmux \(version)")
    }
    return answers
  }

  /// The colours that all clients can show now.
  func colorDepth(until end: BootTimer? = nil) throws(TmuxError) -> ColorDepth {
    ServerReading.colorDepth(try ask([TmuxCommand.line(ServerReading.listTerminals)], Self.defaultTimeout, end))
  }

  /// Rejects a partial answer: a missing option would count as unset, and later be restored as unset.
  private func ask(_ questions: [String], _ timeout: Duration, _ end: BootTimer?) throws(TmuxError) -> String {
    let reply = try source(questions, timeout: timeout, until: end)
    if let error = reply.failure { throw TmuxError(attempt: "read tmux (\(socket))", errors: error) }
    return reply.output
  }

  /// Undoes the changes of banners and toasts in this server, and removes all our variables. What users have changed since stays. Returns
  /// true if a line was there. For the monitor after a crash, the guardian, and `overline tmux detach`.
  ///
  /// - Parameters:
  ///   - known: the sessions at the last reading.
  ///   - end: ends the attempt when it is due.
  @discardableResult
  package func restoreSaved(sessions known: Set<String> = [], until end: BootTimer? = nil) throws(TmuxError) -> Bool {
    let snapshot = try snapshot(sessions: known, until: end)
    let original = snapshot.state.undoing(snapshot.saved, keeping: snapshot.settings)
    let commands = snapshot.state.commands(to: original)
    let places = commands.isEmpty ? [] : ScrolledPane.commands(snapshot.scrolled)
    let reply = try source(
      (UserSettings.ending(snapshot.hooks) + PluginFailure.ending(snapshot.failureHooks) + commands + places)
        .map(TmuxCommand.line)
        + Self.variableNames.map(TmuxCommand.removeVariable)
        + snapshot.clients.map(TmuxCommand.refresh),
      until: end)
    if let error = reply.failure {
      throw TmuxError(attempt: "take the banner out of tmux (\(socket))", errors: error)
    }
    return snapshot.saved != nil
  }

  /// All variables that we may set in a server.
  private static let variableNames =
    StatusLine.allCases.flatMap(\.variableNames) + [
      SavedState.variableName, UserSettings.variableName, PluginFailure.variableName,
    ]
}
