extension NWPathMonitor {
  /// The paths without short outages and short returns: for a service that must not change its state each time a link flaps.
  ///
  ///     for await path in monitor.settled(for: .seconds(5)) {
  ///       isReady = path.status == .satisfied
  ///     }
  ///
  /// The first path comes at once. Then a path with another ``NWPath/status-swift.property`` comes when that status has lasted for
  /// `duration`. If the old status returns before, nothing comes. Another path of the same status comes at once. Like the monitor's own
  /// sequence otherwise: it starts an idle monitor, any number of tasks may iterate it, a busy one receives only the newest path, and it
  /// ends when the monitor or the task is cancelled.
  ///
  /// - Parameter duration: the time for which a new status must last.
  public func settled(for duration: Duration) -> some AsyncSequence<NWPath, Never> & Sendable {
    SettledPaths(monitor: self, duration: duration)
  }
}

private struct SettledPaths: AsyncSequence, Sendable {
  typealias Element = NWPath
  typealias Failure = Never

  let monitor: NWPathMonitor
  let duration: Duration

  func makeAsyncIterator() -> Iterator { Iterator(monitor: monitor, duration: duration) }

  struct Iterator: AsyncIteratorProtocol {
    let monitor: NWPathMonitor
    let duration: Duration
    var last: NWPath?

    mutating func next() async -> NWPath? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> NWPath? {
      while true {
        guard let path = await monitor.first(where: { [last] in $0 != last }) else { return nil }
        if let last, path.status != last.status {
          // Either the old status returns in time, or the new one has lasted.
          do {
            try await monitor.within(duration) { [monitor] in
              for await path in monitor where path.status == last.status { return path }
              throw CancellationError()
            }
            continue
          } catch let timeout as NWPathMonitor.TimedOut {
            // The path may have changed at the same moment.
            if timeout.path.status == last.status { continue }
            self.last = timeout.path
          } catch {
            return nil
          }
        } else {
          last = path
        }
        return last
      }
    }
  }
}
