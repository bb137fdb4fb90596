import Dispatch
import Glibc
import OverlineSystem
import OverlineTestSupport
import Synchronization

/// An HTTP server with one file, which serves it from any byte on, as fast as a test allows.
final class RangeServer: Sendable {
  /// The first byte of each request, in order.
  let requests = Recorder<Int>()
  let file: [UInt8]
  /// The number of bytes from the file's start that may be sent.
  private let limit: Mutex<Int>
  /// Signalled when the limit is lifted, for a connection that reached it.
  private let released = DispatchSemaphore(value: 0)
  private let listener: Int32

  /// A server in the calling thread's network namespace, on port 8000 of every address.
  ///
  /// - Parameter limit: how many bytes it sends before ``release()``.
  init(file: [UInt8], limit: Int) throws {
    self.file = file
    self.limit = Mutex(limit)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(8000).bigEndian
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0, listen(listener, 8) == 0 else { throw TestKitError("no server: errno \(errno)") }
    let door = listener
    try BackgroundThread.start(name: "range-server") { [weak self] in
      while true {
        let client = accept(door, nil, nil)
        if client < 0 { return }
        guard let server = self else { return }
        try? BackgroundThread.start(name: "range-server") { server.serve(client) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Allows the rest to be sent.
  func release() {
    limit.withLock { $0 = .max }
    released.signal()
  }

  private func serve(_ client: Int32) {
    defer { close(client) }
    var head = ""
    while !head.hasSuffix("\r\n\r\n") {
      guard let bytes = try? readBytes(from: client, atMost: 4096), !bytes.isEmpty else { return }
      head += String(decoding: bytes, as: UTF8.self)
    }
    let range = head.split(separator: "\r\n").first { $0.hasPrefix("Range: bytes=") }
    let start = range.flatMap { Int($0.dropFirst(13).dropLast()) } ?? 0
    requests.record(start)
    var answer = "HTTP/1.1 206 Partial Content\r\nConnection: close\r\n"
    answer += "Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)\r\n\r\n"
    try? writeAll(Array(answer.utf8), to: client)
    var sent = start
    while sent < file.count {
      let end = min(file.count, limit.withLock { $0 })
      if end <= sent {
        released.wait()
        released.signal()
        continue
      }
      let next = min(end, sent + 1000)
      let isGone = withoutBrokenPipeSignal { (try? writeAll(Array(file[sent..<next]), to: client)) == nil }
      if isGone { return }
      sent = next
    }
  }
}
