/// The ways for a user to dismiss a toast, beside waiting. By default none that would withhold input from the program.
package struct ToastInputSettings: Hashable, Sendable {
  /// The control character after which Escape dismisses the toast; nil for none: then the program receives every key.
  package var focusKey: UInt8?
  /// Whether the mouse also works on a toast where the program does not use it.
  package var mouse: Bool

  package init(focusKey: UInt8? = nil, mouse: Bool = false) {
    self.focusKey = focusKey
    self.mouse = mouse
  }
}
