/// Makes a ``Poller`` ready from another thread.
public final class Bell: Sendable {
  private let pipe: Pipe

  public init(in poller: SharedPoller, token: UInt64) throws(SystemError) {
    pipe = try Pipe()
    try poller.poller.add(pipe.reading.rawValue, token: token, .readable)
  }

  public var hasRung: Bool { (try? waitUntilReadable(pipe.reading.rawValue, timeout: .zero)) == true }

  /// From now on the poller is ready.
  public func ring() {
    try? writeAll([0], to: pipe.writing.rawValue)
  }
}
