internal import Glibc

/// A few descriptors that one thread waits for with `poll(2)`: the byte pump of a window, where an `epoll(7)` set, or Dispatch, costs
/// more than it waits for.
public struct PollSet: ~Copyable, Sendable {
  private var entries: [pollfd]

  /// - Parameter count: places for descriptors; each is watched for nothing at first.
  public init(count: Int) {
    entries = Array(repeating: pollfd(fd: -1, events: 0, revents: 0), count: count)
  }

  /// Watches a descriptor in a place; without an interest not even its end is told.
  public mutating func watch(_ place: Int, _ descriptor: Int32, _ interest: Poller.Interest) {
    var events: Int16 = 0
    if interest.contains(.readable) { events |= Int16(POLLIN) }
    if interest.contains(.writable) { events |= Int16(POLLOUT) }
    entries[place] = pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0)
  }

  /// Waits until something is ready, or that many milliseconds; -1 is for ever.
  public mutating func wait(milliseconds: Int32) {
    let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    if count < 0 { for index in entries.indices { entries[index].revents = 0 } }
  }

  /// What the last wait found.
  public func ready(_ place: Int) -> Poller.Interest {
    let found = Int32(entries[place].revents)
    if found == 0 { return [] }
    var interest: Poller.Interest = []
    if found & POLLIN != 0 { interest.insert(.readable) }
    if found & POLLOUT != 0 { interest.insert(.writable) }
    if found & (POLLHUP | POLLERR | POLLNVAL) != 0 { interest.insert(.hungUp) }
    return interest
  }
}

/// Wakes a thread that waits for ``rawValue``, any number of times, from any thread.
public final class Doorbell: Sendable {
  private let pipe: Pipe

  public init() throws(SystemError) {
    pipe = try Pipe()
    try pipe.reading.setNonBlocking()
    try pipe.writing.setNonBlocking()
  }

  /// Readable when it was rung since it was last answered.
  public var rawValue: Int32 { pipe.reading.rawValue }

  public func ring() {
    // A full pipe rings already.
    _ = try? pipe.writing.write([0])
  }

  public func answer() {
    while let bytes = try? pipe.reading.read(atMost: 64), bytes.count == 64 {}
  }
}
