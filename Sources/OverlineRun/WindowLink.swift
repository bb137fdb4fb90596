package import Overline
package import OverlineSystem
internal import Synchronization

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
  /// ``WindowLink/onCompletion`` reports the end of each toast and the answer or refusal of each alert, once.
  case overlay(OverlayEvent)
  /// New keyboard and mouse settings of toasts.
  case toastInput(ToastInputSettings)
  /// The time after which the window shows that its program has no answer; zero for never.
  case programNotice(after: Duration)
  /// Make the program lay itself out again: its terminal becomes one row lower, then gets its size back.
  case hardSync
}

/// Connects other threads to a running window: requests in, status and answers out.
package final class WindowLink: Sendable {
  private let requests = Mutex<[WindowRequest]>([])
  let bell: Doorbell
  let onChange: @Sendable (WindowStatus) -> Void
  let onCompletion: @Sendable (OverlayEffect) -> Void
  let onInput: @Sendable () -> Void

  /// All callbacks run on the window's thread, and must not block.
  ///
  /// - Parameters:
  ///   - onChange: receives each new status; the first is that of an empty window.
  ///   - onCompletion: receives the end of each toast, after its animation, and the answer or refusal of each alert.
  ///   - onInput: called within 25 ms of input that reached the program or an alert; once for several keys.
  package init(
    onChange: @escaping @Sendable (WindowStatus) -> Void,
    onCompletion: @escaping @Sendable (OverlayEffect) -> Void = { _ in },
    onInput: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    bell = try Doorbell()
    self.onChange = onChange
    self.onCompletion = onCompletion
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
