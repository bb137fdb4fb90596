/// The places where the user has set `status` while our lines are there: the server, or sessions.
///
/// The user may set the same number of lines that ours make. The option's value does not show this. So while lines are reserved, a hook
/// records each such setting in a variable. It is an entry of `after-set-option` with its own index, beside the user's entries.
package struct UserSettings: Equatable, Sendable {
  var isGlobal = false
  /// Session ids.
  var sessions: Set<String> = []

  /// The value is a space, then names with a space after each. The name `g` is the server.
  package static let variableName = "OVERLINE_SET"
  static let none = " "

  init() {}

  package init(variable: String) {
    for name in variable.split(separator: " ") {
      if name == "g" { isGlobal = true } else { sessions.insert(String(name)) }
    }
  }

  // MARK: - The hook

  private static let hooks = "after-set-option"
  /// Far from the user's indices, which count from 0.
  private static let hook = "\(hooks)[7041]"

  static let listHooks = ["show-hooks", "-g", hooks]

  /// Records each name once, because a script may set the status every second.
  private static let note: String = {
    let name = "#{?hook_flag_g,g,#{session_id}}"
    let isNew = "#{==:#{m:* \(name) *,#{\(variableName)}},0}"
    let note = TmuxCommand.line(["set-environment", "-ghF", variableName, "#{\(variableName)}\(name) "])
    // Without a value `set status` toggles off and on, and leaves a number of lines as it is: ours, not the user's.
    let hasValue = "#{!=:#{hook_argument_1},}"
    let isSet = "#{&&:#{==:#{hook_argument_0},status},\(hasValue)}"
    return TmuxCommand.line(["if-shell", "-F", "#{&&:\(isSet),\(isNew)}", note])
  }()

  /// The commands that start the recording.
  ///
  /// - Parameter hooks: the answer to ``listHooks``. If the user has an entry at our index, it stays and nothing is recorded.
  package static func beginning(_ hooks: String?) -> [[String]] {
    (entry(in: hooks) == nil ? [["set-hook", "-g", hook, note]] : [])
      + [["set-environment", "-gh", variableName, none]]
  }

  /// The commands that end the recording. The variable is removed with all others.
  package static func ending(_ hooks: String?) -> [[String]] {
    entry(in: hooks)?.contains(variableName) == true ? [["set-hook", "-gu", hook]] : []
  }

  private static func entry(in hooks: String?) -> Substring? {
    hooks?.split(separator: "\n").first { $0.hasPrefix(hook + " ") }
  }
}
