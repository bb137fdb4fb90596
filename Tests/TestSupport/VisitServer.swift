internal import OverlineSystem
internal import Synchronization

/// Answers ``TCPVisits`` on TCP port 7003 of every address of a namespace: sends the first byte of each connection back.
///
/// Without Dispatch, which cannot watch thousands of connections that end with a reset.
package final class VisitServer: Sendable {
  static let port: UInt16 = 7003

  private let isEnded = Ended()

  package init(in namespace: NetworkNamespace) throws {
    let raw = try namespace.inside { try EchoSocket.open(SOCK_STREAM) }
    try EchoSocket.bind(raw, to: Self.port)
    guard listen(raw, 100) == 0 else { throw TestKitError("listen") }
    try BackgroundThread.start(name: "test-visited") { [isEnded] in
      var connections: [Int32] = []
      while !isEnded.value {
        var polled = ([raw] + connections).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard unsafe poll(&polled, nfds_t(polled.count), 200) > 0 else { continue }
        for ready in polled where ready.revents != 0 {
          if ready.fd == raw {
            let connection = accept(raw, nil, nil)
            if connection >= 0 { connections.append(connection) }
          } else if !Self.answer(ready.fd) {
            close(ready.fd)
            connections.removeAll { $0 == ready.fd }
          }
        }
      }
      for descriptor in [raw] + connections { close(descriptor) }
    }
  }

  deinit { isEnded.set() }

  /// False when the connection has ended.
  private static func answer(_ connection: Int32) -> Bool {
    var byte: UInt8 = 0
    guard unsafe recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) == 1 else { return false }
    return unsafe send(connection, &byte, 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == 1
  }

  private final class Ended: Sendable {
    private let state = Mutex(false)
    var value: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }
}
