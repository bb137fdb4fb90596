/// What the plugin leaves in a server that it could not attach: the message in a variable, and without a client a hook that shows the message
/// to the next client. `config/overline.tmux` sets both, and they remove themselves once the message shows.
package enum PluginFailure {
  package static let variableName = "OVERLINE_FAILURE"

  private static let hooks = "client-session-changed"
  private static let hook = "\(hooks)[7041]"

  static let listHooks = ["show-hooks", "-g", hooks]

  /// The commands that remove the hook, for a server that is attached or detached now. The variable is removed with all others.
  ///
  /// - Parameter hooks: the answer to ``listHooks``. An entry of the user at that index stays.
  package static func ending(_ hooks: String?) -> [[String]] {
    let entry = hooks?.split(separator: "\n").first { $0.hasPrefix(hook + " ") }
    return entry?.contains(variableName) == true ? [["set-hook", "-gu", hook]] : []
  }
}
