import Logging
import Metrics
import NetworkPath
import ServiceLifecycle
import Synchronization

/// Whether this machine has a network, for clients of `/health`. An outage or a return counts once it has lasted.
final class NetworkHealth: Service {
  let monitor: NWPathMonitor
  private let settling: Duration
  private let logger: Logger
  private let path = Mutex<NWPath?>(nil)

  init(_ monitor: NWPathMonitor, settling: Duration, logger: Logger) {
    self.monitor = monitor
    self.settling = settling
    self.logger = logger
  }

  /// Nil before the first path.
  var current: NWPath? { path.withLock { $0 } }

  func run() async throws {
    let online = Gauge(label: "network_online")
    for await path in monitor.settled(for: settling).cancelOnGracefulShutdown() {
      self.path.withLock { $0 = path }
      online.record(path.status == .satisfied ? 1 : 0)
      logger.info("\(path.explanation)")
    }
    monitor.cancel()
  }
}
