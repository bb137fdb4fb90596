internal import COverline

/// A level-triggered `epoll(7)` set. It is one descriptor for many, so one Dispatch source can watch all of them.
///
/// One set costs less than a source for each descriptor. It also removes a descriptor at once, without a cancel handler that decides when
/// closing is safe.
package struct Poller: ~Copyable, Sendable {
  package struct Interest: OptionSet, Equatable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Interest(rawValue: 1)
    package static let writable = Interest(rawValue: 2)
    /// Both directions are closed, or an error is pending. Always reported.
    package static let hungUp = Interest(rawValue: 4)
  }

  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try checkedNegative("make an epoll set") { csystem_epoll_create() })
  }

  /// Readable when anything in the set is ready.
  package var rawValue: Int32 { descriptor.rawValue }

  package func add(_ other: Int32, token: UInt64, _ interest: Interest) throws(SystemError) {
    try checkedNegative("watch a descriptor") {
      csystem_epoll_set(descriptor.rawValue, other, 0, interest.rawValue, token)
    }
  }

  package func change(_ other: Int32, token: UInt64, _ interest: Interest) throws(SystemError) {
    try checkedNegative("watch a descriptor") {
      csystem_epoll_set(descriptor.rawValue, other, 1, interest.rawValue, token)
    }
  }

  /// Call this before closing a descriptor. Closing alone removes the descriptor only when no other process has its file open. A forked
  /// child has it open for a moment, and a child that never calls execve(2) for its whole life.
  package func remove(_ other: Int32) throws(SystemError) {
    try checkedNegative("stop watching a descriptor") { csystem_epoll_remove(descriptor.rawValue, other) }
  }

  /// The descriptors that are ready now, at most 64. Does not wait.
  package func takeReady() -> [(token: UInt64, what: Interest)] { take(waiting: false) }

  /// Waits until a descriptor is ready. May also return none.
  package func waitUntilReady() -> [(token: UInt64, what: Interest)] { take(waiting: true) }

  private func take(waiting: Bool) -> [(token: UInt64, what: Interest)] {
    unsafe withUnsafeTemporaryAllocation(of: csystem_ready.self, capacity: 64) { ready in
      let count = unsafe csystem_epoll_take(descriptor.rawValue, ready.baseAddress!, 64, waiting ? 1 : 0)
      return unsafe ready.prefix(max(0, Int(count))).map { ($0.token, Interest(rawValue: $0.what)) }
    }
  }
}

/// A poller with more than one owner.
package final class SharedPoller: Sendable {
  package let poller: Poller
  package init(_ poller: consuming Poller) { self.poller = poller }
}

/// Waits until bytes (or the end) can be read from a descriptor; false when `timeout` passes first. Nil waits for ever.
package func waitUntilReadable(_ descriptor: Int32, timeout: Duration?) throws(SystemError) -> Bool {
  let deadline = timeout.map { BootClock.now + $0 }
  while true {
    let milliseconds = deadline.map { ($0 - BootClock.now).pollTimeout } ?? -1
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&waiting, 1, milliseconds)
    if count > 0 { return true }
    if count == 0 { return false }
    if errno != EINTR { throw .current("wait for an answer") }
  }
}

/// Waits until bytes (or the end) can be read from a descriptor, for a caller that only forwards the bytes; false when `timeout` passes
/// first. Throws `EPIPE` as soon as no process reads `output` any more, not only at the next write. tail(1) does the same.
///
/// - Parameters:
///   - descriptor: -1 to wait only for the end of `output` or the timeout.
///   - timeout: the longest time to wait; nil for ever.
@discardableResult package func waitUntilReadable(
  _ descriptor: Int32, handingOnTo output: Int32, timeout: Duration? = nil
) throws(SystemError) -> Bool {
  var waiting = [
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    // poll(2) always reports that the other end is closed: POLLERR on a pipe, POLLHUP alone on a socket.
    pollfd(fd: output, events: 0, revents: 0),
  ]
  try checked("wait") { Int(unsafe poll(&waiting, 2, timeout?.pollTimeout ?? -1)) }
  if waiting[1].revents != 0 { throw SystemError(code: EPIPE, attempt: "write") }
  return waiting[0].revents != 0
}
