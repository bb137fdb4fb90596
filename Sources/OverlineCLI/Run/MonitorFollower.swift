internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem
internal import Synchronization

/// Passes what the running monitor has found to a window.
///
/// A thread waits for the monitor's states. While no monitor runs, there is no thread, and ``follow()`` tries again. A monitor that hangs
/// cannot withdraw its limitation. So while one counts, the thread asks the monitor at an interval, and drops the finding if no answer
/// comes. Without a limitation the thread only waits.
final class MonitorFollower: Sendable {
  private enum Phase {
    case idle
    case following
    /// ``MonitorFollower/follow()`` was called meanwhile: a new monitor may have replaced the one that ended.
    case followingAgain
  }

  private let monitor: RunningMonitor
  private let onChange: @Sendable (MonitorFinding) -> Void
  private let phase = Mutex(Phase.idle)

  /// - Parameters:
  ///   - monitor: the paths of the monitor's files.
  ///   - onChange: called on a thread of the follower's own with each new finding, and with an empty one when the monitor has ended.
  init(_ monitor: RunningMonitor, onChange: @escaping @Sendable (MonitorFinding) -> Void) {
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

  /// The interval of the questions while a limitation counts.
  private static let pause = Duration.seconds(30)
  /// The limit for an answer, which takes milliseconds.
  private static let answerTime = Duration.seconds(2)

  /// Reads states until the monitor ends.
  private func read() {
    // Never connect to a socket without a monitor: the service manager would start one.
    guard monitor.contents != nil, var client = try? ObserverClient(path: monitor.socket) else { return }
    var last = MonitorFinding()
    func take(_ new: MonitorFinding) {
      if new != last { onChange(new) }
      last = new
    }
    var hasAsked = false
    while true {
      do throws(ObserverSocketError) {
        let limit = last.limitation == nil ? nil : hasAsked ? Self.answerTime : Self.pause
        guard let state = try client.next(timeout: limit) else { break }
        hasAsked = false
        take(
          MonitorFinding(
            limitation: Limitation(foundBy: state), dismissedReason: state.dismissedReason,
            shownReason: state.shownReason))
      } catch {
        guard error.code == .timeout else { break }
        // A monitor that continues answers the question with its state, which then counts again.
        if hasAsked { take(MonitorFinding()) } else { hasAsked = client.askAgain() }
      }
    }
    take(MonitorFinding())
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
