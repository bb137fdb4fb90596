internal import OverlineSystem
internal import OverlineTestSupport

/// `overline run` beside other programs between a terminal and a program. The processors on which the three processes of a run happen to be
/// decide a tenth of its time.
enum WindowFigures {
  private static let rows = 50
  private static let columns = 200
  private static let title = "No connection"

  static func measure(_ plan: Plan) throws -> [Figure] {
    try throughput(plan, isOnline: true) + throughput(plan, isOnline: false) + echo(plan) + start(plan)
  }

  // MARK: Throughput

  private static func throughput(_ plan: Plan, isOnline: Bool) throws -> [Figure] {
    let goals: [(GridStream, Double)] =
      isOnline
      ? [(.text, 1.05), (.colour, 1.05), (.tui, 1.05), (.wide, 1.05), (.short, 1.05)]
      : [(.text, 1.4), (.colour, 2), (.tui, 2), (.wide, 2), (.short, 1.4)]
    let peer = isOnline ? Host.script : .tmux
    let state = isOnline ? "hidden" : "banner showing"
    let worlds = try plan.programs.map { try BenchWorld($0) }
    if !isOnline { for world in worlds { _ = try world.goDown() } }
    let world = worlds[0]
    // A tmux server that lost its client keeps running.
    defer { _ = try? Subprocess.run("tmux", ["-S", "\(world.folder)/tmux", "kill-server"]) }
    var figures: [Figure] = []
    var memory = 0.0
    for (stream, goal) in goals {
      var bytes = stream.bytes()
      let once = bytes
      // Where no grid reads the bytes, enough of them for half a second; a terminal takes longer for each.
      let size = isOnline && stream != .short ? 48_000_000 : 16_000_000
      while bytes.count < size { bytes += once }
      let file = try world.file("stream", bytes)
      func rate(_ host: Host, in world: BenchWorld) throws -> Double {
        let time = try run(host, file, showsBanner: !isOnline && host == .overline, in: world)
        return Double(bytes.count) / time.microseconds
      }
      var (ours, theirs) = (worlds.map { _ in [Double]() }, [Double]())
      for _ in 0..<plan.rounds {
        for (index, world) in worlds.enumerated() { ours[index].append(try rate(.overline, in: world)) }
        theirs.append(try rate(peer, in: world))
      }
      memory = max(memory, try Self.memory(after: file, showsBanner: !isOnline, in: world))
      let what = "window, \(state): \(stream)"
      figures.append(
        Figure(
          what: what, unit: "MB/s", ours: ours[0], peer: .init(name: "\(peer)", values: theirs),
          goal: .atLeastTimesPeer(goal)))
      figures += plan.beside(what, unit: "MB/s", ours)
    }
    figures.append(
      Figure(
        what: "window, \(state): resident memory after the streams", unit: "MB", ours: [memory], goal: .atMost(12)))
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

  private static func echo(_ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    let hosts = [Host.overline, .script]
    var rounds = hosts.map { _ in LatencyRounds() }
    for _ in 0..<plan.rounds {
      let terminals = try hosts.map {
        try world.start(
          $0, ["sh", "-c", "stty raw -echo; printf READY; exec cat"], rows: rows, columns: columns)
      }
      for terminal in terminals {
        try terminal.wait(for: "READY")
        try terminal.settle(.milliseconds(300))
      }
      var times = hosts.map { _ in [Double]() }
      for key in 0..<600 {
        for (index, terminal) in terminals.enumerated() {
          times[index].append(try terminal.echo(UInt8(97 + key % 26)).microseconds)
          // As a user types: not while the last key is still being handled.
          try terminal.settle(.milliseconds(2))
        }
      }
      for index in hosts.indices { rounds[index].add(times[index]) }
    }
    return rounds[0].figures(
      "window, hidden: key to echo", unit: "µs", beside: "script", rounds[1], .timesPeer(1.1))
  }

  // MARK: A short program

  private static func start(_ plan: Plan) throws -> [Figure] {
    let worlds = try plan.programs.map { try BenchWorld($0) }
    func time(_ host: Host, in world: BenchWorld) throws -> Double {
      let start = BootClock.now
      let terminal = try world.start(host, ["true"], rows: rows, columns: columns)
      try terminal.end()
      return (BootClock.now - start).milliseconds
    }
    var alone: [Double] = []
    var inWindow = worlds.map { _ in [Double]() }
    for round in 0..<(plan.isQuick ? 30 : 110) {
      let times = (try time(.bare, in: worlds[0]), try worlds.map { try time(.overline, in: $0) })
      guard round >= 10 else { continue }
      alone.append(times.0)
      for index in worlds.indices { inWindow[index].append(times.1[index]) }
    }
    let what = "overline run true, a whole process"
    return [
      Figure(
        what: what, unit: "ms", ours: inWindow[0], peer: .init(name: "true", values: alone), goal: .overPeer(10))
    ] + plan.beside(what, unit: "ms", inWindow)
  }
}
