internal import Dispatch

/// `for await path in monitor`: the current path, then each new one.
///
/// Making an iterator starts an idle monitor, on a queue of its own, and retains it. Any number of iterators may run at once, each sees
/// every path in order. One that is busy while paths arrive receives the newest only, since a path is a state and the ones between are
/// past. The sequence ends when the monitor or the iterating task is cancelled.
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
      // A finished stream still returns the path that it held.
      return monitor.core.isCancelled ? nil : path
    }
  }

  public func makeAsyncIterator() -> Iterator {
    core.startIfIdle()
    return Iterator(monitor: self, paths: core.listen().makeAsyncIterator())
  }
}
