/// Where the user has set `status` while our lines are there: in the server, or in sessions.
///
/// The user may set the very number of lines that ours make, and the value does not show that. So while lines are reserved, a hook notes it
/// in a variable: `after-set-option`, at an index of its own beside the user's.
struct UserSettings: Hashable, Sendable {
  var isGlobal = false
  /// Session ids.
  var sessions: Set<String> = []

  /// A space, then names with a space after each: `g` is the server.
  static let variableName = "OVERLINE_SET"
  static let none = " "

  init() {}

  init(variable: String) {
    for name in variable.split(separator: " ") {
      if name == "g" { isGlobal = true } else { sessions.insert(String(name)) }
    }
  }

  // MARK: - The hook

  private static let hooks = "after-set-option"
  /// Far from the user's indices, which count from 0.
  private static let hook = "\(hooks)[7041]"

  static let listHooks = ["show-hooks", "-g", hooks]

  /// Notes each name once: a script may set the status every second.
  private static let note: String = {
    let name = "#{?hook_flag_g,g,#{session_id}}"
    let isNew = "#{==:#{m:* \(name) *,#{\(variableName)}},0}"
    let note = TmuxCommand.line(["set-environment", "-ghF", variableName, "#{\(variableName)}\(name) "])
    return TmuxCommand.line(["if-shell", "-F", "#{&&:#{==:#{hook_argument_0},status},\(isNew)}", note])
  }()

  /// The commands that start noting.
  ///
  /// - Parameter hooks: the answer to ``listHooks``. A user's entry at our index stays, and then nothing is noted.
  static func beginning(_ hooks: String?) -> [[String]] {
    (entry(in: hooks) == nil ? [["set-hook", "-g", hook, note]] : [])
      + [["set-environment", "-gh", variableName, none]]
  }

  /// The commands that end it; the variable is removed with the others.
  static func ending(_ hooks: String?) -> [[String]] {
    entry(in: hooks)?.contains(variableName) == true ? [["set-hook", "-gu", hook]] : []
  }

  private static func entry(in hooks: String?) -> Substring? {
    hooks?.split(separator: "\n").first { $0.hasPrefix(hook + " ") }
  }
}
