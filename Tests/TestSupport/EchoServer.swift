internal import Dispatch
package import OverlineSystem

/// Sends back what it gets on TCP and UDP port 7000 of every address of a namespace.
package final class EchoServer: @unchecked Sendable {
  package static let port: UInt16 = 7000

  private let queue = DispatchQueue(label: "test.echo")
  private var sources: [any DispatchSourceRead] = []

  package init(in namespace: NetworkNamespace) throws {
    let listener = try namespace.inside { try EchoSocket.open(SOCK_STREAM) }
    try EchoSocket.bind(listener, to: Self.port)
    guard listen(listener, 100) == 0 else { throw TestKitError("listen") }
    let datagrams = try namespace.inside { try EchoSocket.open(SOCK_DGRAM) }
    try EchoSocket.bind(datagrams, to: Self.port)
    queue.sync {
      serve(listener) { [weak self] in
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        self?.serve(connection) { Self.echo(connection) }
      }
      serve(datagrams) { Self.answer(datagrams) }
    }
  }

  deinit { for source in sources { source.cancel() } }

  private func serve(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: body)
    source.setCancelHandler { close(descriptor) }
    source.resume()
    sources.append(source)
  }

  /// Opens a connection to a server, sends a byte, and waits for its return.
  ///
  /// - Throws: the kernel's error, such as `EHOSTUNREACH`; `ETIMEDOUT` when a step takes longer than `timeout`.
  package static func visit(
    _ address: String, from namespace: NetworkNamespace, timeout: Duration = .seconds(20)
  ) throws {
    let socket = FileDescriptor(owning: try namespace.inside { try EchoSocket.open(SOCK_STREAM) })
    let attempt = "reach \(address)"
    func wait(_ events: Int32) throws {
      var waiting = pollfd(fd: socket.rawValue, events: Int16(events), revents: 0)
      let milliseconds = Int32(timeout * Sanitizer.slowness / .milliseconds(1))
      if unsafe poll(&waiting, 1, milliseconds) == 0 { throw SystemError(code: ETIMEDOUT, attempt: attempt) }
      var code: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      _ = unsafe getsockopt(socket.rawValue, SOL_SOCKET, SO_ERROR, &code, &size)
      if code != 0 { throw SystemError(code: code, attempt: attempt) }
    }
    let result = EchoSocket.connect(socket.rawValue, to: address, port: port)
    guard result == 0 || errno == EINPROGRESS else { throw SystemError(code: errno, attempt: attempt) }
    try wait(POLLOUT)
    var byte = UInt8(ascii: "x")
    _ = unsafe send(socket.rawValue, &byte, 1, Int32(MSG_NOSIGNAL))
    try wait(POLLIN)
    if unsafe recv(socket.rawValue, &byte, 1, 0) != 1 { throw SystemError(code: ECONNRESET, attempt: attempt) }
  }

  private static func echo(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count > 0 { _ = unsafe send(descriptor, bytes, count, Int32(MSG_NOSIGNAL)) }
  }

  private static func answer(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var peer = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    unsafe withUnsafeMutablePointer(to: &peer) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let count = unsafe recvfrom(descriptor, &bytes, bytes.count, 0, $0, &size)
        if count >= 0 { _ = unsafe sendto(descriptor, bytes, count, 0, $0, size) }
      }
    }
  }
}

/// Listens on TCP port 7001 of every address of a namespace, and never reads: the kernel acknowledges until its small buffer is full.
package final class UnreadServer: Sendable {
  package static let port: UInt16 = 7001

  private let listener: FileDescriptor

  package init(in namespace: NetworkNamespace) throws {
    listener = try namespace.inside { FileDescriptor(owning: try EchoSocket.open(SOCK_STREAM)) }
    try EchoSocket.set(SO_RCVBUF, of: SOL_SOCKET, on: listener.rawValue, to: 4096)
    try EchoSocket.bind(listener.rawValue, to: Self.port)
    guard listen(listener.rawValue, 100) == 0 else { throw TestKitError("listen") }
  }
}

/// Accepts connections on TCP port 7002 of every address of a namespace, and closes each at once.
package final class ClosingServer: @unchecked Sendable {
  package static let port: UInt16 = 7002

  private let source: any DispatchSourceRead

  package init(in namespace: NetworkNamespace) throws {
    let listener = try namespace.inside { try EchoSocket.open(SOCK_STREAM) }
    try EchoSocket.bind(listener, to: Self.port)
    guard listen(listener, 100) == 0 else { throw TestKitError("listen") }
    source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: DispatchQueue(label: "test.closing"))
    source.setEventHandler {
      let connection = accept(listener, nil, nil)
      if connection >= 0 { close(connection) }
    }
    source.setCancelHandler { close(listener) }
    source.resume()
  }

  deinit { source.cancel() }
}

