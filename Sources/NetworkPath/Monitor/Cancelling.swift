/// Ending an operation when the network goes offline, which Apple's monitor does not offer.
extension NWPathMonitor {
  /// The network went offline while an operation ran.
  public struct WentOffline: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the outage.
    public let path: NWPath

    public var description: String { path.explanation }
  }

  /// Runs an operation, and cancels it when the network goes offline: a connection that waits for an answer would notice only after minutes.
  ///
  ///     try await monitor.retryingWhenOffline {
  ///       try await monitor.cancellingWhenOffline { try await download(url) }
  ///     }
  ///
  /// The operation must end when its task is cancelled, as the functions of `URLSession` do; an operation of SwiftNIO closes its channel in a
  /// `withTaskCancellationHandler`. It runs in a task of its own, and so on no actor. It is not cancelled by an outage
  /// that had begun before, since the server may be on the local network: give it a timeout of its own too. This starts an idle monitor.
  ///
  /// - Parameter operation: the work that needs the network.
  /// - Returns: the operation's result, also if it succeeds after all.
  /// - Throws: ``WentOffline`` in place of the error of a cancelled operation; any other error of the operation unchanged.
  public func cancellingWhenOffline<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    core.startIfIdle()
    let wasOnlineBefore = currentPath.status != .unsatisfied
    return try await withThrowingTaskGroup(of: OperationNews<Success>.self) { group in
      group.addTask { .succeeded(try await operation()) }
      group.addTask { [self] in
        var wasOnline = wasOnlineBefore
        for await path in self {
          if path.status != .unsatisfied { wasOnline = true } else if wasOnline { return .wentOffline(path) }
        }
        return .monitorEnded
      }
      defer { group.cancelAll() }
      var outage: NWPath?
      do {
        while let news = try await group.next() {
          switch news {
          case .succeeded(let success): return success
          case .wentOffline(let path):
            outage = path
            group.cancelAll()
          case .monitorEnded: break
          }
        }
        throw CancellationError()
      } catch {
        throw outage.map { WentOffline(path: $0) } ?? error
      }
    }
  }
}

private enum OperationNews<Success: Sendable>: Sendable {
  case succeeded(Success)
  case wentOffline(NWPath)
  case monitorEnded
}
