/// A toast that was posted. Whoever posts chooses it, never the same one twice.
package struct ToastID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// What happened to a window's toasts.
package enum ToastEvent: Hashable, Sendable {
  case toastPosted(ToastContent, id: ToastID)
  /// Whoever posted it, or a person, does not want it any longer, whether it shows or waits.
  case toastDismissed(ToastID)
  /// The one in front was clicked, or Escape pressed for it.
  case frontToastDismissed
  /// A button went down on the toast in front.
  case dragBegan
  /// The mouse is so many rows nearer to the toast's edge than where the button went down; fewer than 0 is away from it.
  case dragMoved(rows: Int)
  /// The button was let go there.
  case dragEnded(rows: Int)
  /// Nobody will tell where the button is let go: it snaps back.
  case dragCancelled
  case windowResized(rows: Int?, columns: Int?)
  case settingsChanged(ToastSettings)
  /// The clock may have reached ``ToastMachine/nextDeadline``. Early, late and repeated deliveries do no harm.
  case deadlineReached
}

/// What the window's driver has to do, in this order.
package enum ToastEffect: Hashable, Sendable {
  /// Show this frame in place of the one before.
  case draw(ToastFrame)
  /// Remove the toast; what it covered is there again.
  case clear
  /// This toast is over, after its animation or once another one has its place: said once for each that was posted, also when it was
  /// never shown.
  case end(ToastID)
  /// Tell observers which toast there is now.
  case publish(ToastContent?)
}
