internal import Dispatch

/// `for await path in monitor`: the current path, then each new one.
///
/// Making an iterator retains the monitor, and starts an idle one on its own queue. Any number of iterators may run at once, and each
/// receives every path in order. An iterator that is busy while paths arrive receives only the newest, since a path is a state and the
/// earlier ones are obsolete. The sequence ends when the monitor or the iterating task is cancelled.
extension NWPathMonitor: AsyncSequence {
  public typealias Element = NWPath
  public typealias Failure = Never

  /// One consumer of the paths.
  public struct Iterator: AsyncIteratorProtocol {
    let monitor: NWPathMonitor
    var paths: AsyncStream<NWPath>.Iterator

    public mutating func next() async -> NWPath? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> NWPath? {
      let path = await paths.next(isolation: actor)
      // A finished stream still returns its buffered path.
      return monitor.core.isCancelled ? nil : path
    }
  }

  public func makeAsyncIterator() -> Iterator {
    core.startIfIdle()
    return Iterator(monitor: self, paths: core.listen().makeAsyncIterator())
  }
}
