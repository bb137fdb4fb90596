/// Waiting for the network, which Apple's monitor does not offer.
extension NWPathMonitor {
  /// The network did not come back in time.
  public struct TimedOut: Error, Sendable, CustomStringConvertible {
    /// The path at the timeout.
    public let path: NWPath

    public var description: String { "the network did not come back in time: \(path.explanation)" }
  }

  /// Waits until the network is online. Returns at once if it already is.
  ///
  /// A link that dials on demand counts as online, because only traffic brings it up. An unknown path also counts as online. This starts an
  /// idle monitor. Any number of tasks may wait at once.
  ///
  /// - Parameter timeout: the longest time to wait, including time in suspend. Nil waits for ever; zero does not wait.
  /// - Returns: the path that ended the wait. It may have changed since.
  /// - Throws: ``TimedOut``, or `CancellationError` when the task or the monitor is cancelled.
  @discardableResult
  public func satisfied(timeout: Duration? = nil) async throws -> NWPath {
    try Task.checkCancellation()
    core.startIfIdle()
    let now = currentPath
    if core.isCancelled { throw CancellationError() }
    if now.status != .unsatisfied { return now }
    return try await within(timeout) {
      for await path in self where path.status != .unsatisfied { return path }
      throw CancellationError()
    }
  }

  /// Runs an operation; when it fails because of an outage, waits until the network is back and runs it again.
  ///
  ///     let data = try await monitor.retryingWhenOffline(limit: 3) { try await download(url) }
  ///
  /// The network counts as the cause if an outage began while the operation ran, however short, or if there is one now. For the latter this
  /// asks the kernel again, since a connection may fail before the monitor reads the cause. Any other error is thrown unchanged. The first
  /// run starts at once, even while offline: the server may be on the local network. The operation runs on the caller's actor.
  ///
  /// This starts an idle monitor; with a cancelled one the operation runs once.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of repeated runs.
  ///   - timeout: how long to wait for the end of each outage; nil waits for ever.
  ///   - isolation: the actor that the operation runs on, by default the caller's.
  ///   - operation: the work that needs the network. It may be run again from its beginning.
  /// - Throws: the operation's last error, also when an outage lasts longer than `timeout`; `CancellationError` when the task is cancelled
  ///   while it waits.
  public func retryingWhenOffline<Success>(
    limit: Int, timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Success
  ) async throws -> Success {
    core.startIfIdle()
    var left = limit
    while true {
      let outages = core.outages
      do {
        return try await operation()
      } catch {
        let isOutage = core.outages != outages || core.isOffline.really
        guard left > 0, isOutage, !core.isCancelled, !Task.isCancelled, !(error is CancellationError) else {
          throw error
        }
        left -= 1
        do { try await outageEnded(timeout) } catch is TimedOut { throw error }
      }
    }
  }

  private func outageEnded(_ timeout: Duration?) async throws {
    try await within(timeout) { [self] in
      // The monitor gathers a burst of news for 50 ms; until then its path is stale.
      while core.isOffline == (told: false, really: true) { try await Task.sleep(for: .milliseconds(50)) }
      return try await satisfied()
    }
  }

  /// Reports that the program has just reached its server.
  ///
  /// The kernel's answer is about the internet as a whole. A proxy, or a server behind a route of its own, can be reachable while "the
  /// internet" is not. If the last path is such a doubtful outage, the monitor reports a satisfied path instead, until the kernel has news.
  /// It does nothing while the path is satisfied, before the first path, and when the outage is certain: a link that is down or has no
  /// carrier reaches nothing, so the success is older than the outage.
  public func reportSuccess() { core.reportSuccess() }

  /// Runs `body` for a limited time.
  @discardableResult
  private func within(
    _ timeout: Duration?, _ body: @escaping @Sendable () async throws -> NWPath
  ) async throws -> NWPath {
    guard let timeout else { return try await body() }
    let source = core.source
    return try await withThrowingTaskGroup(of: NWPath?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await source.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      guard let path = try await group.next() ?? nil else { throw TimedOut(path: currentPath) }
      return path
    }
  }
}
