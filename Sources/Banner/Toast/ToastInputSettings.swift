/// What of the keyboard and the mouse a window may take for its toasts. By default nothing that the program would miss.
public struct ToastInputSettings: Hashable, Sendable {
  /// The control character after which Escape dismisses the toast in front; nil for none.
  public var focusKey: UInt8?
  /// Whether a toast can be clicked and dragged also where the program does not ask for the mouse.
  public var mouse: Bool

  public init(focusKey: UInt8? = nil, mouse: Bool = false) {
    self.focusKey = focusKey
    self.mouse = mouse
  }
}
