/// The changes of the rows that the program must leave free: ``TerminalWindow/insets``.
public struct Insets: AsyncSequence, Sendable {
  public typealias Element = Inset
  public typealias Failure = Never

  let make: @Sendable () -> AsyncStream<Inset>

  /// The iterator of one consumer of ``Insets``.
  public struct Iterator: AsyncIteratorProtocol {
    var insets: AsyncStream<Inset>.Iterator

    /// Returns the current inset first, then the newest inset not returned yet; nil when the window has ended or the task is cancelled.
    public mutating func next() async -> Inset? { await insets.next() }

    /// Like ``next()``, without leaving the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Inset? {
      await insets.next(isolation: actor)
    }
  }

  /// Creates an iterator for a new consumer. It starts with the current inset.
  public func makeAsyncIterator() -> Iterator { Iterator(insets: make().makeAsyncIterator()) }
}
