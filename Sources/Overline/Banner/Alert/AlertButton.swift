/// A button of an alert, with the value that it stands for.
///
///     AlertButton("Overwrite", role: .destructive, value: Choice.overwrite)
public struct AlertButton<Value: Sendable>: Sendable {
  /// The text, in few words. Control characters are removed when it is shown.
  public var title: String
  /// What the button does; nil for anything else.
  public var role: AlertButtonRole?
  /// The value of the answer if the user presses this button.
  public var value: Value

  /// Creates a button.
  public init(_ title: String, role: AlertButtonRole? = nil, value: Value) {
    self.title = title
    self.role = role
    self.value = value
  }
}

/// What a button of an alert does.
public enum AlertButtonRole: Hashable, Sendable {
  /// Changes nothing. Escape presses it.
  case cancel
  /// Does something that cannot be undone. It does not have the focus first, unless all buttons are destructive.
  case destructive
}

/// The end of an alert.
public enum AlertAnswer<Value: Sendable>: Sendable {
  /// The user pressed this button.
  case button(Value)
  /// The user dismissed the alert (Escape, without a button of the role `cancel`), the task was cancelled, or the window was
  /// closed meanwhile.
  case dismissed
  /// The user was not asked: there is no terminal or no room for the alert, this program is not in the terminal's foreground, or the window
  /// is closed.
  case impossible
}

extension AlertAnswer: Equatable where Value: Equatable {}
extension AlertAnswer: Hashable where Value: Hashable {}
extension AlertButton: Equatable where Value: Equatable {}
extension AlertButton: Hashable where Value: Hashable {}

extension Alert {
  /// The alert that shows these buttons.
  init<Value>(
    title: String, message: String, buttons: [AlertButton<Value>], level: OverlayLevel, rows: [[StyledText]]
  ) {
    self.init(title: title, message: message, buttons: buttons.map(\.title), level: level, rows: rows)
    focus = buttons.firstIndex { $0.role != .destructive } ?? 0
    cancelButton = buttons.firstIndex { $0.role == .cancel }
  }
}
