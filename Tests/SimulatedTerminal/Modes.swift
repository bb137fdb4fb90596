/// The modes that programs set.
package struct TerminalModes: Hashable, Sendable {
  package var isCursorVisible = true
  /// 2026.
  package var isSynchronized = false
  /// 2004.
  package var bracketsPaste = false
  /// 1000, 1002 or 1003; 0 for none.
  package var mouse = 0
  /// 1006.
  package var isMouseSGR = false
  /// 1004.
  package var reportsFocus = false
  /// 1.
  package var hasApplicationCursorKeys = false
  /// `ESC =`.
  package var hasApplicationKeypad = false
  /// 7.
  package var autowraps = true
  /// 4.
  package var inserts = false
  /// 20.
  package var returnsAtLineFeed = false
}
