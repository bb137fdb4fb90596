internal import COverline

/// A few descriptors that one thread waits for with `poll(2)`. For a window's byte pump, since an `epoll(7)` set or Dispatch costs more
/// there than the work itself.
package struct PollSet: ~Copyable, Sendable {
  private var entries: [pollfd]

  /// - Parameter count: the number of places. All are unused at first.
  package init(count: Int) {
    entries = Array(repeating: pollfd(fd: -1, events: 0, revents: 0), count: count)
  }

  /// Watches a descriptor in a place. With neither interest, not even a hang-up is reported.
  ///
  /// Flags, not an `OptionSet`: its literals look up generic metadata at each call, and this runs for each key.
  package mutating func watch(_ place: Int, _ descriptor: Int32, reads: Bool = false, writes: Bool = false) {
    let events = (reads ? Int16(POLLIN) : 0) | (writes ? Int16(POLLOUT) : 0)
    entries[place] = pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0)
  }

  /// Waits until a descriptor is ready or the timeout has passed; nil waits for ever.
  package mutating func wait(for timeout: Duration?) {
    let nanoseconds = timeout.map { max(0, $0.wholeNanoseconds) } ?? -1
    let count = unsafe csystem_poll(&entries, UInt(entries.count), nanoseconds)
    if count < 0 { for index in entries.indices { entries[index].revents = 0 } }
  }

  /// Whether the last wait found any event.
  package func isReady(_ place: Int) -> Bool { entries[place].revents != 0 }

  /// Whether the last wait found input, a hang-up or an error: a read would not block.
  package func isReadable(_ place: Int) -> Bool { entries[place].revents & ~Int16(POLLOUT) != 0 }
}

/// A reusable buffer for reads.
package struct ReadBuffer: ~Copyable, Sendable {
  private var bytes: [UInt8]

  package init(size: Int) { bytes = Array(repeating: 0, count: size) }

  /// Reads once, and appends what it has read.
  ///
  /// - Returns: the number of bytes; zero at the end of the file.
  package mutating func read(from descriptor: Int32, into result: inout [UInt8]) throws(SystemError) -> Int {
    let size = bytes.count
    let count = try checked("read") { unsafe Glibc.read(descriptor, &bytes, size) }
    result += bytes[..<count]
    return count
  }
}
