package import Overline
package import OverlineCore

/// A place that shows overlays: a window, or the tmux servers of a monitor.
///
/// The screen reports each overlay's end to ``Overlays``.
package protocol OverlayScreen: AnyObject {
  var screen: OwnersMachine.Screen { get }
  /// Shows a toast.
  ///
  /// - Parameters:
  ///   - tmux: the socket of the toast's tmux server; nil for the one in use.
  ///   - shown: called once on the queue. It receives the number of screens that show the toast, now or after earlier toasts.
  func post(_ toast: ToastContent, id: ToastID, tmux: String?, shown: @escaping @Sendable (_ screens: Int) -> Void)
  func dismissToast(_ id: ToastID)
  /// - Parameter tmux: the socket of the toast's tmux server; nil for all.
  /// - Returns: false if there is certainly no toast.
  func dismissFrontToast(tmux: String?) -> Bool
  /// Asks a question. A monitor is never asked to.
  func ask(_ alert: Alert, id: AlertID)
  func withdrawAlert(_ id: AlertID)
  /// Counts the screens that would show a banner now.
  ///
  /// - Parameter completion: called once, on the queue.
  func countBannerScreens(_ completion: @escaping @Sendable (_ screens: Int) -> Void)
  func post(_ event: BannerEvent)
}
