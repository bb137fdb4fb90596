/// What was typed or pressed for a toast or an alert, and the program does not get.
package enum OverlayInput: Hashable, Sendable {
  case alertKey(AlertKey)
  /// The mouse was pressed while an alert shows. Places count from 0, from the terminal's first cell.
  case alertPressed(row: Int, column: Int)
  case toastPressed(row: Int)
  /// With the button down.
  case toastDragged(row: Int)
  /// nil where the terminal does not say where.
  case toastReleased(row: Int?)
  /// Escape, after the chord that says that it is meant for the toast.
  case toastEscaped
}
