internal import OverlineConfiguration
internal import Dispatch
internal import NetworkPath
internal import OverlineMonitor
internal import OverlineSystem

/// The reachability check of a monitor. Without settings it does nothing at all.
///
/// Used on the monitor's queue only.
final class Check: @unchecked Sendable {
  private var machine: CheckMachine
  private let queue: DispatchQueue
  private let warn: (String) -> Void
  private var request: CheckRequest?
  private var hasComplained = false
  /// Called after an answer, which may have changed ``limitation`` and ``nextDeadline``.
  var onAnswer: () -> Void = {}

  init(_ settings: CheckSettings?, queue: DispatchQueue, warn: @escaping (String) -> Void) {
    machine = CheckMachine(settings: settings)
    self.queue = queue
    self.warn = warn
  }

  /// The reason why the connection is limited; nil if it is not, or is not known to be.
  var limitation: Limitation? { machine.limitation }
  var nextDeadline: Duration? { machine.nextDeadline }

  func handle(_ event: CheckMachine.Event, at now: Duration) {
    for effect in machine.handle(event, at: now) {
      switch effect {
      case .ask(let settings, let number): ask(settings, number)
      case .cancel: cancel()
      case .publish: break
      }
    }
  }

  private func cancel() {
    request?.cancel()
    request = nil
  }

  private func ask(_ settings: CheckSettings, _ number: Int) {
    do {
      request = try CheckRequest(settings, queue: queue) { [unowned self] verdict in
        if let code = request?.refusal { warnOnce(Self.advice(code)) }
        answered(verdict, number)
      }
    } catch {
      warnOnce(Self.advice(error))
      // Like every answer, after this has returned.
      queue.async { self.answered(.notAsked, number) }
    }
  }

  private func answered(_ verdict: CheckVerdict, _ number: Int) {
    request = nil
    handle(.answered(verdict, request: number), at: BootClock.now)
    onAnswer()
  }

  private func warnOnce(_ advice: String) {
    if !hasComplained { warn(advice) }
    hasComplained = true
  }

  private static func advice(_ code: Int32) -> String {
    let what =
      code == 77 ? "curl has no certificates to trust; install ca-certificates" : "curl ends with \(code), see curl(1)"
    return "the reachability check cannot ask: \(what), or take url out of [check]; going on without"
  }

  private static func advice(_ error: SystemError) -> String {
    let what = error.isNoSuchFile ? "curl is not installed; install it, or" : "\(error);"
    return "the reachability check cannot ask: \(what) take url out of [check]; going on without"
  }
}
