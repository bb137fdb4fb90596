extension TerminalWindow {
  /// A value that changes: the current one, then each newer one.
  ///
  /// Any number of tasks may iterate it. A busy one receives only the newest value. It ends with the window, which it does not retain, and
  /// when the task is cancelled.
  public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    let listen: @Sendable () -> AsyncStream<Element>

    /// Creates an iterator for a new consumer. It starts with the current value.
    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator { listen().makeAsyncIterator() }
  }
}
