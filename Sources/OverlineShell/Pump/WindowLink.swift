package import OverlineCore
package import OverlineSystem
internal import Synchronization

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

  /// - Parameter onInput: called on the window's thread after input that reached the program or an alert, at most four times a second. It
  ///   must not block.
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
