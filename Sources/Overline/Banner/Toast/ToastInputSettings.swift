/// The ways in which a user can dismiss a toast. By default there is none, so that the program receives all input.
package struct ToastInputSettings: Equatable, Sendable {
  /// The control character after which Escape dismisses the toast. With nil the program receives every key.
  package var focusKey: UInt8?
  /// Whether the mouse works on a toast even if the program does not use the mouse.
  package var mouse: Bool

  package init(focusKey: UInt8? = nil, mouse: Bool = false) {
    self.focusKey = focusKey
    self.mouse = mouse
  }
}
