internal import Banner
internal import ObserverProtocol

/// Where overlays are shown: a window, or the tmux servers of a monitor.
///
/// Whoever shows one tells ``Overlays`` of its end.
protocol OverlayScreen: AnyObject {
  /// Shows a toast, or throws why it cannot.
  ///
  /// - Parameter tmux: the socket of the tmux server that it is for; nil for whichever is in use.
  func post(_ toast: ToastContent, id: ToastID, tmux: String?) throws(ProtocolError)
  func dismissToast(_ id: ToastID)
  /// - Parameter tmux: the socket of the tmux server that it is in; nil for all.
  /// - Returns: whether there may be one.
  func dismissFrontToast(tmux: String?) -> Bool
  /// Asks, or throws why it cannot.
  func ask(_ alert: Alert, id: AlertID) throws(ProtocolError)
  func withdrawAlert(_ id: AlertID)
  func post(_ event: BannerEvent)
}
