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
  ///     guard await monitor.waitUntilSatisfied(timeout: .seconds(60)) else { return }
  ///
  /// A link that dials on demand counts as online, because only traffic brings it up. An unknown path also counts as online. This starts an
  /// idle monitor. Any number of tasks may wait at once.
  ///
  /// - Parameter timeout: the longest time to wait, including time in suspend. Nil waits for ever; zero does not wait.
  /// - Returns: whether the network is online. False after the timeout, and when the task or the monitor is cancelled.
  @discardableResult
  public func waitUntilSatisfied(timeout: Duration? = nil) async -> Bool {
    (try? await satisfiedPath(within: timeout)) != nil
  }

  /// Like ``waitUntilSatisfied(timeout:)``, with an error in place of false.
  ///
  /// - Returns: the path that ended the wait. It may have changed since.
  /// - Throws: ``TimedOut``, or `CancellationError` when the task or the monitor is cancelled.
  @available(*, deprecated, message: "use waitUntilSatisfied(timeout:), which returns false where this throws")
  @discardableResult
  public func satisfied(timeout: Duration? = nil) async throws -> NWPath { try await satisfiedPath(within: timeout) }

  private func satisfiedPath(within timeout: Duration?) async throws -> NWPath {
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

  /// Runs an operation; when it fails because of an outage, waits until the network is back and runs it again until it succeeds.
  ///
  ///     let data = try await monitor.retryingWhenOffline { try await download(url) }
  ///
  /// The network counts as the cause if there was an outage at any time while the operation ran, however short, or if there is one now. For
  /// the latter this asks the kernel again, since a connection may fail before the monitor reads the cause. The first run starts at once,
  /// even while offline: the server may be on the local network. The first run after an outage starts as soon as the network is back.
  ///
  /// A link that is back does not yet carry packets to a server: a router boots, or a switch learns its ports. So after an outage each
  /// further failure counts as part of it. The waits between these runs begin with the lower bound of `settling` and double up to its upper
  /// bound, with a random part of up to one half; a new path ends a wait. Before the first outage, any error is thrown unchanged.
  ///
  /// A router that does not answer is an outage (``NWPath/Reason/routerSilent``). The kernel refuses packets some seconds before the monitor
  /// has the proof: a failure meanwhile counts like one after an outage. So does a failure if no connection was answered at any time while
  /// the operation ran (``NWPath/noAnswers-swift.property``), or nothing left this machine (``NWPath/notSent-swift.property``): the router
  /// has lost its uplink, for example, and an answer to any connection ends the wait.
  ///
  /// Some errors do not pass with time, such as a full disk or a refusal by the server: let `shouldRetry` return false for these.
  ///
  /// The operation runs on the caller's actor. This starts an idle monitor; with a cancelled one the operation runs once.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of repeated runs.
  ///   - timeout: how long to wait for the end of each outage; nil waits for ever.
  ///   - settling: the first and the longest wait between two runs after an outage.
  ///   - shouldRetry: called with each error that would be followed by another run; false throws it.
  ///   - isolation: the actor that the operation runs on, by default the caller's.
  ///   - operation: the work that needs the network. It may be run again from its beginning.
  /// - Throws: the operation's last error, also when an outage lasts longer than `timeout`; `CancellationError` when the task is cancelled
  ///   while it waits.
  public func retryingWhenOffline<Success>(
    limit: Int = .max, timeout: Duration? = nil, settling: ClosedRange<Duration> = .seconds(1)...(.seconds(30)),
    shouldRetry: (any Error) -> Bool = { _ in true }, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Success
  ) async throws -> Success {
    core.startIfIdle()
    var left = limit
    // Nil before the first outage.
    var delay: SettlingDelay?
    while true {
      let (troubles, before) = (core.troubles, currentPath)
      do {
        return try await operation()
      } catch {
        guard left > 0, !core.isCancelled, !Task.isCancelled, !(error is CancellationError) else { throw error }
        let (failed, path) = (core.troubles, currentPath)
        let isOutage = before.status == .unsatisfied || failed.outages != troubles.outages || core.isOffline.now
        var isExplained = isOutage || before.isLimited || failed.silences != troubles.silences
        if !isExplained, delay == nil { isExplained = try await isRouterLost() }
        guard isExplained || delay != nil, shouldRetry(error) else { throw error }
        left -= 1
        if isOutage || delay == nil { delay = SettlingDelay(settling) }
        if !isOutage, let wait = delay?.take() { try await newPath(after: path, failed, within: wait) }
        do { try await outageEnded(timeout) } catch is TimedOut { throw error }
      }
    }
  }

  /// Whether the kernel reaches no router. Waits for its answer while it asks one.
  private func isRouterLost() async throws -> Bool {
    // For longer than the kernel's three questions take by default. Some links have other timers.
    for _ in 0..<80 where core.routerContact == .pending { try await core.source.sleep(for: .milliseconds(50)) }
    return core.routerContact == .lost
  }

  /// Waits until a newer path is satisfied and answered, at most for a time.
  private func newPath(after old: NWPath, _ troubles: MonitorCore.Troubles, within time: Duration) async throws {
    do {
      try await within(time) { [self] in
        // After an outage the path may be the same as before.
        for await path in self
        where (path != old || core.troubles != troubles) && path.status != .unsatisfied && !path.isLimited {
          return path
        }
        throw CancellationError()
      }
    } catch is TimedOut {}
  }

  private func outageEnded(_ timeout: Duration?) async throws {
    try await within(timeout) { [self] in
      // The monitor gathers a burst of news for 50 ms; until then its path is stale.
      while core.isOffline == (published: false, now: true) { try await core.source.sleep(for: .milliseconds(50)) }
      return try await satisfiedPath(within: nil)
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
