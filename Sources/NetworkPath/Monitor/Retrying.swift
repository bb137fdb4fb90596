/// Running an operation again after an outage, which Apple's monitor does not offer.
extension NWPathMonitor {
  /// One run of an operation.
  public struct Attempt: Sendable {
    /// Counted from 1.
    public let number: Int
    /// The error of the run before; nil in the first run.
    public let error: (any Error)?
    /// The path of the outage that is the reason for this run: its ``NWPath/explanation`` is a sentence for the user. Nil in the first run,
    /// and while the monitor has not published the outage.
    public let outage: NWPath?
  }

  /// Runs an operation; when it fails because of an outage, waits until the network is back and runs it again until it succeeds.
  ///
  ///     let data = try await monitor.retryingWhenOffline { try await download(url) }
  ///
  /// The network counts as the cause if there was an outage at any time while the operation ran, however short, or if there is one now. For
  /// the latter this asks the kernel again, since a connection may fail before the monitor reads the cause. The first run starts at once,
  /// even while offline: the server may be on the local network. The first run after an outage starts as soon as the network is back.
  /// Before the first outage, any error is thrown unchanged.
  ///
  /// A link that is back does not yet carry packets to a server: a router boots, or a switch learns its ports. So after an outage each
  /// further failure of the network (``isNetworkError(_:)``) counts as part of it. The waits between these runs begin with the lower bound of
  /// `settling` and double up to its upper bound, with a random part of up to one half; a new path ends a wait. Any other error, such as an
  /// answer of the server, is thrown.
  ///
  /// A router that does not answer is an outage (``NWPath/Reason/routerSilent``). The kernel refuses packets some seconds before the monitor
  /// has the proof: a failure meanwhile counts like one during an outage. So does a failure if no connection was answered at any time while
  /// the operation ran (``NWPath/noAnswers-swift.property``), or nothing left this machine (``NWPath/notSent-swift.property``): the router
  /// has lost its uplink, for example, and an answer to any connection ends the wait.
  ///
  /// An operation that waits for an answer is not ended: see ``cancellingWhenOffline(_:)``. The operation runs on the caller's actor. This
  /// starts an idle monitor; with a cancelled one the operation runs once.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of repeated runs.
  ///   - timeout: how long to wait for the end of one outage, from a failure of the operation on; nil waits for ever. It limits neither the
  ///     operation nor the runs after an outage.
  ///   - settling: the first and the longest wait between two runs after an outage.
  ///   - shouldRetry: decides about each failure during or after an outage, except ``WentOffline``; false throws it. With nil, every error
  ///     during an outage, and errors of the network after one, are followed by another run.
  ///   - isolation: the actor that the operation runs on, by default the caller's.
  ///   - operation: the work that needs the network. It may be run again from its beginning.
  /// - Throws: the operation's last error, also when an outage lasts longer than `timeout`: then ``currentPath`` is still unsatisfied.
  ///   `CancellationError` when the task or the monitor is cancelled while it waits.
  public func retryingWhenOffline<Success>(
    limit: Int = .max, timeout: Duration? = nil, settling: ClosedRange<Duration> = .seconds(1)...(.seconds(30)),
    shouldRetry: ((any Error) -> Bool)? = nil, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Success
  ) async throws -> Success {
    try await retryingWhenOffline(limit: limit, timeout: timeout, settling: settling, shouldRetry: shouldRetry) { _ in
      try await operation()
    }
  }

  /// The same, for an operation that wants to know which run it is, and why.
  ///
  ///     let data = try await monitor.retryingWhenOffline { attempt in
  ///       if let outage = attempt.outage { log("run \(attempt.number), after: \(outage.explanation)") }
  ///       return try await download(url)
  ///     }
  public func retryingWhenOffline<Success>(
    limit: Int = .max, timeout: Duration? = nil, settling: ClosedRange<Duration> = .seconds(1)...(.seconds(30)),
    shouldRetry: ((any Error) -> Bool)? = nil, isolation: isolated (any Actor)? = #isolation,
    _ operation: (Attempt) async throws -> Success
  ) async throws -> Success {
    core.startIfIdle()
    var attempt = Attempt(number: 1, error: nil, outage: nil)
    // Nil before the first outage.
    var delay: SettlingDelay?
    while true {
      let (troubles, before) = (core.troubles, currentPath)
      do {
        return try await operation(attempt)
      } catch {
        guard attempt.number <= limit, !core.isCancelled, !Task.isCancelled, !(error is CancellationError) else {
          throw error
        }
        let (failed, path) = (core.troubles, currentPath)
        let isPublishedOutage = before.status == .unsatisfied || failed.outages != troubles.outages
        let isOutage = if isPublishedOutage { true } else { try await isOfflineNow() }
        var isExplained = isOutage || before.isLimited || failed.silences != troubles.silences
        if !isExplained, delay == nil { isExplained = try await isRouterLost() }
        let isAfter = delay != nil && (shouldRetry != nil || Self.isNetworkError(error))
        guard isExplained || isAfter, error is WentOffline || shouldRetry?(error) ?? true else { throw error }
        if isOutage || delay == nil { delay = SettlingDelay(settling) }
        if !isOutage, let wait = delay?.take() { try await newPath(after: path, failed, within: wait) }
        do { try await outageEnded(timeout) } catch is TimedOut { throw error }
        // A router that the kernel alone knows to be lost is no published outage.
        let isPublished = before.status == .unsatisfied || before.isLimited || core.troubles != troubles
        attempt = Attempt(
          number: attempt.number + 1, error: error, outage: isPublished ? core.lastTrouble ?? before : attempt.outage)
      }
    }
  }

  /// Whether the network is offline by a new look. The monitor gathers a burst of news for 50 ms, until which its path is stale. If it has
  /// published nothing after a second, it knows more than the look: that a tunnel receives packets, or what another namespace has.
  private func isOfflineNow() async throws -> Bool {
    guard core.isOffline.now else { return false }
    for _ in 0..<20 {
      let offline = core.isOffline
      if offline.published || !offline.now { return true }
      try await core.source.sleep(for: .milliseconds(50))
    }
    return false
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
    if core.isOffline == (published: false, now: false) {
      try await waitUntilSatisfied()
      return
    }
    try await within(timeout) { [self] in
      _ = try await isOfflineNow()
      return try await waitUntilSatisfied()
    }
  }
}
