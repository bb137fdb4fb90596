internal import Overline
internal import OverlineSystem

/// Makes one server show the wanted content, and stores what it shows. Every call waits for tmux; ``TmuxWindow`` owns the thread.
struct TmuxPresenter: ~Copyable, Sendable {
  private let server: TmuxServer
  private let guardian: GuardianProcess?
  /// Ends every run of tmux when it is due.
  private let end: BootTimer?
  private var reserve: TmuxReserve
  /// The inset that the lines make, zero without any.
  private(set) var inset = Inset()
  /// The variables as they are in the server; empty while nothing shows.
  private var variables: [String: String] = [:]
  /// The reserved lines.
  private var lines: [StatusLine] = []
  /// The lines' places in the sessions, and the places before; nil without any line.
  private var places: (reserved: LinePlaces, original: LinePlaces)?
  /// Whether the server's content is unknown: an earlier monitor may have left something, or an attempt of ours half failed.
  private var isUnknown = true
  /// The sessions when the server was last read.
  private var sessions: Set<String> = []
  /// The clients that the last frame reached, and the colours that all of them show.
  private var clients: [String] = []
  private var colorDepth = ColorDepth.truecolor

  init(server: TmuxServer, guardian: GuardianProcess?, end: BootTimer?, reserve: TmuxReserve) {
    self.server = server
    self.guardian = guardian
    self.end = end
    self.reserve = reserve
  }

  /// Whether something shows, so that the next frame is not its first.
  var isShowing: Bool { !variables.isEmpty }

  /// Makes the server show `content`.
  ///
  /// - Parameters:
  ///   - reserve: the current setting for this server.
  ///   - anew: whether to read lines again that are already reserved, because a reload may have changed everything.
  ///   - warn: called with problems that keep nothing from being shown.
  mutating func present(
    _ content: TmuxContent, reserve: TmuxReserve, anew: Bool, warn: (String) -> Void
  ) throws(TmuxError) {
    if reserve != self.reserve, isShowing { try restore() }
    self.reserve = reserve
    let wanted = content.lines(reserve)
    // Leftovers of a crashed monitor: reserving undoes them itself, everything else undoes them first.
    if isUnknown, wanted.isEmpty { try restore() }
    if wanted.isEmpty, content.isEmpty {
      if isShowing { try restore() }
      return
    }
    if variables.isEmpty || anew { watch(warn) }
    if !wanted.isEmpty, wanted != lines || anew || isUnknown {
      isUnknown = true
      try reserveLines(wanted, content)
    } else {
      // A first frame that fails may leave variables.
      if variables.isEmpty { isUnknown = true }
      // The user, or a reload of the configuration, may have removed the lines.
      if try !draw(content) { try reserveLines(wanted, content) }
    }
    isUnknown = false
  }

  /// Gives everything back, for the last time. Runs no tmux for a server without anything of ours.
  mutating func leave() throws(TmuxError) {
    if isShowing || isUnknown { try restore() }
  }

  /// Gives everything back, and removes every trace.
  mutating func restore() throws(TmuxError) {
    try server.restoreSaved(until: end)
    forget()
  }

  /// Resets to the state before the first frame: after a restore, or the server's end.
  mutating func forget() {
    guardian?.release(server)
    variables = [:]
    clients = []
    lines = []
    places = nil
    isUnknown = false
    inset = Inset()
  }

  private func watch(_ warn: (String) -> Void) {
    do { try guardian?.watch(server) } catch { warn(GuardianProcess.consequence("\(error)")) }
  }

  /// Changes the lines to `wanted`. Saves the original state in the server first; then sets the variables, then the options, so that the
  /// first paint is right. All in one run, so there is one redraw.
  private mutating func reserveLines(_ wanted: [StatusLine], _ content: TmuxContent) throws(TmuxError) {
    let snapshot = try server.snapshot(sessions: sessions, until: end)
    sessions = Set(snapshot.state.sessions.keys)
    colorDepth = snapshot.colorDepth
    let values = content.variables(on: colorDepth)
    let original = snapshot.state.undoing(snapshot.saved, keeping: snapshot.settings)
    let reserved = original.reserved(wanted)
    var target = reserved
    // tmux itself takes rows from panes. It would give a row back to other panes, so then the layouts are set back and it takes all rows
    // anew.
    if snapshot.state.ownLineCount <= wanted.count { target.windows = snapshot.state.windows }
    let commands = snapshot.state.commands(to: target)
    let scrolled = commands.isEmpty ? [] : ScrolledPane.commands(snapshot.scrolled)
    let settings =
      [TmuxCommand.setVariable(SavedState.variableName, original.saving(reserved).encoded)]
      + Self.settings(values) + (commands + UserSettings.beginning(snapshot.hooks) + scrolled).map(TmuxCommand.line)
      // Options redraw every client, variables none.
      + (commands.isEmpty ? snapshot.clients.map(TmuxCommand.refresh) : [])
    try run(settings)
    lines = wanted
    places = (LinePlaces(reserved), LinePlaces(original))
    variables = values
    clients = snapshot.clients
    let rows = StatusOptions.lines(reserved.global.status ?? "on") - StatusOptions.lines(original.global.status ?? "on")
    inset = snapshot.position.inset(rows: rows)
  }

  /// Draws one frame: sets the changed variables, then redraws each client's status lines. The same run then lists the clients. A client
  /// that attached since the last frame gets runs of its own; every other frame costs one process.
  ///
  /// - Returns: false if reserved lines are missing.
  private mutating func draw(_ content: TmuxContent) throws(TmuxError) -> Bool {
    var wanted = content.variables(on: colorDepth)
    let changed = wanted.filter { variables[$0] != $1 }
    guard !changed.isEmpty else { return true }
    let questions = [("clients", ServerReading.listClients)] + (places == nil ? [] : [("places", LinePlaces.listing)])
    let output = try run(
      Self.settings(changed) + clients.map(TmuxCommand.refresh) + questions.map(ServerReading.asking))
    let answers = ServerReading.answers(output)
    let listed = ServerReading.lines(answers["clients"])
    let new = listed.filter { !clients.contains($0) }
    if !new.isEmpty {
      // Their terminals may show fewer colours.
      colorDepth = try server.colorDepth(until: end)
      let better = content.variables(on: colorDepth)
      let others = better.filter { wanted[$0] != $1 }
      try run(Self.settings(others) + (others.isEmpty ? new : listed).map(TmuxCommand.refresh))
      wanted = better
    }
    variables = wanted
    clients = listed
    guard let original = places?.original else { return true }
    return places?.reserved.update(ServerReading.lines(answers["places"]), original: original) == false
  }

  private static func settings(_ variables: [String: String]) -> [String] {
    variables.sorted { $0.key < $1.key }.map { TmuxCommand.setVariable($0.key, $0.value) }
  }

  @discardableResult
  private func run(_ lines: [String]) throws(TmuxError) -> String {
    // From the current guardian: the previous one may have been killed since the last run.
    let reply: TmuxServer.Reply
    switch guardian?.hold() {
    case .some(let hold): reply = try server.source(lines, holding: hold.rawValue, until: end)
    case .none: reply = try server.source(lines, until: end)
    }
    if let error = reply.failure {
      throw TmuxError(attempt: "show the banner in tmux (\(server.socket))", errors: error)
    }
    return reply.output
  }
}
