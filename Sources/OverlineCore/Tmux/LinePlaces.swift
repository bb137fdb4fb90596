/// The places of our lines: for each session, the number of its status lines and which of them are ours. Each frame compares them with the
/// reserved places, since a reload of the user's configuration removes lines silently.
package struct LinePlaces: Equatable, Sendable {
  struct Session: Equatable, Sendable {
    /// The value of `status` in effect.
    var status: String
    /// For each of tmux's five lines, whether it is ours: `01000`.
    var own: String
    /// Whether `status` is set in the session, not inherited from the server.
    var isItsOwn = false

    fileprivate init(_ options: StatusOptions, inheriting global: StatusOptions) {
      status = options.status ?? global.status ?? "on"
      let format = options.format ?? global.format ?? [:]
      own = (0...4).map { format[$0].map(StatusLine.isOurs) == true ? "1" : "0" }.joined()
      isItsOwn = options.status != nil
    }

    fileprivate init(status: String, own: String) {
      self.status = status
      self.own = own
    }
  }

  /// The values for sessions created later.
  private(set) var inherited: Session
  private(set) var sessions: [String: Session]

  package init(_ state: ServerState) {
    inherited = Session(state.global, inheriting: state.global)
    inherited.isItsOwn = false
    sessions = state.sessions.mapValues { Session($0, inheriting: state.global) }
  }

  /// A line for each session: its id, then the two values, then the user's settings (``UserSettings``).
  package static let listing = [
    "list-sessions", "-F",
    "#{session_id} #{status} " + (0...4).map(StatusLine.isOurs(index:)).joined()
      + " #{\(UserSettings.variableName)}",
  ]

  /// Records the sessions' current values.
  ///
  /// - Parameters:
  ///   - listed: the lines of the listing.
  ///   - original: the places without our lines.
  /// - Returns: whether to reserve lines again. A status that was on before our lines and that the user has turned off since stays off as
  ///   long as our lines are there.
  package mutating func update(_ listed: [String], original: LinePlaces) -> Bool {
    var isChanged = false
    for line in listed {
      let fields = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4 else { continue }
      let (id, set) = (fields[0], UserSettings(variable: fields[3]))
      let expected = sessions[id] ?? inherited
      var now = Session(status: fields[1], own: fields[2])
      now.isItsOwn = expected.isItsOwn
      let isSet = set.sessions.contains(id) || set.isGlobal && !expected.isItsOwn
      if now == expected && (!isSet || now.status == "off") { continue }
      let isTurnedOff = now.status == "off" && (original.sessions[id] ?? original.inherited).status != "off"
      if isTurnedOff { sessions[id] = now } else { isChanged = true }
    }
    return isChanged
  }
}
