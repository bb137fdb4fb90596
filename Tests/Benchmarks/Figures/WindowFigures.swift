internal import OverlineSystem
internal import OverlineTestSupport

/// `overline run` beside other programs between a terminal and a program. The processors on which the three processes of a run happen to be
/// decide a tenth of its time.
enum WindowFigures {
  static let rows = 50
  static let columns = 200
  private static let title = "No connection"

  static func measure(_ plan: Plan) throws -> [Figure] {
    try throughput(plan, isOnline: true) + throughput(plan, isOnline: false) + lateAnswers(plan)
      + KeyFigures.measure(plan) + start(plan) + startWithoutAnswers(plan)
  }

  // MARK: Throughput

  private static func throughput(_ plan: Plan, isOnline: Bool) throws -> [Figure] {
    let goals: [(GridStream, Double)] =
      isOnline
      ? [(.text, 1), (.colour, 1), (.tui, 1), (.wide, 1), (.short, 1)]
      : [(.text, 1.6), (.colour, 2.2), (.tui, 2.5), (.wide, 5), (.short, 1.3)]
    let state = isOnline ? "hidden" : "banner showing"
    let worlds = try plan.programs.map { try BenchWorld($0) }
    if !isOnline { for world in worlds { _ = try world.goDown() } }
    let world = worlds[0]
    let relay = Host.relay(try Relay.make(in: world.folder))
    // Below a banner the relay is the floor without being a goal.
    func peers(_ goal: Double) -> [(host: Host, goal: Figure.Goal)] {
      isOnline
        ? [(.script, .atLeastTimesPeer(goal)), (relay, .atLeastTimesPeer(0.95))]
        : [(.tmux, .atLeastTimesPeer(goal)), (relay, .none)]
    }
    // A tmux server that lost its client keeps running.
    defer { _ = try? Subprocess.run("tmux", ["-S", "\(world.folder)/tmux", "kill-server"]) }
    var figures: [Figure] = []
    var memory = 0.0
    for (stream, goal) in goals {
      let peers = peers(goal)
      var bytes = stream.bytes()
      let once = bytes
      // Where no grid reads the bytes, enough of them for half a second; a terminal takes longer for each.
      let size = isOnline && stream != .short ? 48_000_000 : 16_000_000
      while bytes.count < size { bytes += once }
      let file = try world.file("stream", bytes)
      func rate(_ host: Host, in world: BenchWorld) throws -> Double {
        var showsBanner = false
        if case .overline = host { showsBanner = !isOnline }
        let time = try run(host, file, showsBanner: showsBanner, in: world)
        return Double(bytes.count) / time.microseconds
      }
      var (ours, theirs) = (worlds.map { _ in [Double]() }, peers.map { _ in [Double]() })
      for _ in 0..<plan.rounds {
        for (index, world) in worlds.enumerated() { ours[index].append(try rate(.overline, in: world)) }
        for (index, peer) in peers.enumerated() { theirs[index].append(try rate(peer.host, in: world)) }
      }
      memory = max(memory, try Self.memory(after: file, showsBanner: !isOnline, in: world))
      let what = "window, \(state): \(stream)"
      figures += zip(peers, theirs).map { peer, values in
        Figure(
          what: what, unit: "MB/s", ours: ours[0], peer: .init(name: peer.host.name, values: values),
          goal: peer.goal)
      }
      figures += plan.beside(what, unit: "MB/s", ours)
    }
    figures.append(
      Figure(
        what: "window, \(state): resident memory after the streams", unit: "MB", ours: [memory], goal: .atMost(12)))
    return figures
  }

  /// The duration of one stream through one host, from Enter to the host's end.
  private static func run(
    _ host: Host, _ file: String, showsBanner: Bool, in world: BenchWorld, answer: TerminalAnswer = .atOnce
  ) throws -> Duration {
    let terminal = try open(host, "cat \(file); stty size", showsBanner, in: world, answer: answer)
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
    _ host: Host, _ command: String, _ showsBanner: Bool, in world: BenchWorld, answer: TerminalAnswer = .atOnce
  ) throws -> HostTerminal {
    let script = try world.file("print.sh", Array("stty -echo\nprintf READY\nread -r go\n\(command)\n".utf8))
    let terminal = try world.start(host, ["sh", script], rows: rows, columns: columns, answer: answer)
    if showsBanner { try terminal.wait(for: "READY", title) } else { try terminal.wait(for: "READY") }
    try terminal.settle(.milliseconds(100))
    return terminal
  }

  /// Below a banner the window asks the terminal for its cursor, and waits for the answer: beside a terminal that answers at once.
  private static func lateAnswers(_ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    _ = try world.goDown()
    var bytes = GridStream.text.bytes()
    let once = bytes
    while bytes.count < 16_000_000 { bytes += once }
    let file = try world.file("stream", bytes)
    func rate(_ delay: Duration) throws -> Double {
      Double(bytes.count)
        / (try run(.overline, file, showsBanner: true, in: world, answer: .after(delay))).microseconds
    }
    let delays: [(Duration, Double)] = [(.milliseconds(50), 0.75), (.milliseconds(200), 0.5)]
    var (atOnce, late) = ([Double](), delays.map { _ in [Double]() })
    for _ in 0..<plan.rounds {
      atOnce.append(try rate(.zero))
      for (index, delay) in delays.enumerated() { late[index].append(try rate(delay.0)) }
    }
    return zip(delays, late).map { delay, values in
      Figure(
        what: "window, banner showing: text, a terminal that answers after \(Int(delay.0.milliseconds)) ms",
        unit: "MB/s",
        ours: values, peer: .init(name: "at once", values: atOnce), goal: .atLeastTimesPeer(delay.1))
    }
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

  /// Offline, in a terminal that answers no question: the window waits for an answer before the program starts, and no longer at its end.
  private static func startWithoutAnswers(_ plan: Plan) throws -> [Figure] {
    let worlds = try plan.programs.map { try BenchWorld($0) }
    for world in worlds { _ = try world.goDown() }
    var times = worlds.map { _ in [Double]() }
    for _ in 0..<plan.rounds {
      for (index, world) in worlds.enumerated() {
        let start = BootClock.now
        let terminal = try world.start(.overline, ["true"], rows: rows, columns: columns, answer: .never)
        try terminal.end()
        times[index].append((BootClock.now - start).milliseconds)
      }
    }
    let what = "overline run true, offline, in a terminal that never answers"
    return [Figure(what: what, unit: "ms", ours: times[0], peer: plan.peer(times), goal: .atMost(1300))]
  }
}
