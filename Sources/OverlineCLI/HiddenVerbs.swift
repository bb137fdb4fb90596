/// Commands that only Overline itself calls.
enum HiddenVerbs {
  /// The monitor starts its guardian with it.
  static let guardian = "guardian"
  /// `alert` asks a question in a tmux popup with it.
  static let prompt = "alert-prompt"
}
