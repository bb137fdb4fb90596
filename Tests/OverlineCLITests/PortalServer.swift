import Dispatch
import OverlineProcess
import OverlineSystem
import OverlineTestSupport

/// A scripted web server in a test's world: the internet, or a portal in its place.
final class PortalServer: Sendable {
  enum Manner: String, CaseIterable {
    case good
    case redirect, lie, error, garbage
    case stall, slow, reset, huge
    /// Answers that curl itself refuses after their first byte.
    case longLine, longStatus, binary, badLength, badCoding, cutShort
  }

  private let program: TestProgram
  private let manner: String
  static let url = "http://127.0.0.1:8000/success.txt"

  init(_ world: World, _ manner: Manner) throws {
    let file = "\(world.folder)/manner"
    self.manner = file
    try Files.replace(file, with: Array(manner.rawValue.utf8))
    program = try world.namespace.inside {
      try TestProgram("python3", ["-u", "-c", Self.script, file], environment: world.environment)
    }
    try program.lines.wait("the server") { $0 == ["ready"] }
  }

  /// Changes the answer from the next request on.
  func answer(_ manner: Manner) throws { try Files.replace(self.manner, with: Array(manner.rawValue.utf8)) }

  /// The heads of all requests so far, each in one line.
  var requests: [String] { program.lines.values.filter { $0.hasPrefix("GET ") } }
  func waitForRequests(_ count: Int, within limit: DispatchTimeInterval = .seconds(30)) throws {
    try program.lines.wait("question \(count)", within: limit) { $0.count { $0.hasPrefix("GET ") } >= count }
  }
  /// The number of bytes read of each endless page.
  var sent: [Int] { program.lines.values.compactMap { $0.hasPrefix("sent ") ? Int($0.dropFirst(5)) : nil } }

  private static let script = #"""
    import socket, struct, sys, threading
    never = threading.Event()
    def serve(client):
        head = b''
        while b'\r\n\r\n' not in head:
            head += client.recv(4096)
            # A greeting of TLS.
            if head[:1] == b'\x16': return client.close()
        print(head.decode().strip().replace('\r\n', ' | '))
        manner = open(sys.argv[1]).read()
        page = b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'
        if manner == 'good': client.sendall(page + b'success\n')
        if manner == 'redirect': client.sendall(b'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:8000/login\r\nContent-Length: 0\r\n\r\n')
        if manner == 'lie': client.sendall(page + b'<html>Please log in for success</html>')
        if manner == 'error': client.sendall(b'HTTP/1.1 503 Down\r\nContent-Length: 0\r\n\r\n')
        if manner == 'garbage': client.sendall(b'SSH-2.0-portal\r\n\r\n')
        if manner == 'longLine': client.sendall(page[:-2] + b'X: ' + b'x' * 200000 + b'\r\n\r\nsuccess\n')
        if manner == 'longStatus': client.sendall(b'HTTP/1.1 200 ' + b'x' * 200000 + b'\r\n\r\nsuccess\n')
        if manner == 'binary': client.sendall(b'\x16\x03\x01' + b'\0' * 1000)
        if manner == 'badLength': client.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nsuccess\n')
        if manner == 'badCoding': client.sendall(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nsuccess\n')
        if manner == 'cutShort': client.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nsuccess\n')
        if manner == 'stall': client.recv(1)
        if manner == 'reset': client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        sent = 0
        try:
            while manner == 'slow':
                client.sendall((page + b'success' * 99)[sent:sent + 1])
                sent += 1
                never.wait(0.05)
            while manner == 'huge':
                client.sendall(page + b'x' * 100000 if sent == 0 else b'x' * 100000)
                sent += 100000
        except OSError:
            print('sent', sent)
        client.close()
    door = socket.create_server(('127.0.0.1', 8000))
    print('ready')
    while True:
        threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()
    """#
}
