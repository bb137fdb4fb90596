internal import COverline

/// A descriptor that is closed when this value is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
  /// For Dispatch sources and for C; valid while this value lives.
  package let rawValue: Int32

  /// Takes ownership of an open descriptor.
  package init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Opens a file for reading.
  package init(reading path: String) throws(SystemError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    rawValue = Int32(try checked("read \(path)") { Int(unsafe open(path, flags)) })
  }

  deinit {
    close(rawValue)
  }

  /// The bytes available now, at most `maximum`; empty at the end of the stream. Throws `EAGAIN` when none are available yet.
  package func read(atMost maximum: Int = 65536) throws(SystemError) -> [UInt8] {
    try readBytes(from: rawValue, atMost: maximum)
  }

  /// The whole content of an open file, from its beginning. For a file in `/proc`, the kernel generates the current content.
  package func readAgain() throws(SystemError) -> [UInt8] {
    try checked("read a file again") { lseek(rawValue, 0, SEEK_SET) }
    var bytes: [UInt8] = []
    while true {
      let more = try read(atMost: 16384)
      if more.isEmpty { return bytes }
      bytes += more
    }
  }

  /// Returns the number of bytes written. Throws `EAGAIN` if the descriptor is full because its reader does not read.
  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    try writeBytes(bytes, to: rawValue)
  }

  /// Writes everything, and waits as long as necessary.
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

/// `read(2)` on a borrowed descriptor.
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

/// A descriptor with more than one owner, closed when the last one releases it.
package final class SharedDescriptor: Sendable {
  package let descriptor: FileDescriptor
  package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// `write(2)` on a borrowed descriptor; returns the number of bytes written.
package func writeBytes(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) -> Int {
  try checked("write") {
    unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// Writes everything to a borrowed descriptor; waits with `poll(2)` when it is non-blocking and full.
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

/// Opens `/dev/null` in place of standard descriptors that the parent process closed (`overline monitor >&-`). Otherwise the next opened
/// file or socket gets such a number, and messages for the user are written into it.
package func openStandardDescriptors() {
  for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
    // open(2) returns the lowest free number, which is this one.
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

  /// Returns one end and closes the other.
  package consuming func takeWriting() -> FileDescriptor { writing }
  package consuming func takeReading() -> FileDescriptor { reading }
}

/// A pipe for a child's output. Its owner keeps both ends open, so it never reports an end of file: the owner stops reading when the child
/// exits, even if the child's own children still hold the pipe.
package final class SharedPipe: Sendable {
  package let ends: Pipe
  package init() throws(SystemError) {
    ends = try Pipe()
    try ends.reading.setNonBlocking()
  }
}
