internal import Overline
internal import OverlineObservers
internal import OverlineSystem
internal import Synchronization

/// Passes the limitations that the running monitor has found to a window. A window sends no requests to the check's server itself, and one
/// that has just started has not seen connections lose their answers.
///
/// A thread waits for the monitor's states. While no monitor runs, there is no thread, and ``follow()`` tries again.
final class MonitorFollower: Sendable {
  private enum Phase {
    case idle
    case following
    /// ``MonitorFollower/follow()`` was called meanwhile: a new monitor may have replaced the one that ended.
    case followingAgain
  }

  private let monitor: RunningMonitor
  private let onChange: @Sendable (Limitation?) -> Void
  private let phase = Mutex(Phase.idle)

  /// - Parameters:
  ///   - monitor: the paths of the monitor's files.
  ///   - onChange: called on a thread of the follower's own with each new finding, and with nil when the monitor has ended.
  init(_ monitor: RunningMonitor, onChange: @escaping @Sendable (Limitation?) -> Void) {
    self.monitor = monitor
    self.onChange = onChange
  }

  /// Follows the monitor, if one runs and this window does not follow it yet. Call this when the state file may have changed.
  func follow() {
    let isNew = phase.withLock { phase in
      defer { phase = phase == .idle ? .following : .followingAgain }
      return phase == .idle
    }
    guard isNew else { return }
    do throws(SystemError) {
      try BackgroundThread.start(name: "overline-follow") { [self] in
        repeat { read() } while !isOver
      }
    } catch {
      // Without a thread the window shows only what the kernel knows.
      phase.withLock { $0 = .idle }
    }
  }

  private var isOver: Bool {
    phase.withLock { phase in
      defer { phase = phase == .followingAgain ? .following : .idle }
      return phase != .followingAgain
    }
  }

  /// Reads states until the monitor ends.
  private func read() {
    // Never connect to a socket without a monitor: the service manager would start one.
    guard monitor.contents != nil, var client = try? ObserverClient(path: monitor.socket) else { return }
    var last: Limitation?
    while let state = try? client.next() {
      let new = Limitation(foundBy: state)
      if new != last { onChange(new) }
      last = new
    }
    if last != nil { onChange(nil) }
  }
}

extension Limitation {
  /// The limitation in another process's state; nil for none.
  init?(foundBy state: ObserverState) {
    guard let limited = state.limited, let explanation = state.limitation, let reason = Reason(rawValue: limited.reason)
    else { return nil }
    self.init(reason, cause: limited.cause, explanation: explanation, portal: limited.portal)
  }
}
