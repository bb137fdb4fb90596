internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport
internal import Synchronization

/// Toasts over a program in `overline run`.
enum ToastFigures {
  private static let rows = 50
  private static let columns = 200

  static func measure(_ plan: Plan) throws -> [Figure] {
    try [latency(plan)] + burst(plan) + [flood(plan)]
  }

  // MARK: - Latency

  /// From the request to the toast's words on the terminal.
  private static func latency(_ plan: Plan) throws -> Figure {
    let worlds = try plan.programs.map { try BenchWorld($0) }
    let terminals = try worlds.map { try window($0, "printf '\\033[H\\033[2JREADY'; exec cat") }
    var times = worlds.map { _ in [Double]() }
    for number in 0..<(plan.isQuick ? 12 : 60) {
      for (index, terminal) in terminals.enumerated() {
        let client = try Poster(worlds[index].socket(of: terminal))
        let start = BootClock.now
        try client.post("Number-\(number)", more: #","duration":0,"owned":true"#)
        try terminal.wait(for: "Number-\(number)")
        if number >= 2 { times[index].append((BootClock.now - start).milliseconds) }
        // The client's end removes the toast, which slides out.
        client.close()
        try terminal.settle(.milliseconds(450))
      }
    }
    return Figure(
      what: "toast in a window: post → first frame", unit: "ms", ours: times[0], peer: plan.peer(times),
      goal: .atMost(5))
  }

  // MARK: - A burst

  /// Keys are typed while 300 clients post, and while none does, in turns. And while they post to a window without typed input: its
  /// cost is the posts' own share of the processors, which no window can avoid.
  private static func burst(_ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    let script = "stty raw -echo; printf '\\033[H\\033[2JREADY'; exec cat"
    let terminal = try window(world, script)
    let other = try window(world, script)
    ResourceLimits.raiseDescriptors()
    var (idle, busy, elsewhere) = (LatencyRounds(), LatencyRounds(), LatencyRounds())
    for _ in 0..<plan.rounds {
      idle.add(try (0..<100).map { _ in try key(terminal) })
      busy.add(try keys(into: terminal, whilePostingTo: terminal, world))
      elsewhere.add(try keys(into: terminal, whilePostingTo: other, world))
    }
    return [
      Figure(
        what: "window: key to echo during 300 posts, median", unit: "µs", ours: busy.medians,
        peer: .init(name: "idle", values: idle.medians), goal: .timesPeer(1.5)),
      Figure(
        what: "window: key to echo during 300 posts, p99", unit: "µs", ours: busy.slowest,
        peer: .init(name: "posts elsewhere", values: elsewhere.slowest), goal: .timesPeer(1.5)),
    ]
  }

  private static func keys(
    into terminal: HostTerminal, whilePostingTo other: HostTerminal, _ world: BenchWorld
  ) throws -> [Double] {
    let clients = try (0..<300).map { _ in try Poster(world.socket(of: other)) }
    let done = Flag()
    try BackgroundThread.start(name: "bench-toasts") {
      for (number, client) in clients.enumerated() { try? client.post("Post \(number)") }
      done.raise()
    }
    var times: [Double] = []
    while !done.isUp { times.append(try key(terminal)) }
    // And while their requests are being handled.
    for _ in 0..<20 { times.append(try key(terminal)) }
    for client in clients { client.close() }
    try other.settle(.milliseconds(500))
    return times
  }

  private static func key(_ terminal: HostTerminal) throws -> Double {
    // No letter of a toast or of a control sequence.
    let time = try terminal.echo(UInt8(ascii: "~")).microseconds
    try terminal.settle(.milliseconds(2))
    return time
  }

  // MARK: - A flood

  /// Text below a toast, beside the same text without one.
  private static func flood(_ plan: Plan) throws -> Figure {
    let world = try BenchWorld(plan.overline)
    var bytes = GridStream.text.bytes()
    let once = bytes
    while bytes.count < 48_000_000 { bytes += once }
    let file = try world.file("stream", bytes)
    var rates: [Bool: [Double]] = [:]
    for _ in 0..<plan.rounds {
      for hasToast in [true, false] {
        let terminal = try window(world, "printf '\\033[H\\033[2JREADY'; read -r go; cat \(file)")
        let client = try Poster(world.socket(of: terminal))
        if hasToast {
          try client.post("Still-here", more: #","duration":0"#)
          try terminal.wait(for: "Still-here")
        }
        try terminal.settle(.milliseconds(500))
        let (time, output) = try terminal.finish()
        // A window paints its toast again every 50 ms of a flood, but not after the last batch of a program that has ended.
        if hasToast, !Array(output.suffix(output.count / 2).joined()).has(Array("Still-here".utf8)) {
          throw TestKitError("the toast was not showing in the second half")
        }
        rates[hasToast, default: []].append(Double(bytes.count) / time.microseconds)
      }
    }
    return Figure(
      what: "window: a flood of text below a toast", unit: "MB/s", ours: rates[true] ?? [],
      peer: .init(name: "without one", values: rates[false] ?? []), goal: .atLeastTimesPeer(0.9))
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
