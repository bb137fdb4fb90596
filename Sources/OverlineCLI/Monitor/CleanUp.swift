internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

/// Removes the leftovers of a monitor that a service manager killed together with its guardian: the lines in tmux, the state file and the
/// metrics. Only `config/overline.service` runs this, after every end of the service.
enum CleanUp {
  static let verb = "clean-up"

  /// Half of the unit's `TimeoutStopSec`.
  private static let timeout = Duration.seconds(5)

  static func run() -> ExitStatus {
    // While the lock is held, a monitor runs, or a guardian is restoring the same things.
    guard let directory = try? RuntimeDirectory.locate(), Files.exists(directory.lock),
      let lock = try? MonitorLock.acquire(directory, isInherited: true)
    else { return .success }
    Guardian.restore(TmuxRegistry(directory: directory).sockets, within: timeout)
    StateFile(path: directory.state).remove()
    if let metrics = (try? Configuration.load())?.configuration.metrics.textfile { try? Files.remove(metrics) }
    _ = consume lock
    return .success
  }
}
