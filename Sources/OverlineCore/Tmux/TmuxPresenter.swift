package import Overline

/// Makes one server show the wanted content, and stores the server's current content. Every call waits for tmux; the shell owns the thread.
package struct TmuxPresenter<Port: TmuxPort & Sendable>: ~Copyable, Sendable {
  private let port: Port
  private var reserve: TmuxReserve
  /// The inset by the lines; zero without lines.
  package private(set) var inset = TerminalInsets()
  /// The variables as they are in the server; empty while nothing shows.
  private var variables: [String: String] = [:]
  /// The reserved lines.
  private var lines: [StatusLine] = []
  /// The lines' places in the sessions, and the places before our lines; nil without lines.
  private var places: (reserved: LinePlaces, original: LinePlaces)?
  /// Whether the server's content is unknown: an earlier monitor may have left a line, or our last attempt may have failed halfway.
  private var isUnknown = true
  /// The sessions when the server was last read.
  private var sessions: Set<String>
  /// The clients that received the last frame, and the colours that all of them can show.
  private var clients: [String] = []
  private var colorDepth = ColorDepth.truecolor

  /// - Parameters:
  ///   - sessions: the sessions that the caller has found in the server; they spare a reading.
  ///   - reserve: the setting of the server's owner, or else the configuration's.
  package init(_ port: Port, sessions: Set<String>, reserve: TmuxReserve) {
    self.port = port
    self.sessions = sessions
    self.reserve = reserve
  }

  /// True while a banner or toast shows, so that the next frame is not the first one.
  package var isShowing: Bool { !variables.isEmpty }

  /// Makes the server show `content`.
  ///
  /// - Parameters:
  ///   - reserve: the current setting for this server.
  ///   - anew: whether to reserve lines again that are already reserved, because a reload may have changed them.
  ///   - warn: called with problems that do not prevent the display.
  package mutating func present(
    _ content: TmuxContent, reserve: TmuxReserve, anew: Bool, warn: (String) -> Void
  ) throws(TmuxError) {
    if reserve != self.reserve, isShowing { try restore() }
    self.reserve = reserve
    let wanted = content.lines(reserve)
    // Leftovers of a crashed monitor: `reserveLines` undoes them itself. Without it they are undone first.
    if isUnknown, wanted.isEmpty { try restore() }
    if wanted.isEmpty, content.isEmpty {
      if isShowing { try restore() }
      return
    }
    if variables.isEmpty || anew, let consequence = port.watch() { warn(consequence) }
    let isOther = !wanted.isEmpty && (wanted != lines || anew || isUnknown)
    // A run that fails may have had its effect, or a part of it.
    isUnknown = true
    // The user, or a reload of the configuration, may have removed the lines.
    let isDrawn = isOther ? false : try draw(content, anew: anew)
    if !isDrawn { try reserveLines(wanted, content) }
    isUnknown = false
  }

  /// Gives all lines back, for the last time. Runs no tmux if the server contains nothing of ours.
  package mutating func leave() throws(TmuxError) {
    if isShowing || isUnknown { try restore() }
  }

  /// Gives all lines back, and removes every trace.
  mutating func restore() throws(TmuxError) {
    try port.restoreSaved(sessions: sessions)
    forget()
  }

  /// Resets this value to its state before the first frame, after a restore or the server's end.
  package mutating func forget() {
    port.release()
    variables = [:]
    clients = []
    lines = []
    places = nil
    isUnknown = false
    inset = TerminalInsets()
  }

  /// Changes the lines to `wanted`. Saves the original state in the server first, then sets the variables, then the options, so that the
  /// first paint is right. One run does all of it, so there is only one redraw.
  private mutating func reserveLines(_ wanted: [StatusLine], _ content: TmuxContent) throws(TmuxError) {
    let snapshot = try port.snapshot(sessions: sessions)
    sessions = Set(snapshot.state.sessions.keys)
    colorDepth = snapshot.colorDepth
    let values = content.variables(on: colorDepth)
    var states = (original: snapshot.state, reserved: snapshot.state)
    try port.change(snapshot, attempt: Self.attempt) { snapshot, current in
      let original = snapshot.state.undoing(snapshot.saved, keeping: snapshot.settings)
      let reserved = original.reserved(wanted)
      states = (original, reserved)
      var target = reserved
      // tmux itself takes rows from panes. But it would give a row back to other panes than it took it from. So when there are fewer
      // lines than before, the layouts are restored and tmux takes all rows anew.
      if snapshot.state.ownLineCount <= wanted.count { target.windows = snapshot.state.windows }
      let commands = current.commands(to: target)
      let scrolled = commands.isEmpty ? [] : ScrolledPane.commands(snapshot.scrolled)
      let hooks = UserSettings.beginning(snapshot.hooks) + PluginFailure.ending(snapshot.failureHooks)
      let lines =
        [TmuxCommand.setVariable(SavedState.variableName, original.saving(reserved).encoded)]
        + Self.settings(values) + (commands + hooks + scrolled).map(TmuxCommand.line)
        // Setting options redraws every client, setting variables redraws none.
        + (commands.isEmpty ? snapshot.clients.map(TmuxCommand.refresh) : [])
      return (lines, target)
    }
    lines = wanted
    places = (LinePlaces(states.reserved), LinePlaces(states.original))
    variables = values
    clients = snapshot.clients
    let (before, after) = (states.original.global.status ?? "on", states.reserved.global.status ?? "on")
    inset = snapshot.position.inset(rows: StatusOptions.lines(after) - StatusOptions.lines(before))
  }

  /// Draws one frame: sets the changed variables, then redraws each client's status lines. The same run then lists the clients. A client
  /// that attached since the last frame costs additional runs; otherwise a frame costs one process.
  ///
  /// - Parameter anew: whether to set all variables. Another server may have replaced this one at its socket.
  /// - Returns: false if reserved lines are missing.
  private mutating func draw(_ content: TmuxContent, anew: Bool) throws(TmuxError) -> Bool {
    var wanted = content.variables(on: colorDepth)
    let changed = anew ? wanted : wanted.filter { variables[$0] != $1 }
    let places = places == nil ? [] : [ServerReading.asking("places", LinePlaces.listing)]
    if changed.isEmpty {
      // Two changes that came together may be none. The user may have removed the lines before them.
      if places.isEmpty { return true }
      return areLinesReserved(ServerReading.answers(try port.change(places, attempt: Self.attempt)))
    }
    let output = try port.change(
      Self.settings(changed) + clients.map(TmuxCommand.refresh)
        + [ServerReading.asking("clients", ServerReading.listClients)] + places, attempt: Self.attempt)
    let answers = ServerReading.answers(output)
    let listed = ServerReading.lines(answers["clients"])
    let new = listed.filter { !clients.contains($0) }
    if !new.isEmpty {
      // The new clients' terminals may show fewer colours.
      colorDepth = try port.colorDepth()
      let better = content.variables(on: colorDepth)
      let others = better.filter { wanted[$0] != $1 }
      try port.change(
        Self.settings(others) + (others.isEmpty ? new : listed).map(TmuxCommand.refresh), attempt: Self.attempt)
      wanted = better
    }
    variables = wanted
    clients = listed
    return areLinesReserved(answers)
  }

  private mutating func areLinesReserved(_ answers: [String: String]) -> Bool {
    guard let original = places?.original else { return true }
    return places?.reserved.update(ServerReading.lines(answers["places"]), original: original) == false
  }

  private static func settings(_ variables: [String: String]) -> [String] {
    variables.sorted { $0.key < $1.key }.map { TmuxCommand.setVariable($0.key, $0.value) }
  }

  private static var attempt: String { "show the banner in tmux" }
}
