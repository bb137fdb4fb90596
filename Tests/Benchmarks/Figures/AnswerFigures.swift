internal import Glibc
internal import NetworkPath
internal import OverlineTestSupport

/// The cost of a look at the machine's TCP connections.
enum AnswerFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let namespace = try NetworkNamespace()
    let pairs = try namespace.inside { try connect(pairs: 500) }
    defer { for descriptor in pairs { close(descriptor) } }
    let diagnostics = try namespace.inside { try SocketDiagnostics() }
    let count = plan.isQuick ? 20 : 200
    var (looks, exact) = ([Double](), [Double]())
    var found: [TCPConnection] = []
    for _ in 0..<count {
      looks.append(try processorTime { found = try diagnostics.connections(in: [.established]) } / 1e6)
    }
    guard found.count == pairs.count else { throw TestKitError("\(found.count) of \(pairs.count) sockets were listed") }
    for connection in found.prefix(count) {
      exact.append(try processorTime { _ = try diagnostics.connection(connection.id) } / 1e3)
    }
    return [
      Figure(
        what: "one look at 1000 TCP sockets, processor time", unit: "ms", ours: looks, goal: .atMost(1.5)),
      Figure(
        what: "one socket looked up by its addresses, processor time", unit: "µs", ours: exact),
    ]
  }

  /// Both ends of connections over the loopback interface.
  private static func connect(pairs: Int) throws -> [Int32] {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(7000).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    func call(_ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32) throws {
      let result = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result < 0 { throw TestKitError("cannot connect: \(errno)") }
    }
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    try unsafe call({ unsafe bind($0, $1, $2) }, listener)
    listen(listener, 1)
    return try (0..<pairs).flatMap { _ in
      let near = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      try unsafe call({ unsafe Glibc.connect($0, $1, $2) }, near)
      return [near, accept(listener, nil, nil)]
    }
  }

  /// In nanoseconds.
  private static func processorTime(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
    let start = now()
    try body()
    return now() - start
  }
}
