package import Dispatch
package import OverlineCore
internal import OverlineSystem

/// Sends the requests of the reachability check, one at a time.
///
/// Used on one queue only.
package final class Check: @unchecked Sendable {
  private let queue: DispatchQueue
  private let warn: (String) -> Void
  private let onAnswer: (CheckVerdict, _ request: Int) -> Void
  private var request: CheckRequest?
  private var hasWarned = false

  /// - Parameter onAnswer: called on `queue` with the answer, after ``ask(_:_:)`` has returned. A cancelled request gets no call.
  package init(
    queue: DispatchQueue, warn: @escaping (String) -> Void,
    onAnswer: @escaping (CheckVerdict, _ request: Int) -> Void
  ) {
    self.queue = queue
    self.warn = warn
    self.onAnswer = onAnswer
  }

  package func cancel() {
    request?.cancel()
    request = nil
  }

  package func ask(_ settings: CheckSettings, _ number: Int) {
    do {
      request = try CheckRequest(settings, queue: queue) { [unowned self] verdict in
        if let code = request?.refusal { warnOnce(Self.advice(code)) }
        request = nil
        onAnswer(verdict, number)
      }
    } catch {
      warnOnce(Self.advice(error))
      queue.async { self.onAnswer(.notAsked, number) }
    }
  }

  private func warnOnce(_ advice: String) {
    if !hasWarned { warn(advice) }
    hasWarned = true
  }

  private static func advice(_ code: Int32) -> String {
    let what =
      code == 77 ? "curl has no certificates to trust; install ca-certificates" : "curl ends with \(code), see curl(1)"
    return "the reachability check cannot ask: \(what), or remove the server from [check]"
  }

  private static func advice(_ error: SystemError) -> String {
    let what = error.isNoSuchFile ? "curl is not installed; install it, or" : "\(error);"
    return "the reachability check cannot ask: \(what) remove the server from [check]"
  }
}
