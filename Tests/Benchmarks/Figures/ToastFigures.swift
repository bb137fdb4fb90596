internal import OverlineSystem
internal import OverlineTestKit
internal import Synchronization

/// Toasts over a program in `overline run`.
enum ToastFigures {
  private static let rows = 50
  private static let columns = 200

  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    try [latency(plan)] + burst(plan) + [flood(plan)]
  }

  // MARK: - Latency

  /// From the request to the toast's words on the terminal.
  private static func latency(_ plan: OverlineBench.Plan) throws -> Figure {
    let world = try BenchWorld(plan, configuration: "")
    let terminal = try window(world, "printf '\\033[H\\033[2JREADY'; exec cat")
    var sample = Sample()
    for number in 0..<(plan.isQuick ? 12 : 60) {
      let client = try Poster(world.socket(of: terminal))
      let start = BootClock.now
      try client.post("Number-\(number)", more: #","duration":0,"owned":true"#)
      try terminal.wait(for: "Number-\(number)")
      if number >= 2 { sample.add((BootClock.now - start).milliseconds) }
      // The client's end removes the toast, which slides out.
      client.close()
      try terminal.settle(.milliseconds(450))
    }
    return Figure(
      what: "toast in a window: post → first frame, median", unit: "ms", ours: sample.median, goal: .atMost(5))
  }

  // MARK: - A burst

  /// Keys are typed while 300 clients post, and while none does, in turns. And while they post to a window without typed input: its
  /// cost is the posts' own share of the processors, which no window can avoid.
  private static func burst(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let script = "stty raw -echo; printf '\\033[H\\033[2JREADY'; exec cat"
    let terminal = try window(world, script)
    let other = try window(world, script)
    ResourceLimits.raiseDescriptors()
    var idle = Sample()
    var busy = Sample()
    var elsewhere = Sample()
    for _ in 0..<(plan.isQuick ? 2 : 8) {
      for _ in 0..<100 { idle.add(try key(terminal)) }
      try type(into: terminal, whilePostingTo: terminal, world, &busy)
      try type(into: terminal, whilePostingTo: other, world, &elsewhere)
    }
    return [
      Figure(
        what: "window: key to echo during 300 posts, median", unit: "µs", ours: busy.median,
        peer: .init(name: "idle", value: idle.median), goal: .timesPeer(1.5)),
      Figure(
        what: "window: key to echo during 300 posts, p99", unit: "µs", ours: busy.p99,
        peer: .init(name: "posts elsewhere", value: elsewhere.p99), goal: .timesPeer(1.5)),
    ]
  }

  private static func type(
    into terminal: HostTerminal, whilePostingTo other: HostTerminal, _ world: BenchWorld, _ sample: inout Sample
  ) throws {
    let clients = try (0..<300).map { _ in try Poster(world.socket(of: other)) }
    let done = Flag()
    try BackgroundThread.start(name: "bench-toasts") {
      for (number, client) in clients.enumerated() { try? client.post("Post \(number)") }
      done.raise()
    }
    while !done.isUp { sample.add(try key(terminal)) }
    // And while their requests are being handled.
    for _ in 0..<20 { sample.add(try key(terminal)) }
    for client in clients { client.close() }
    try other.settle(.milliseconds(500))
  }

  private static func key(_ terminal: HostTerminal) throws -> Double {
    // No letter of a toast or of a control sequence.
    let time = try terminal.echo(UInt8(ascii: "~")).microseconds
    try terminal.settle(.milliseconds(2))
    return time
  }

  // MARK: - A flood

  /// Text below a toast, beside the same text without one.
  private static func flood(_ plan: OverlineBench.Plan) throws -> Figure {
    let world = try BenchWorld(plan, configuration: "")
    var bytes = GridStream.text.bytes()
    let once = bytes
    while bytes.count < 48_000_000 { bytes += once }
    let file = try world.file("stream", bytes)
    var rates = [true: Sample(), false: Sample()]
    for _ in 0..<(plan.isQuick ? 3 : 9) {
      for hasToast in [true, false] {
        let terminal = try window(world, "printf '\\033[H\\033[2JREADY'; read -r go; cat \(file)")
        let client = try Poster(world.socket(of: terminal))
        if hasToast {
          try client.post("Still-here", more: #","duration":0"#)
          try terminal.wait(for: "Still-here")
        }
        try terminal.settle(.milliseconds(500))
        let (time, output) = try terminal.finish()
        if hasToast, !Array(output.suffix(40).joined()).has(Array("Still-here".utf8)) {
          throw TestKitError("the toast was not showing at the end")
        }
        rates[hasToast]?.add(Double(bytes.count) / time.microseconds)
      }
    }
    return Figure(
      what: "window: a flood of text below a toast", unit: "MB/s", ours: rates[true]?.median,
      peer: .init(name: "without one", value: rates[false]?.median), goal: .atLeastTimesPeer(0.9))
  }

  private static func window(_ world: BenchWorld, _ script: String) throws -> HostTerminal {
    let terminal = try world.start(
      .overline, ["sh", try world.file("script.sh", Array(script.utf8))], rows: rows, columns: columns)
    try terminal.wait(for: "READY")
    try terminal.settle(.milliseconds(300))
    return terminal
  }
}

/// Set on another thread when an operation is over.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isUp: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
}
