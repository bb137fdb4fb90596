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

/// Connects other threads to a running window: requests in, reports out, each through a list and a pipe.
///
/// The window's thread submits no work to Dispatch. At the limit of processes libdispatch cannot start a thread for that work, and would
/// sleep on the thread that submits it: the terminal would freeze.
package final class WindowLink: Sendable {
  private let requests = Mutex<[WindowRequest]>([])
  private let reports = Mutex<[WindowReport]>([])
  let bell: Doorbell
  private let reportBell: Doorbell
  let onInput: @Sendable () -> Void

  /// - Parameter onInput: called on the window's thread within 25 ms of input that reached the program or an alert, once for several keys.
  ///   It must not block.
  package init(onInput: @escaping @Sendable () -> Void = {}) throws(SystemError) {
    bell = try Doorbell()
    reportBell = try Doorbell()
    self.onInput = onInput
  }

  /// Posts a request to the window.
  package func post(_ request: WindowRequest) {
    requests.withLock { $0.append(request) }
    bell.ring()
  }

  func takeRequests() -> [WindowRequest] {
    bell.answer()
    return requests.withLock { Self.empty(&$0) }
  }

  /// Posts a report to the other threads. A status replaces one that no thread has read.
  func post(_ report: WindowReport) {
    reports.withLock { reports in
      if case .changed = report, case .changed = reports.last { reports.removeLast() }
      reports.append(report)
    }
    reportBell.ring()
  }

  /// Readable when ``takeReports()`` has something to return.
  package var reportDescriptor: Int32 { reportBell.rawValue }

  package func takeReports() -> [WindowReport] {
    reportBell.answer()
    return reports.withLock { Self.empty(&$0) }
  }

  private static func empty<Element>(_ list: inout [Element]) -> [Element] {
    defer { list = [] }
    return list
  }
}
