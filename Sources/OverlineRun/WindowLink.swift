package import Overline
package import OverlineSystem
internal import Synchronization

/// The state of a window that observers receive.
package struct WindowStatus: Hashable, Sendable {
  package var overlays = OverlayStatus()
  /// The rows that the program actually does without.
  package var inset = Inset()
  /// The size of the program's terminal.
  package var rows = 0
  package var columns = 0

  package init() {}
}

/// Requests from other threads to a window.
package enum WindowRequest: Hashable, Sendable {
  case banner(BannerEvent)
  /// Show a toast. ``WindowLink/onToastEnd`` reports its end, once.
  case toast(ToastContent, id: ToastID)
  case dismissToast(ToastID)
  case dismissFrontToast
  /// Show an alert. ``WindowLink/onAnswer`` reports the answer, or ``WindowLink/onRefusal`` that there will be none, unless
  /// the alert is withdrawn.
  case alert(Alert, id: AlertID)
  case withdrawAlert(AlertID)
  /// New settings of toasts. Those of banners are a ``BannerEvent``.
  case toastSettings(ToastSettings, ToastInputSettings)
}

/// Connects other threads to a running window: requests in, status and answers out.
package final class WindowLink: Sendable {
  private let requests = Mutex<[WindowRequest]>([])
  let bell: Doorbell
  let onChange: @Sendable (WindowStatus) -> Void
  let onToastEnd: @Sendable (ToastID) -> Void
  let onAnswer: @Sendable (AlertID, Int?) -> Void
  let onRefusal: @Sendable (AlertID, AlertRefusal) -> Void
  let onInput: @Sendable () -> Void

  /// All callbacks run on the window's thread, and must not block.
  ///
  /// - Parameters:
  ///   - onChange: receives each new status; the first is that of an empty window.
  ///   - onToastEnd: a toast is over, after its animation.
  ///   - onAnswer: an alert was answered; nil when it was dismissed.
  ///   - onRefusal: an alert cannot be shown, or no longer, and gets no answer.
  ///   - onInput: called after each read of typed input.
  package init(
    onChange: @escaping @Sendable (WindowStatus) -> Void,
    onToastEnd: @escaping @Sendable (ToastID) -> Void = { _ in },
    onAnswer: @escaping @Sendable (AlertID, Int?) -> Void = { _, _ in },
    onRefusal: @escaping @Sendable (AlertID, AlertRefusal) -> Void = { _, _ in },
    onInput: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    bell = try Doorbell()
    self.onChange = onChange
    self.onToastEnd = onToastEnd
    self.onAnswer = onAnswer
    self.onRefusal = onRefusal
    self.onInput = onInput
  }

  /// Posts a request to the window.
  package func post(_ request: WindowRequest) {
    requests.withLock { $0.append(request) }
    bell.ring()
  }

  func take() -> [WindowRequest] {
    bell.answer()
    return requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }
}
