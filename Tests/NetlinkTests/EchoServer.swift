import Dispatch
import Glibc
import OverlineSystem
import OverlineTestKit

/// Sends back what it gets on TCP and UDP port 7000 of every address of a namespace.
final class EchoServer: @unchecked Sendable {
  static let port: UInt16 = 7000

  private let queue = DispatchQueue(label: "test.echo")
  private var sources: [any DispatchSourceRead] = []

  init(in namespace: NetworkNamespace) throws {
    let listener = try namespace.inside { try EchoSocket.open(SOCK_STREAM) }
    try EchoSocket.bind(listener)
    guard listen(listener, 100) == 0 else { throw TestKitError("listen") }
    let datagrams = try namespace.inside { try EchoSocket.open(SOCK_DGRAM) }
    try EchoSocket.bind(datagrams)
    queue.sync {
      serve(listener) { [unowned self] in
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        serve(connection) { Self.echo(connection) }
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

  private static func echo(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 { _ = send(descriptor, bytes, count, Int32(MSG_NOSIGNAL)) }
  }

  private static func answer(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var peer = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutablePointer(to: &peer) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let count = recvfrom(descriptor, &bytes, bytes.count, 0, $0, &size)
        if count >= 0 { _ = sendto(descriptor, bytes, count, 0, $0, size) }
      }
    }
  }
}

/// Connections to an ``EchoServer``, each of which sends a byte every fifth of a second and reads what comes back.
final class EchoClients: @unchecked Sendable {
  private let sockets: [Int32]
  private let timer: any DispatchSourceTimer
  private let counter = Recorder<Int>()

  /// - Parameter waits: whether to wait until all connections are made.
  init(_ kind: __socket_type = SOCK_STREAM, in namespace: NetworkNamespace, to addresses: [String], waits: Bool = true)
    throws
  {
    sockets = try addresses.map { text in
      let socket = try namespace.inside { try EchoSocket.open(kind) }
      let result = EchoSocket.connect(socket, to: text)
      guard result == 0 || errno == EINPROGRESS else { throw TestKitError("connect to \(text): \(errno)") }
      if waits, !eventually({ EchoSocket.isWritable(socket) }) { throw TestKitError("no connection to \(text)") }
      return socket
    }
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.clients"))
    timer.setEventHandler { [sockets, counter] in
      for socket in sockets {
        _ = send(socket, "x", 1, Int32(MSG_NOSIGNAL))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, 0)
        if count > 0 { counter.record(count) }
      }
    }
    timer.setCancelHandler { [sockets] in for socket in sockets { close(socket) } }
    timer.schedule(deadline: .now(), repeating: .milliseconds(200))
    timer.resume()
  }

  deinit { timer.cancel() }

  /// Waits until this many bytes have come back.
  func wait(forAnswers count: Int) throws {
    try counter.wait("\(count) answers") { $0.reduce(0, +) >= count }
  }
}

/// A socket of both families, non-blocking.
private enum EchoSocket {
  static func open(_ kind: __socket_type) throws -> Int32 {
    let raw = socket(AF_INET6, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    if raw < 0 { throw TestKitError("make a socket") }
    return raw
  }

  static func bind(_ descriptor: Int32) throws {
    var address = any
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
    if result < 0 { throw TestKitError("bind: \(errno)") }
  }

  static func connect(_ descriptor: Int32, to text: String) -> Int32 {
    var address = any
    guard inet_pton(AF_INET6, text.contains(":") ? text : "::ffff:\(text)", &address.sin6_addr) == 1 else { return -1 }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }

  static func isWritable(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, 0) == 1 && waiting.revents == Int16(POLLOUT)
  }

  private static var any: sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = EchoServer.port.bigEndian
    return address
  }
}
