/// Waiting for the network, which Apple's monitor does not offer.
extension NWPathMonitor {
  /// The network did not come back in time.
  public struct TimedOut: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path at the timeout.
    public let path: NWPath

    public var description: String { "the network did not come back in time: \(path.explanation)" }
  }

  /// Waits until the network is online. Returns at once if it already is.
  ///
  ///     do {
  ///       try await monitor.waitUntilSatisfied(timeout: .seconds(60))
  ///     } catch let error as NWPathMonitor.TimedOut {
  ///       print(error.path.explanation)
  ///     }
  ///
  /// An unknown path counts as online. This starts an idle monitor. Any number of tasks may wait at once.
  ///
  /// - Parameter timeout: the longest time to wait, including time in suspend. Nil waits for ever; zero does not wait.
  /// - Returns: the path that ended the wait. It may have changed since.
  /// - Throws: ``TimedOut``, or `CancellationError` when the task or the monitor is cancelled.
  @discardableResult
  public func waitUntilSatisfied(timeout: Duration? = nil) async throws -> NWPath {
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

  /// The old name of ``waitUntilSatisfied(timeout:)``.
  @available(*, deprecated, renamed: "waitUntilSatisfied(timeout:)")
  @discardableResult
  public func satisfied(timeout: Duration? = nil) async throws -> NWPath {
    try await waitUntilSatisfied(timeout: timeout)
  }

  /// Reports that the program has just reached its server.
  ///
  /// The kernel's answer is about the internet as a whole. A proxy, or a server behind a route of its own, can be reachable while "the
  /// internet" is not. If the last path is such a doubtful outage, the monitor reports a satisfied path instead, until the kernel has news.
  /// It does nothing while the path is satisfied, before the first path, and when the outage is certain: a link that is down or has no
  /// carrier reaches nothing, so the success is older than the outage.
  public func reportSuccess() { core.reportSuccess() }

  /// Waits for a path for a limited time.
  @discardableResult
  func within(_ timeout: Duration?, _ path: @escaping @Sendable () async throws -> NWPath) async throws -> NWPath {
    guard let timeout else { return try await path() }
    let source = core.source
    return try await withThrowingTaskGroup(of: NWPath?.self) { group in
      group.addTask { try await path() }
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
