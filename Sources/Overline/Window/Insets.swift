/// The rows that a window's program must leave free, as they change: ``TerminalWindow/insets``.
public struct Insets: AsyncSequence, Sendable {
  public typealias Element = Inset
  public typealias Failure = Never

  let make: @Sendable () -> AsyncStream<Inset>

  /// One consumer's way through ``Insets``.
  public struct Iterator: AsyncIteratorProtocol {
    var insets: AsyncStream<Inset>.Iterator

    /// The inset of the moment first, then the newest that has not been seen; nil when the window has ended or the task is cancelled.
    public mutating func next() async -> Inset? { await insets.next() }

    /// As ``next()``, without leaving the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Inset? {
      await insets.next(isolation: actor)
    }
  }

  /// A new consumer, which begins with the inset of the moment.
  public func makeAsyncIterator() -> Iterator { Iterator(insets: make().makeAsyncIterator()) }
}
