/// How a person may dismiss a toast, beside waiting: nothing that a program could miss, unless they want that.
package struct ToastInputSettings: Hashable, Sendable {
  /// The control character after which Escape dismisses the toast; nil for none: then every key is the program's.
  package var focusKey: UInt8?
  /// Whether the mouse works on a toast also where the program does not use it.
  package var mouse: Bool

  package init(focusKey: UInt8? = nil, mouse: Bool = false) {
    self.focusKey = focusKey
    self.mouse = mouse
  }
}
