internal import OverlineSystem
internal import OverlineTestKit

/// `overline run` beside other programs between a terminal and a program. They take turns, so that other load affects all of them. The
/// processors on which the three processes of a run happen to be decide a tenth of its time: the median counts.
enum WindowFigures {
  private static let rows = 50
  private static let columns = 200
  private static let title = "No connection"

  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    try throughput(plan, isOnline: true) + throughput(plan, isOnline: false) + echo(plan) + [start(plan)]
  }

  // MARK: Throughput

  private static func throughput(_ plan: OverlineBench.Plan, isOnline: Bool) throws -> [Figure] {
    let streams: [GridStream] = [.text, .colour, .tui, .wide, .short]
    let peer = isOnline ? Host.script : .tmux
    let world = try BenchWorld(plan, configuration: "")
    if !isOnline { _ = try world.goDown() }
    // A tmux server that lost its client keeps running.
    defer { _ = try? Subprocess.run("tmux", ["-S", "\(world.folder)/tmux", "kill-server"]) }
    var figures: [Figure] = []
    var memory = 0.0
    for stream in streams {
      var bytes = stream.bytes()
      let once = bytes
      // Where no grid reads the bytes, enough of them for half a second; a terminal takes longer for each.
      let size = isOnline && stream != .short ? 48_000_000 : 16_000_000
      while bytes.count < size { bytes += once }
      let file = try world.file("stream", bytes)
      var rates: [Host: Sample] = [.overline: Sample(), peer: Sample()]
      for _ in 0..<(plan.isQuick ? 3 : isOnline ? 9 : 5) {
        for host in [Host.overline, peer] where host.isThere {
          let time = try run(host, file, showsBanner: !isOnline && host == .overline, in: world)
          rates[host]?.add(Double(bytes.count) / time.microseconds)
        }
      }
      memory = max(memory, try Self.memory(after: file, showsBanner: !isOnline, in: world))
      let isHard = isOnline || stream == .text || stream == .short
      figures.append(
        Figure(
          what: "window, \(isOnline ? "hidden" : "banner showing"): \(stream)", unit: "MB/s",
          ours: rates[.overline]?.median, peer: .init(name: "\(peer)", value: rates[peer]?.median),
          goal: .atLeastTimesPeer(isHard ? 1 : 2)))
    }
    let state = isOnline ? "hidden" : "banner showing"
    figures.append(
      Figure(what: "window, \(state): resident memory after the streams", unit: "MB", ours: memory, goal: .atMost(12)))
    return figures
  }

  /// The duration of one stream through one host, from Enter to the host's end.
  private static func run(_ host: Host, _ file: String, showsBanner: Bool, in world: BenchWorld) throws -> Duration {
    let terminal = try open(host, "cat \(file); stty size", showsBanner, in: world)
    let (time, output) = try terminal.finish()
    // A run is invalid if its banner is gone after the stream.
    if showsBanner, !Array(output.suffix(10).joined()).has(Array("\(rows - 1) \(columns)".utf8)) {
      throw TestKitError("the banner was not showing")
    }
    return time
  }

  /// Megabytes of a window after a stream, while its program still runs.
  private static func memory(after file: String, showsBanner: Bool, in world: BenchWorld) throws -> Double {
    let terminal = try open(.overline, "cat \(file); read -r end", showsBanner, in: world)
    try terminal.fill()
    let memory = try ProcessFigures(pid: terminal.pid).residentSize()
    try terminal.type("\n")
    try terminal.end()
    return Double(memory) / 1024
  }

  /// A program in a host that waits for Enter before it prints; returns when it waits.
  private static func open(
    _ host: Host, _ command: String, _ showsBanner: Bool, in world: BenchWorld
  ) throws -> HostTerminal {
    let script = try world.file("print.sh", Array("stty -echo\nprintf READY\nread -r go\n\(command)\n".utf8))
    let terminal = try world.start(host, ["sh", script], rows: rows, columns: columns)
    if showsBanner { try terminal.wait(for: "READY", title) } else { try terminal.wait(for: "READY") }
    try terminal.settle(.milliseconds(100))
    return terminal
  }

  // MARK: Keys

  private static func echo(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let hosts = [Host.overline, .script].filter(\.isThere)
    var medians: [Host: Double] = [:]
    var slowest: [Host: Double] = [:]
    for _ in 0..<(plan.isQuick ? 2 : 5) {
      let terminals = try hosts.map {
        try world.start(
          $0, ["sh", "-c", "stty raw -echo; printf READY; exec cat"], rows: rows, columns: columns)
      }
      for terminal in terminals {
        try terminal.wait(for: "READY")
        try terminal.settle(.milliseconds(300))
      }
      var samples = hosts.map { _ in Sample() }
      for key in 0..<600 {
        for (index, terminal) in terminals.enumerated() {
          samples[index].add(try terminal.echo(UInt8(97 + key % 26)).microseconds)
          // As a user types: not while the last key is still being handled.
          try terminal.settle(.milliseconds(2))
        }
      }
      for (host, sample) in zip(hosts, samples) {
        medians[host] = min(medians[host] ?? .infinity, sample.median ?? .infinity)
        slowest[host] = min(slowest[host] ?? .infinity, sample.p99 ?? .infinity)
      }
    }
    return [("median", medians), ("p99", slowest)].map { name, values in
      Figure(
        what: "window, hidden: key to echo, \(name)", unit: "µs", ours: values[.overline],
        peer: .init(name: "script", value: values[.script]), goal: .timesPeer(1.1))
    }
  }

  // MARK: A short program

  private static func start(_ plan: OverlineBench.Plan) throws -> Figure {
    let world = try BenchWorld(plan, configuration: "")
    var samples: [Host: Sample] = [.overline: Sample(), .bare: Sample()]
    for round in 0..<(plan.isQuick ? 30 : 110) {
      for host in [Host.overline, .bare] {
        let start = BootClock.now
        let terminal = try world.start(host, ["true"], rows: rows, columns: columns)
        try terminal.end()
        if round >= 10 { samples[host]?.add((BootClock.now - start).milliseconds) }
      }
    }
    return Figure(
      what: "overline run true, a whole process, median", unit: "ms", ours: samples[.overline]?.median,
      peer: .init(name: "true", value: samples[.bare]?.median), goal: .overPeer(10))
  }
}
