internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem
internal import Synchronization

/// Passes what the running monitor has found to a window.
///
/// A thread waits for the monitor's states, and ``FollowMachine`` decides what counts. While no monitor runs, there is no thread, and
/// ``follow()`` tries again.
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

  /// Reads states until the monitor ends.
  private func read() {
    // Never connect to a socket without a monitor: the service manager would start one.
    guard monitor.exists, var client = try? ObserverClient(path: monitor.socket) else { return }
    var machine = FollowMachine()
    while true {
      let event = Self.next(&client, machine.patience)
      switch machine.handle(event) {
      case .take(let finding): onChange(finding)
      case .ask: client.askAgain()
      case nil: break
      }
      if case .ended = event { return }
    }
  }

  private static func next(_ client: inout ObserverClient, _ patience: Duration?) -> FollowMachine.Event {
    do throws(ObserverSocketError) {
      return try client.next(timeout: patience).map { .state($0) } ?? .ended
    } catch {
      return error.code == .timeout ? .silence : .ended
    }
  }
}
