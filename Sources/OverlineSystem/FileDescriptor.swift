internal import COverline
internal import Glibc

/// A descriptor that is closed when its owner goes.
package struct FileDescriptor: ~Copyable, Sendable {
  /// For Dispatch sources and for C; valid while this value lives.
  package let rawValue: Int32

  /// Takes ownership of an open descriptor.
  package init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }

  /// Bytes that are there now, at most `maximum`; empty at the end of the stream. Throws `EAGAIN` when there are none yet.
  package func read(atMost maximum: Int = 65536) throws(SystemError) -> [UInt8] {
    try readBytes(from: rawValue, atMost: maximum)
  }

  /// The number of bytes taken. Throws `EAGAIN` when the other side is not reading.
  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    try writeBytes(bytes, to: rawValue)
  }

  /// Writes everything, waiting as long as it takes.
  package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try OverlineSystem.writeAll(bytes, to: rawValue)
  }

  /// Another descriptor of the same open file, close-on-exec.
  package func duplicate() throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: Int32(try checked("duplicate a descriptor") { Int(fcntl(rawValue, F_DUPFD_CLOEXEC, 3)) }))
  }

  package func setNonBlocking() throws(SystemError) {
    try checked("make a descriptor non-blocking") {
      Int(fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_NONBLOCK))
    }
  }
}

/// `read(2)` on a descriptor someone else owns.
package func readBytes(from descriptor: Int32, atMost maximum: Int) throws(SystemError) -> [UInt8] {
  var failure: SystemError?
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
    while true {
      count = unsafe Glibc.read(descriptor, buffer.baseAddress, maximum)
      if count >= 0 { return }
      if errno != EINTR { break }
    }
    failure = .current("read")
    count = 0
  }
  if let failure { throw failure }
  return bytes
}

/// A descriptor with more than one owner, closed when the last one has let go of it.
package final class SharedDescriptor: Sendable {
  package let descriptor: FileDescriptor
  package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// `write(2)` on a descriptor someone else owns; the number of bytes taken.
package func writeBytes(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) -> Int {
  try checked("write") {
    unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// Writes everything to a descriptor someone else owns; waits with `poll(2)` when it is non-blocking and full.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    do {
      rest = rest.dropFirst(try writeBytes(rest, to: descriptor))
    } catch {
      guard error.isWouldBlock else { throw error }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&waiting, 1, -1)
    }
  }
}

/// Opens `/dev/null` in place of standard descriptors that whoever started this process closed (`overline monitor >&-`). Otherwise
/// the next file or socket gets their numbers, and what is said to people is written into it.
package func openStandardDescriptors() {
  for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
    // The lowest free number: this one.
    _ = unsafe open("/dev/null", O_RDWR)
  }
}

/// Both ends of a `pipe2(2)`, close-on-exec.
package struct Pipe: ~Copyable, Sendable {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try checkedNegative("make a pipe") { unsafe csystem_pipe(&ends) }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  /// Gives up one end and keeps the other.
  package consuming func takeWriting() -> FileDescriptor { writing }
  package consuming func takeReading() -> FileDescriptor { reading }
}

/// What a child prints into: both ends, for as long as Dispatch knows the reading one. So it never hangs up, and its end is the child's.
/// A source that is let go while the kernel tells of a hang-up (EPOLLHUP) is used by libdispatch after it was freed (Swift 6.3).
package final class SharedPipe: Sendable {
  package let ends: Pipe
  package init() throws(SystemError) {
    ends = try Pipe()
    try ends.reading.setNonBlocking()
  }
}
