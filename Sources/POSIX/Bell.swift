/// Makes a ``Poller`` ready from another thread, for good.
public final class Bell: Sendable {
  private let pipe: Pipe

  public init(in poller: SharedPoller, token: UInt64) throws(SystemError) {
    pipe = try Pipe()
    try poller.poller.add(pipe.reading.rawValue, token: token, .readable)
  }

  /// From now on the poller is ready.
  public func ring() {
    try? writeAll([0], to: pipe.writing.rawValue)
  }
}
