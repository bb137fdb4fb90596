package import NetworkPath
package import Overline

/// What a window tells about itself.
package struct WindowStatus: Equatable, Sendable {
  /// What the window wants to show.
  package var overlays = OverlayStatus()
  /// What its observers are told: a banner only from the moment at which it has its rows, until it has given them back. Nil before the window
  /// knows the network.
  package var observation: Observation?
  /// The size of the program's terminal.
  package var rows = 0
  package var columns = 0

  package init() {}
}

/// Requests from other threads to a window.
package enum WindowRequest: Equatable, Sendable {
  /// The network as it is now, with the reason why it is limited. The window tells its observers, and shows a banner if it must.
  indirect case network(NWPath, Limitation? = nil)
  /// ``WindowReport/completed(_:)`` reports the end of each toast and the answer or refusal of each alert, once.
  case overlay(OverlayEvent)
  /// New keyboard and mouse settings of toasts.
  case toastInput(ToastInputSettings)
  /// The time after which the window shows that its program has no answer; zero for never.
  case programNotice(after: Duration, lag: Duration)
  /// Make the program lay itself out again: its terminal becomes one row lower, then gets its size back.
  case hardSync
}

/// Reports from a window to other threads.
package enum WindowReport: Equatable, Sendable {
  /// A new status; the first is that of an empty window.
  case changed(WindowStatus)
  /// The end of a toast, after its animation, or the answer or refusal of an alert.
  case completed(OverlayEffect)
  /// The program has been running for a moment. What watches the network can start without delaying the program.
  case settled
}
