internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport

/// The growth of a monitor after ten thousand reloads of a configuration with every key.
enum ReloadFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let reloads = plan.isQuick ? 1_000 : 10_000
    // The first reloads load everything that they need into memory.
    let first = reloads / 10
    let world = try BenchWorld(plan.overline)
    _ = try world.file("overline/config.toml", Array(world.run("config", "show").utf8))
    let monitor = try world.startOverline("monitor")
    let figures = ProcessFigures(pid: monitor.pid)
    try reload(first, world)
    let before = try figures.memory("Anonymous")
    try reload(reloads - first, world)
    let growth = try figures.memory("Anonymous") - before
    return [
      Figure(
        what: "\(reloads) reloads: growth of memory (Anonymous) from the \(first)th on", unit: "KB",
        ours: [Double(growth)], goal: .atMost(256))
    ]
  }

  /// The burst of requests that one connection may send.
  private static let burst = 100

  private static func reload(_ count: Int, _ world: BenchWorld) throws {
    for _ in 0..<(count / burst) {
      let socket = try UnixSocket.connect(to: world.socket)
      let lines = Array(String(repeating: "{\"do\":\"reload\"}\n", count: burst).utf8)
      guard try UnixSocket.send(lines[...], to: socket.rawValue) == lines.count else {
        throw TestKitError("the monitor does not read")
      }
      var answers = ""
      while answers.ranges(of: "\"ok\":true").count < burst {
        guard try waitUntilReadable(socket.rawValue, timeout: .seconds(10)) else { throw TestKitError(answers) }
        answers += String(decoding: try readBytes(from: socket.rawValue, atMost: 65536), as: UTF8.self)
      }
    }
  }
}
