/// Keys and mouse events for a toast or an alert. The program does not receive them.
package enum OverlayInput: Equatable, Sendable {
  case alertKey(AlertKey)
  /// The mouse was pressed while an alert shows. Places count from 0, from the terminal's first cell.
  case alertPressed(row: Int, column: Int)
  case toastPressed(row: Int)
  /// With the button down.
  case toastDragged(row: Int)
  /// Nil when the terminal does not report the place.
  case toastReleased(row: Int?)
  /// Escape after the toast's chord.
  case toastEscaped
}
