/// The parts of a tmux server that our lines change: the status options wherever they are set, and the window layouts.
package struct ServerState: Equatable, Sendable {
  package var global = StatusOptions(status: "on", format: [:])
  /// All sessions, by session id (`$3`).
  package var sessions: [String: StatusOptions] = [:]
  package var windows: [TmuxWindowState] = []

  /// The same server with our lines added.
  package func reserved(_ added: [StatusLine]) -> ServerState {
    var result = self
    let lines = StatusOptions.lines(global.status ?? "on")
    result.global.add(added, inheritedLines: lines)
    for (id, session) in sessions {
      var changed = session
      // A session with its own number of lines needs our lines at other indices than the server's array. So the session gets its own copy.
      if let status = session.status, session.format == nil,
        StatusOptions.places(added.count, of: StatusOptions.lines(status))
          != StatusOptions.places(added.count, of: lines)
      {
        changed.format = global.format
      }
      changed.add(added, inheritedLines: lines)
      result.sessions[id] = changed
    }
    return result
  }

  /// The same server without our lines, but with the user's changes since. Removes our lines even if nothing was saved.
  ///
  /// - Parameter settings: where the user has set the number of lines since. That number stays.
  package func undoing(_ saved: SavedState?, keeping settings: UserSettings = UserSettings()) -> ServerState {
    var result = self
    result.global = saved?.global.undone(in: global, keepingStatus: settings.isGlobal) ?? global
    result.global.removeOurs()
    for (id, session) in sessions {
      let isKept = settings.sessions.contains(id)
      var changed = saved?.sessions[id]?.undone(in: session, keepingStatus: isKept) ?? session
      changed.removeOurs()
      result.sessions[id] = changed
    }
    result.windows = windows.map { $0.undoing(saved?.layouts[$0.id]) }
    return result
  }

  /// The number of our lines in the server.
  package var ownLineCount: Int { global.format?.values.count(where: StatusLine.isOurs) ?? 0 }

  /// The state to save before changing this server into `reserved`.
  package func saving(_ reserved: ServerState) -> SavedState {
    var saved = SavedState(global: StatusChange(original: global, reserved: reserved.global))
    for (id, session) in sessions where reserved.sessions[id] != session {
      saved.sessions[id] = StatusChange(original: session, reserved: reserved.sessions[id]!)
    }
    // A window with one pane has only one layout.
    for window in windows where window.layout.contains("{") || window.layout.contains("[") {
      saved.layouts[window.id] = window.layout
    }
    return saved
  }

  /// The commands that turn this server into `desired`. They set entries of `status-format` before the number of lines.
  package func commands(to desired: ServerState) -> [[String]] {
    var commands = Self.commands(from: global, to: desired.global, scope: ["-g"])
    for (id, session) in sessions.sorted(by: { $0.key < $1.key }) {
      // `$3:`, because `$3` could be a window's name.
      commands += Self.commands(from: session, to: desired.sessions[id] ?? session, scope: ["-t", "\(id):"])
    }
    for (window, wanted) in zip(windows, desired.windows) where window.layout != wanted.layout {
      commands.append(["select-layout", "-t", window.id, wanted.layout])
      // select-layout ends a zoom.
      if window.isZoomed { commands.append(["resize-pane", "-Z", "-t", window.id]) }
    }
    return commands
  }

  private static func commands(from: StatusOptions, to: StatusOptions, scope: [String]) -> [[String]] {
    var commands: [[String]] = []
    if to.format == nil, from.format != nil {
      // If each entry were removed, an empty array would remain and still hide the server's array.
      commands.append(["set-option", "-u"] + scope + ["status-format"])
    } else {
      for index in 0...4 where from.format?[index] != to.format?[index] {
        let name = "status-format[\(index)]"
        if let value = to.format?[index] {
          commands.append(["set-option"] + scope + [name, value])
        } else {
          commands.append(["set-option", "-u"] + scope + [name])
        }
      }
    }
    if from.status != to.status {
      commands.append(
        to.status.map { ["set-option"] + scope + ["status", $0] } ?? ["set-option", "-u"] + scope + ["status"])
    }
    return commands
  }
}
