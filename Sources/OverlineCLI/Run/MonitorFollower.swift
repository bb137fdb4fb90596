internal import Overline
internal import OverlineObservers
internal import OverlineSystem
internal import Synchronization

/// Passes the findings of the running monitor's reachability check to a window. A window sends no requests to the check's server itself.
///
/// A thread waits for the monitor's states. While no monitor runs, there is no thread, and ``follow()`` tries again.
final class MonitorFollower: Sendable {
  private enum Phase {
    case idle
    case following
    /// ``MonitorFollower/follow()`` was called meanwhile: a new monitor may have replaced the one that ended.
    case followingAgain
  }

  /// The files of a running monitor.
  struct Monitor: Sendable {
    var socket: String
    /// The state file, which names the monitor's process. Only a running monitor has one.
    var state: String

    /// Nil without a runtime directory.
    init?(_ options: CommonOptions) {
      guard let directory = try? RuntimeDirectory.locate() else { return nil }
      socket = options.socket ?? directory.socket
      state = directory.state
    }
  }

  private let monitor: Monitor
  private let onChange: @Sendable (Limitation?) -> Void
  private let phase = Mutex(Phase.idle)

  /// - Parameters:
  ///   - monitor: the paths of the monitor's files.
  ///   - onChange: called on a thread of the follower's own with each new finding, and with nil when the monitor has ended.
  init(_ monitor: Monitor, onChange: @escaping @Sendable (Limitation?) -> Void) {
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
    // Never connect to a socket without a monitor: the service manager would start one. A monitor in another network namespace checks another
    // network.
    guard let process = StateFile.read(monitor.state)?.monitor.pid, Self.sharesNetworkNamespace(process),
      var client = try? ObserverClient(path: monitor.socket)
    else { return }
    var last: Limitation?
    while let state = try? client.next() {
      let new = Limitation(checkedBy: state)
      if new != last { onChange(new) }
      last = new
    }
    if last != nil { onChange(nil) }
  }

  /// Whether the process is in this process's network namespace. False if the kernel hides that, such as for another user's process.
  private static func sharesNetworkNamespace(_ process: Int32) -> Bool {
    guard let namespace = Files.linkTarget("/proc/\(process)/ns/net") else { return false }
    return namespace == Files.linkTarget("/proc/self/ns/net")
  }
}

extension Limitation {
  /// What the check of another process found; nil if it found nothing. The window itself sees connections without answers.
  init?(checkedBy state: ObserverState) {
    guard let limited = state.limited, let explanation = state.limitation, let reason = Reason(rawValue: limited.reason)
    else { return nil }
    switch reason {
    case .captivePortal, .checkFailed: break
    case .noAnswers: return nil
    }
    self.init(reason, cause: limited.cause, explanation: explanation, portal: limited.portal)
  }
}
