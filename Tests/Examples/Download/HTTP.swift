import Glibc

enum HTTPError: Error {
  case system(String, Int32)
  case notFound(host: String)
  case refused(status: String)
  case connectionEnded

  /// Whether another attempt may succeed: there was no answer, or not all of it.
  var isOfConnection: Bool {
    switch self {
    case .system, .notFound, .connectionEnded: true
    case .refused: false
    }
  }
}

/// Where a file is: `http://HOST[:PORT]/PATH`.
struct HTTPAddress {
  let host: String
  let port: String
  let path: String

  init?(_ text: String) {
    guard text.hasPrefix("http://") else { return nil }
    let rest = text.dropFirst(7)
    let authority = rest.prefix { $0 != "/" }.split(separator: ":", omittingEmptySubsequences: false)
    guard authority.count <= 2, let name = authority.first, !name.isEmpty else { return nil }
    host = String(name)
    port = authority.count == 2 ? String(authority[1]) : "80"
    let target = rest.drop { $0 != "/" }
    path = target.isEmpty ? "/" : String(target)
  }

  /// Reads the file from a byte on, and hands over the bytes as they arrive.
  ///
  /// - Returns: the size of the whole file.
  func get(from start: Int, _ onBytes: ([UInt8]) throws -> Void) throws -> Int {
    let connection = try Connection(host: host, port: port)
    try connection.send(
      "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nRange: bytes=\(start)-\r\nConnection: close\r\n\r\n")
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard head.count < 65536, let byte = try connection.receive(atMost: 1).first else {
        throw HTTPError.connectionEnded
      }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let status = lines.first.map { $0.split(separator: " ").dropFirst().first ?? "" } ?? ""
    // 416: there is nothing after the last byte.
    guard status == "206" || status == "416",
      let range = lines.first(where: { $0.lowercased().hasPrefix("content-range:") }),
      let total = range.split(separator: "/").last.flatMap({ Int($0) })
    else { throw HTTPError.refused(status: String(status)) }
    if status == "416" { return total }
    while true {
      let bytes = try connection.receive(atMost: 65536)
      if bytes.isEmpty { return total }
      try onBytes(bytes)
    }
  }
}

/// A connection that times out after two seconds without data.
private final class Connection {
  private let descriptor: Int32

  init(host: String, port: String) throws {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &found) == 0, let address = found?.pointee else {
      throw HTTPError.notFound(host: host)
    }
    defer { freeaddrinfo(found) }
    descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
    // For sending, including connecting, and for receiving.
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    if connect(descriptor, address.ai_addr, address.ai_addrlen) < 0 { throw HTTPError.system("connect", errno) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws {
    let count = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    if count != text.utf8.count { throw HTTPError.system("send", errno) }
  }

  /// Returns nothing at the end.
  func receive(atMost maximum: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = recv(descriptor, &bytes, maximum, 0)
    if count < 0 { throw HTTPError.system("receive", errno) }
    return Array(bytes[..<count])
  }
}
