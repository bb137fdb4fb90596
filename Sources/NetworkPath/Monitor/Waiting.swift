/// What Apple's monitor does not have: waiting for the network.
extension NWPathMonitor {
  /// The network did not come back in time.
  public struct TimedOut: Error, Sendable, CustomStringConvertible {
    /// The path when the time was up.
    public let path: NWPath

    public var description: String { "the network did not come back in time: \(path.explanation)" }
  }

  /// Waits until the network is there, and returns at once when it is.
  ///
  /// A link that dials on demand counts: only traffic brings it up. So does a path that is not known, as everywhere. A monitor that
  /// was not started is started. Any number of tasks may wait at once.
  ///
  /// - Parameter timeout: how long to wait at most, time in suspend included; nil waits for ever, zero only looks.
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
  /// A failure is put down to the network if there was an outage while the operation ran, however short, or if there is one now:
  /// the kernel is asked anew, since a connection may fail before news of the cause have arrived. Any other error is thrown as it
  /// is. The operation is run at once also while offline: what it needs may be near. It runs where the caller runs.
  ///
  /// A monitor that was not started is started; with a cancelled one the operation runs once.
  ///
  /// - Parameters:
  ///   - limit: how often the operation is run again at most.
  ///   - timeout: how long to wait for the end of each outage; nil waits for ever.
  ///   - isolation: the actor that the operation runs on: the caller's, unless said otherwise.
  ///   - operation: what needs the network. It may be run again from its beginning.
  /// - Throws: the operation's last error, also when an outage outlasted `timeout`; `CancellationError` when the task is cancelled
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
      // The monitor gathers a burst of news for 50 ms; until it tells, its word is stale.
      while core.isOffline == (told: false, really: true) { try await Task.sleep(for: .milliseconds(50)) }
      return try await satisfied()
    }
  }

  /// Says that the program has just reached its server.
  ///
  /// The kernel's word is about the internet at large: a server behind a route of its own, or a proxy, can be there when "the
  /// internet" is not. If the path told last is such a doubtful "offline", a satisfied one is told instead, until the kernel has
  /// news. It does nothing while the path is satisfied, before the first path, and when the outage is certain: on a link that is
  /// down or has no carrier nothing is reached, so the success is older than the outage.
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
