internal import Overline
internal import OverlineObservers

/// Where overlays are shown: a window, or the tmux servers of a monitor.
///
/// Whoever shows one tells ``Overlays`` of its end.
protocol OverlayScreen: AnyObject {
  /// Shows a toast, or throws why it cannot.
  ///
  /// - Parameters:
  ///   - tmux: the socket of the tmux server that it is for; nil for whichever is in use.
  ///   - shown: gets the number of screens that show it, or will show it after the toasts before it. Called once, on the queue, unless
  ///     this throws.
  func post(
    _ toast: ToastContent, id: ToastID, tmux: String?, shown: @escaping @Sendable (_ screens: Int) -> Void
  ) throws(ProtocolError)
  func dismissToast(_ id: ToastID)
  /// - Parameter tmux: the socket of the tmux server that it is in; nil for all.
  /// - Returns: whether there may be one.
  func dismissFrontToast(tmux: String?) -> Bool
  /// Asks, or throws why it cannot.
  func ask(_ alert: Alert, id: AlertID) throws(ProtocolError)
  func withdrawAlert(_ id: AlertID)
  /// Counts the screens that a banner presented now is on.
  ///
  /// - Parameter completion: called once, on the queue.
  func countBannerScreens(_ completion: @escaping @Sendable (_ screens: Int) -> Void)
  func post(_ event: BannerEvent)
}
