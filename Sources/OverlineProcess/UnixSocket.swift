internal import COverline
package import OverlineSystem

/// Unix sockets by path. They are streams unless stated otherwise.
package enum UnixSocket {
  /// A socket that listens at `path`, readable and writable by its owner only. The path must be free.
  package static func listen(at path: String) throws(SystemError) -> FileDescriptor {
    let socket = try make("listen at \(path)")
    // The file gets the socket's mode (`unix_bind` in the kernel). umask(2) is unsuitable because it applies to the whole process: it would
    // also affect other threads' files, and of two concurrent calls the second would restore the first one's value.
    try checked("listen at \(path)") { Int(fchmod(socket.rawValue, 0o600)) }
    unsafe try withAddress(path, attempt: "listen at \(path)") { address, length in
      unsafe bind(socket.rawValue, address, length)
    }
    try checked("listen at \(path)") { Int(Glibc.listen(socket.rawValue, 1024)) }
    // The file exists since bind(2), and the kernel refused clients until listen(2). This change of the file makes clients that watch it
    // try again.
    _ = unsafe chmod(path, 0o600)
    return socket
  }

  /// Adopts a listening socket that the service manager opened for this process, and makes it close-on-exec and non-blocking. Throws if the
  /// descriptor is not such a socket.
  package static func adopt(_ raw: Int32) throws(SystemError) -> FileDescriptor {
    let attempt = "take over the socket of descriptor \(raw)"
    var (accepts, kind, length) = (Int32(0), Int32(0), socklen_t(MemoryLayout<Int32>.size))
    try checked(attempt) { Int(unsafe getsockopt(raw, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &length)) }
    try checked(attempt) { Int(unsafe getsockopt(raw, SOL_SOCKET, SO_TYPE, &kind, &length)) }
    guard accepts != 0, kind == Int32(SOCK_STREAM.rawValue) else { throw SystemError(code: EINVAL, attempt: attempt) }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    let listener = FileDescriptor(owning: raw)
    try listener.setNonBlocking()
    return listener
  }

  /// The path at which a socket listens; empty when its address is not a path.
  package static func path(of socket: Int32) throws(SystemError) -> String {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    try checked("ask where a socket listens") {
      unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Int(unsafe getsockname(socket, $0, &length))
        }
      }
    }
    guard address.sun_family == sa_family_t(AF_UNIX) else { return "" }
    return unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// A blocking socket connected to the listener at `path`. Throws `EAGAIN` if the listener's queue is full and the listener accepts no
  /// client in time: it may be stopped.
  package static func connect(
    to path: String, timeout: Duration = .seconds(2)
  ) throws(SystemError) -> FileDescriptor {
    let socket = try make("connect to \(path)")
    _ = fcntl(socket.rawValue, F_SETFL, fcntl(socket.rawValue, F_GETFL) & ~O_NONBLOCK)
    // The send timeout also limits connect(2)'s wait for room in the queue. Zero would wait for ever.
    let (seconds, attoseconds) = max(timeout, .milliseconds(1)).components
    var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    try checked("connect to \(path)") {
      Int(
        unsafe setsockopt(socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)))
    }
    unsafe try withAddress(path, attempt: "connect to \(path)") { address, length in
      unsafe Glibc.connect(socket.rawValue, address, length)
    }
    return socket
  }

  /// Whether a process listens at `path`. Does not wait. Also true if the kernel gives no answer: the listener's queue is full, or this
  /// user may not connect.
  package static func isListened(at path: String) -> Bool {
    do throws(SystemError) {
      let socket = try make("connect to \(path)")
      unsafe try withAddress(path, attempt: "connect to \(path)") { address, length in
        unsafe Glibc.connect(socket.rawValue, address, length)
      }
      return true
    } catch {
      return !(error.isConnectionRefused || error.isNoSuchFile || error.isNotADirectory)
    }
  }

  /// The next client of a listening socket, non-blocking; throws `EAGAIN` when there is none.
  package static func accept(from listener: Int32) throws(SystemError) -> FileDescriptor {
    let raw = try checkedNegative("accept a client") {
      csystem_accept(listener)
    }
    return FileDescriptor(owning: raw)
  }

  /// The user and process on the other side of a connected socket.
  package static func peer(of socket: Int32) throws(SystemError) -> (uid: UInt32, pid: Int32) {
    var uid: uid_t = 0
    var pid: pid_t = 0
    try checkedNegative("get the peer's credentials") { unsafe csystem_peer_credentials(socket, &uid, &pid) }
    return (uid, pid)
  }

  /// The longest path of a socket in bytes (unix(7): `sun_path` is 108 bytes with its final zero).
  package static let maximumPathLength = 107

  /// `send(2)`; returns the number of bytes sent. Throws `EAGAIN` instead of waiting, and `EPIPE` instead of raising SIGPIPE.
  package static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) throws(SystemError) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return try checked("send") {
      unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, flags) }
    }
  }

  static func make(_ attempt: String, _ type: __socket_type = SOCK_STREAM) throws(SystemError) -> FileDescriptor {
    let kind = Int32(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: Int32(try checked(attempt) { Int(socket(AF_UNIX, kind, 0)) }))
  }

  /// - Parameter isAbstract: true for an abstract name (unix(7)). A zero byte precedes such a name, and the address's length is its end.
  static func withAddress(
    _ path: String, isAbstract: Bool = false, attempt: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count <= maximumPathLength, !bytes.isEmpty, !bytes.contains(0) else {
      throw SystemError(code: ENAMETOOLONG, attempt: attempt)
    }
    let prefix: [UInt8] = isAbstract ? [0] : []
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: prefix + bytes) }
    let size = isAbstract ? MemoryLayout<sa_family_t>.size + 1 + bytes.count : MemoryLayout<sockaddr_un>.size
    var result: Int32 = -1
    try checked(attempt) {
      unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          result = unsafe call($0, socklen_t(size))
        }
      }
      return Int(result)
    }
  }
}
