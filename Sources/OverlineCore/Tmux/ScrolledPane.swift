/// A pane in copy mode, or in a view of a command's output. When the pane's height changes, tmux moves the cursor's line to the first row.
package struct ScrolledPane: Equatable, Sendable {
  /// `%7`
  var id: String
  /// Rows of the pane.
  var height: Int
  /// Lines below the last row: `#{scroll_position}`.
  var position: Int
  /// The cursor's row: `#{copy_cursor_y}`.
  var cursorRow: Int

  /// Prints an empty line for a pane that is not in such a mode.
  static let listing = ServerReading.withSession([
    "list-panes", "-a", "-F",
    "#{?#{m/r:^(copy|view)-mode$,#{pane_mode}},#{pane_id} #{pane_height} #{scroll_position} #{copy_cursor_y},}",
  ])

  /// From a line of the listing. If a window is linked into several sessions, its panes have several lines.
  package init?(listed line: String) {
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

  /// The commands that restore the panes' places after lines were added or removed. tmux resizes panes only when no command waits, so the
  /// first command waits until then: `run-shell` without a command.
  package static func commands(_ panes: [ScrolledPane]) -> [[String]] {
    panes.isEmpty ? [] : [["run-shell", "-d", "0"]] + panes.flatMap(\.commands)
  }

  /// The commands for each height that two of our lines can give the pane. While no client shows a window, its panes keep their heights.
  private var commands: [[String]] {
    (-2...2).filter { height > $0 }.flatMap { lost in
      // The last row stays the last row, as in a terminal. The lost rows are in the history.
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

  /// A copy-mode command that runs only while the pane is in a mode and all conditions hold.
  private func guarded(_ conditions: [String], _ command: [String]) -> [String] {
    let condition = conditions.reduce("#{pane_in_mode}") { "#{&&:\($0),\($1)}" }
    return ["if-shell", "-F", "-t", id, condition, TmuxCommand.line(["send-keys", "-t", id, "-X"] + command)]
  }
}
