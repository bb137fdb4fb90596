package import Overline
package import OverlineSystem
internal import Synchronization

/// What a window shows now, for those who are told.
package struct WindowStatus: Hashable, Sendable {
  package var banner = BannerStatus()
  package var toast: ToastContent?
  package var alert: Alert?
  /// The rows that the program really goes without.
  package var inset = Inset()
  /// The size of the program's terminal.
  package var rows = 0
  package var columns = 0

  package init() {}
}

/// What others ask of a window.
package enum WindowRequest: Hashable, Sendable {
  case banner(BannerEvent)
  /// Show a toast. Its end is told to ``WindowLink/onToastEnd``, once.
  case toast(ToastContent, id: ToastID)
  case dismissToast(ToastID)
  case dismissFrontToast
  /// Ask. The answer is told to ``WindowLink/onAnswer``, or else that there will be none to ``WindowLink/onRefusal``, unless the question
  /// is withdrawn.
  case alert(Alert, id: AlertID)
  case withdrawAlert(AlertID)
  /// Other settings of toasts. Those of banners are a ``BannerEvent``.
  case toastSettings(ToastSettings, ToastInputSettings)
}

/// The way into a window that runs, and out of it, for other threads.
package final class WindowLink: Sendable {
  private let requests = Mutex<[WindowRequest]>([])
  let bell: Doorbell
  let onChange: @Sendable (WindowStatus) -> Void
  let onToastEnd: @Sendable (ToastID) -> Void
  let onAnswer: @Sendable (AlertID, Int?) -> Void
  let onRefusal: @Sendable (AlertID, AlertRefusal) -> Void
  let onInput: @Sendable () -> Void

  /// All of these are called on the window's thread, and must not wait.
  ///
  /// - Parameters:
  ///   - onChange: gets each new status; the first is that of an empty one.
  ///   - onToastEnd: a toast is over, after its animation.
  ///   - onAnswer: an alert was answered, with nil when it was dismissed.
  ///   - onRefusal: an alert cannot be shown, or not any longer, and is not answered.
  ///   - onInput: called after each read of what was typed.
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

  /// Hands a request to the window.
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
