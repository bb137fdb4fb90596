internal import Dispatch

/// `for await path in monitor`: the path now, then each new one.
///
/// Making an iterator starts a monitor that was not started, on a queue of its own, and holds it. Any number of iterators may run
/// at once, each sees every path in order; one that is busy while paths come finds the newest only, since a path is a state and
/// what was between is past. The sequence ends when the monitor or the iterating task is cancelled.
extension NWPathMonitor: AsyncSequence {
  public typealias Element = NWPath
  public typealias Failure = Never

  /// One consumer's way through the paths.
  public struct Iterator: AsyncIteratorProtocol {
    let monitor: NWPathMonitor
    var paths: AsyncStream<NWPath>.Iterator

    public mutating func next() async -> NWPath? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> NWPath? {
      let path = await paths.next(isolation: actor)
      // A stream still gives out what it held when it was finished.
      return monitor.core.isCancelled ? nil : path
    }
  }

  public func makeAsyncIterator() -> Iterator {
    core.startIfIdle()
    return Iterator(monitor: self, paths: core.listen().makeAsyncIterator())
  }
}
