internal import OverlineProcess
internal import OverlineSystem

/// A series of outages, one after the other. Before the next one begins, the monitor must report the beginning and the end of each to an
/// observer, with banner and rows.
///
/// A single `ip` process reads the commands that remove and add the default route: a thousand outages do not need a thousand processes.
package final class OutageSeries {
  private static let begun = ["\"state\":\"offline\"", "\"inset\":{\"top\":1,\"bottom\":0}"]
  private static let over = ["\"state\":\"online\"", "\"phase\":\"hidden\"", "\"inset\":{\"top\":0,\"bottom\":0}"]

  private let observer: FileDescriptor
  private let commands: FileDescriptor
  private let ip: Int32
  private let route: String
  private var unread: [UInt8] = []

  /// - Parameters:
  ///   - socket: the path of a monitor's socket; the monitor runs in this namespace.
  ///   - route: the default route to control, as for `ip route add`.
  package init(_ namespace: NetworkNamespace, socket: String, route: String) throws {
    self.route = route
    observer = try UnixSocket.connect(to: socket)
    let pipe = try Pipe()
    let reading = pipe.reading.rawValue
    ip = try namespace.inside {
      try Subprocess.spawn("ip", ["-batch", "-"], newSession: false, descriptors: [(reading, 0)])
    }
    commands = pipe.takeWriting()
    try wait(for: Self.over)
  }

  deinit {
    Signal.kill.send(to: ip)
    _ = Subprocess.wait(for: ip)
  }

  package func run(_ count: Int) throws {
    for _ in 0..<count {
      try commands.writeAll(Array("route del \(route)\n".utf8))
      try wait(for: Self.begun)
      try commands.writeAll(Array("route add \(route)\n".utf8))
      try wait(for: Self.over)
    }
  }

  /// Reads until the newest line contains all of these words.
  private func wait(for words: [String]) throws {
    while true {
      if let end = unread.lastIndex(of: 0x0a) {
        let start = unread[..<end].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        let line = String(decoding: unread[start..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        if words.allSatisfy(line.contains) { return }
      }
      guard try waitUntilReadable(observer.rawValue, timeout: .seconds(10)) else {
        throw TestKitError("waited in vain for \(words)")
      }
      let bytes = try observer.read()
      if bytes.isEmpty { throw TestKitError("the monitor dropped its observer") }
      unread += bytes
    }
  }
}
