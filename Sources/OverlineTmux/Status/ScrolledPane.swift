/// A pane that a person reads back in, in copy mode or in a view of a command's output. When its height changes, tmux shows the
/// cursor's line in the first row, wherever it was before.
struct ScrolledPane: Hashable, Sendable {
  /// `%7`
  var id: String
  /// Rows of the pane.
  var height: Int
  /// Lines below the last row: `#{scroll_position}`.
  var position: Int
  /// The cursor's row: `#{copy_cursor_y}`.
  var cursorRow: Int

  /// Nothing for panes without a mode of this kind.
  static let listing = [
    "list-panes", "-a", "-F",
    "#{?#{m/r:^(copy|view)-mode$,#{pane_mode}},#{pane_id} #{pane_height} #{scroll_position} #{copy_cursor_y},}",
  ]

  /// From a line of the listing. A pane of a window that is linked into several sessions has several lines.
  init?(listed line: String) {
    let fields = line.split(separator: " ")
    guard fields.count == 4, let height = Int(fields[1]), let position = Int(fields[2]), let row = Int(fields[3])
    else { return nil }
    self.init(id: String(fields[0]), height: height, position: position, cursorRow: row)
  }

  init(id: String, height: Int, position: Int, cursorRow: Int) {
    self.id = id
    self.height = height
    self.position = position
    self.cursorRow = cursorRow
  }

  /// The commands that put places back after lines were added or removed. tmux resizes panes when no command waits any longer, so the
  /// first one waits for that: `run-shell` without a command.
  static func commands(_ panes: [ScrolledPane]) -> [[String]] {
    panes.isEmpty ? [] : [["run-shell", "-d", "0"]] + panes.flatMap(\.commands)
  }

  /// For each height that two lines of ours can make of the pane; one whose window is on no client's screen keeps its height until it is.
  private var commands: [[String]] {
    (-2...2).filter { height > $0 }.flatMap { lost in
      // The last row stays the last one, as in the terminal below: the history has the rows that were lost.
      let row = max(0, cursorRow - lost)
      let rowNow = max(0, cursorRow - position - lost)
      let height = "#{==:#{pane_height},\(height - lost)}"
      var commands = [
        guarded([height, "#{!=:#{scroll_position},\(position)}"], ["goto-line", "\(position)"])
      ]
      if row > rowNow {
        commands.append(
          guarded([height, "#{==:#{copy_cursor_y},\(rowNow)}"], ["-N", "\(row - rowNow)", "cursor-down"]))
      }
      return commands
    }
  }

  /// A command of copy mode, where all of these are so and the mode has not been left.
  private func guarded(_ conditions: [String], _ command: [String]) -> [String] {
    let condition = conditions.reduce("#{pane_in_mode}") { "#{&&:\($0),\($1)}" }
    return ["if-shell", "-F", "-t", id, condition, TmuxCommand.line(["send-keys", "-t", id, "-X"] + command)]
  }
}
