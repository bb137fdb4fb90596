public import Banner
public import POSIX
internal import Synchronization

/// What a window shows now, for those who are told.
public struct WindowStatus: Hashable, Sendable {
  public var banner = BannerStatus()
  public var toast: ToastContent?
  public var alert: Alert?
  /// The rows that the program really goes without.
  public var inset = Inset()
  /// The size of the program's terminal.
  public var rows = 0
  public var columns = 0

  public init() {}
}

/// What others ask of a window.
public enum WindowRequest: Hashable, Sendable {
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
public final class WindowLink: Sendable {
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
  public init(
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
  public func post(_ request: WindowRequest) {
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
