internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport

/// The growth of a window after a gigabyte of output and a hundred thousand toasts, in turns.
enum SoakFigures {
  private static let rounds = 10
  private static let rows = 50
  private static let columns = 200

  static func measure(_ plan: Plan) throws -> [Figure] {
    let bytes = plan.isQuick ? 50_000_000 : 1_000_000_000
    let toasts = plan.isQuick ? 5_000 : 100_000
    let world = try BenchWorld(plan.overline)
    let script = """
      printf '\\033[H\\033[2JREADY'
      for round in $(seq \(rounds)); do
        read -r go; yes 'What a program prints, a line of it after the other, until it is enough.' | head -c \(bytes / rounds)
      done
      read -r go; printf '\\nSIZE %s.' "$(stty size)"; read -r go
      """
    let terminal = try world.start(
      .overline, ["sh", try world.file("script.sh", Array(script.utf8))], rows: rows, columns: columns)
    try terminal.wait(for: "READY")
    let figures = ProcessFigures(pid: terminal.pid)
    var before: (memory: Int, descriptors: Int, threads: Int)?
    for _ in 0..<rounds {
      try terminal.fill()
      for _ in 0..<(toasts / rounds / burst) { try post(world, terminal) }
      try terminal.settle(.milliseconds(500))
      // The first round loads everything that it needs into memory.
      if before == nil { before = try (figures.memory("Anonymous"), figures.descriptors(), figures.threads()) }
    }
    guard let before else { return [] }
    // The last toast must time out.
    try terminal.settle(.seconds(5))
    let growth = try figures.memory("Anonymous") - before.memory
    let descriptors = try figures.descriptors() - before.descriptors
    let threads = try figures.threads() - before.threads
    try terminal.type("\n")
    try terminal.wait(for: "SIZE \(rows) \(columns).")
    let what = "\(bytes / 1_000_000) MB and \(toasts) toasts through a window"
    return [
      Figure(what: "\(what): growth of memory (Anonymous)", unit: "KB", ours: [Double(growth)], goal: .atMost(256)),
      Figure(what: "\(what): growth of descriptors", unit: "", ours: [Double(descriptors)], goal: .atMost(0)),
      Figure(what: "\(what): growth of threads", unit: "", ours: [Double(threads)], goal: .atMost(0)),
    ]
  }

  /// The burst of requests that one connection may send.
  private static let burst = 100

  /// A client that posts and waits for the answers. The posts update a single toast.
  private static func post(_ world: BenchWorld, _ window: HostTerminal) throws {
    let socket = try UnixSocket.connect(to: "\(world.folder)/overline/window-\(window.pid).sock")
    let lines = (0..<burst).map { "{\"do\":\"toast\",\"title\":\"Number \($0)\",\"key\":\"soak\"}\n" }.joined()
    guard try UnixSocket.send(Array(lines.utf8)[...], to: socket.rawValue) == lines.utf8.count else {
      throw TestKitError("the window does not read")
    }
    var answers: [UInt8] = []
    let deadline = BootClock.now + .seconds(10)
    while String(decoding: answers, as: UTF8.self).ranges(of: "\"ok\":true").count < burst {
      guard BootClock.now < deadline else { throw TestKitError("\(String(decoding: answers, as: UTF8.self))") }
      // Otherwise the window would wait for its terminal.
      try window.settle(.zero)
      if try waitUntilReadable(socket.rawValue, timeout: .milliseconds(1)) {
        answers += try readBytes(from: socket.rawValue, atMost: 65536)
      }
    }
  }
}
