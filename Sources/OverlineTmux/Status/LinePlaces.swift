/// Where lines of ours are: for each session the number of its status lines, and which of them are ours. A frame compares it with what
/// was reserved, since a reload of the user's configuration removes lines without a word.
struct LinePlaces: Hashable, Sendable {
  struct Session: Hashable, Sendable {
    /// The value of `status` in effect.
    var status: String
    /// For each of tmux's five lines whether it is ours: `01000`.
    var own: String
    /// Whether the value is the session's, and not the server's.
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

  /// What sessions have that are made later.
  private(set) var inherited: Session
  private(set) var sessions: [String: Session]

  init(_ state: ServerState) {
    inherited = Session(state.global, inheriting: state.global)
    inherited.isItsOwn = false
    sessions = state.sessions.mapValues { Session($0, inheriting: state.global) }
  }

  /// A line for each session: its id, then the two values, then what people have set (``UserSettings``).
  static let listing = [
    "list-sessions", "-F",
    "#{session_id} #{status} " + (0...4).map(StatusLine.isOurs(index:)).joined()
      + " #{\(UserSettings.variableName)}",
  ]

  /// Takes note of what the sessions have now.
  ///
  /// - Parameters:
  ///   - listed: the lines of the listing.
  ///   - original: where no line was ours.
  /// - Returns: whether lines are to be reserved again. Not where a person has turned the status off, which was on before: there it stays
  ///   off for as long as these lines are there. A configuration that says off, as it did before, is no such wish.
  mutating func update(_ listed: [String], original: LinePlaces) -> Bool {
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
