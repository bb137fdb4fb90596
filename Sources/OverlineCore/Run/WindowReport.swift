package import Overline

/// The state of a window that observers receive.
package struct WindowStatus: Hashable, Sendable {
  package var overlays = OverlayStatus()
  /// The rows that the overlays actually take from the program.
  package var inset = Inset()
  /// The size of the program's terminal.
  package var rows = 0
  package var columns = 0

  package init() {}
}

/// Requests from other threads to a window.
package enum WindowRequest: Hashable, Sendable {
  /// ``WindowReport/completed(_:)`` reports the end of each toast and the answer or refusal of each alert, once.
  case overlay(OverlayEvent)
  /// New keyboard and mouse settings of toasts.
  case toastInput(ToastInputSettings)
  /// The time after which the window shows that its program has no answer; zero for never.
  case programNotice(after: Duration)
  /// Make the program lay itself out again: its terminal becomes one row lower, then gets its size back.
  case hardSync
}

/// Reports from a window to other threads.
package enum WindowReport: Hashable, Sendable {
  /// A new status; the first is that of an empty window.
  case changed(WindowStatus)
  /// The end of a toast, after its animation, or the answer or refusal of an alert.
  case completed(OverlayEffect)
  /// The program has been running for a moment. What watches the network can start without delaying the program.
  case settled
}