/// Connects to a ``ClosingServer`` again and again. The server closes first, so an ended connection leaves no socket here.
package final class ShortConnections: @unchecked Sendable {
  private let timer: any DispatchSourceTimer
  private let ends = Recorder<Void>()

  package init(to address: String, in namespace: NetworkNamespace, interval: Duration = .milliseconds(300)) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.short"))
    timer.setEventHandler { [ends] in
      guard let socket = try? namespace.inside({ try EchoSocket.open(SOCK_STREAM) }) else { return }
      defer { close(socket) }
      _ = EchoSocket.connect(socket, to: address, port: ClosingServer.port)
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      if unsafe poll(&waiting, 1, 1000) == 1, unsafe recv(socket, &byte, 1, 0) == 0 { ends.record(()) }
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(Int(interval / .milliseconds(1))))
    timer.resume()
  }

  deinit { timer.cancel() }

  /// The number of connections that the server has closed.
  package var count: Int { ends.values.count }
}

/// Connections to an ``EchoServer`` or ``UnreadServer``, each of which sends now and then and reads what comes back.
package final class EchoClients: @unchecked Sendable {
  private let sockets: [Int32]
  private let timer: any DispatchSourceTimer
  private let counter = Recorder<Int>()

  /// - Parameters:
  ///   - interval: the time between two sends.
  ///   - bytes: the length of each.
  ///   - keepsAlive: whether the kernel asks each second whether a silent other end still exists.
  ///   - waits: whether to wait until all connections are made.
  package init(
    _ kind: __socket_type = SOCK_STREAM, in namespace: NetworkNamespace, to addresses: [String],
    port: UInt16 = EchoServer.port, interval: Duration = .milliseconds(200), bytes: Int = 1, keepsAlive: Bool = false,
    waits: Bool = true
  ) throws {
    sockets = try addresses.map { text in
      let socket = try namespace.inside { try EchoSocket.open(kind) }
      if keepsAlive {
        try EchoSocket.set(SO_KEEPALIVE, of: SOL_SOCKET, on: socket, to: 1)
        try EchoSocket.set(TCP_KEEPIDLE, of: Int32(IPPROTO_TCP), on: socket, to: 1)
        try EchoSocket.set(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), on: socket, to: 1)
      }
      let result = EchoSocket.connect(socket, to: text, port: port)
      guard result == 0 || errno == EINPROGRESS else { throw TestKitError("connect to \(text): \(errno)") }
      if waits, !eventually({ EchoSocket.isConnected(socket, to: text, port: port) }) {
        throw TestKitError("no connection to \(text)")
      }
      return socket
    }
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.clients"))
    let data = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    timer.setEventHandler { [sockets, counter] in
      for socket in sockets {
        _ = unsafe send(socket, data, data.count, Int32(MSG_NOSIGNAL))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(socket, &bytes, bytes.count, 0)
        if count > 0 { counter.record(count) }
      }
    }
    timer.setCancelHandler { [sockets] in for socket in sockets { close(socket) } }
    timer.schedule(deadline: .now(), repeating: .milliseconds(Int(interval / .milliseconds(1))))
    timer.resume()
  }

  deinit { timer.cancel() }

  /// Waits until this many bytes have come back.
  package func wait(forAnswers count: Int) throws {
    try counter.wait("\(count) answers") { $0.reduce(0, +) >= count }
  }
}

/// A socket of both families, non-blocking.
enum EchoSocket {
  static func open(_ kind: __socket_type) throws -> Int32 {
    let raw = socket(AF_INET6, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    if raw < 0 { throw TestKitError("make a socket") }
    return raw
  }

  static func set(_ option: Int32, of level: Int32, on descriptor: Int32, to value: Int32) throws {
    var value = value
    let result = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    if result < 0 { throw TestKitError("setsockopt \(option): \(errno)") }
  }

  static func bind(_ descriptor: Int32, to port: UInt16) throws {
    var address = any(port)
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
    if result < 0 { throw TestKitError("bind: \(errno)") }
  }

  static func connect(_ descriptor: Int32, to text: String, port: UInt16) -> Int32 {
    var address = any(port)
    let mapped = text.contains(":") ? text : "::ffff:\(text)"
    guard unsafe inet_pton(AF_INET6, mapped, &address.sin6_addr) == 1 else { return -1 }
    return unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }

  /// Whether a connection is made. One that has failed begins again: on a busy machine, the router of a new network may not answer the
  /// kernel's first three questions.
  static func isConnected(_ descriptor: Int32, to address: String, port: UInt16) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if unsafe poll(&waiting, 1, 0) != 1 { return false }
    // An error of an earlier attempt may remain after a later one has succeeded.
    return waiting.revents == Int16(POLLOUT) || connect(descriptor, to: address, port: port) == 0 || errno == EISCONN
  }

  private static func any(_ port: UInt16) -> sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    return address
  }
}
