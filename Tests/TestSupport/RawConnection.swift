internal import OverlineProcess
package import OverlineSystem

/// A connection to or from an observer that sends and receives lines as they are.
package struct RawConnection: ~Copyable {
  package let socket: FileDescriptor
  private var received: [UInt8] = []

  package init(_ path: String) throws { socket = try UnixSocket.connect(to: path) }

  package init(accepting listener: Int32) throws { socket = try UnixSocket.accept(from: listener) }

  package func send(_ text: String) throws { try socket.writeAll(Array(text.utf8)) }

  /// The next line without its line feed; nil at the end or after ten seconds.
  package mutating func line() throws -> String? {
    while true {
      if let end = received.firstIndex(of: 0x0a) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      guard try waitUntilReadable(socket.rawValue, timeout: .seconds(10)) else { return nil }
      let more = (try? socket.read()) ?? []
      if more.isEmpty { return nil }
      received += more
    }
  }
}
