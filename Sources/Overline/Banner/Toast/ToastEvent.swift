/// Identifies a posted toast. Chosen by the poster; never reused.
package struct ToastID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// An event for a window's toasts.
package enum ToastEvent: Equatable, Sendable {
  case toastPosted(ToastContent, id: ToastID)
  /// The poster or the user dismissed the toast, whether visible or waiting.
  case toastDismissed(ToastID)
  /// The user clicked the toast in front, or dismissed it with Escape.
  case frontToastDismissed
  /// A mouse button was pressed on the toast in front.
  case dragBegan
  /// The mouse is `rows` nearer to the toast's edge than at the press of the button. Negative: farther away.
  case dragMoved(rows: Int)
  /// The button was released, at this distance.
  case dragEnded(rows: Int)
  /// The release of the button will not be reported: the toast snaps back.
  case dragCancelled
  case windowResized(rows: Int?, columns: Int?)
  case settingsChanged(ToastSettings)
  /// The clock may have reached ``ToastMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
  case deadlineReached
}
