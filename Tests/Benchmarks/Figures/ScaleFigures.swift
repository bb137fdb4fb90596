internal import OverlineSystem
internal import OverlineTestSupport

/// The path with a large number of routes, and of container interfaces.
enum ScaleFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let containers = plan.isQuick ? 200 : 1000
    return try beside(routes: plan.isQuick ? 100_000 : 1_000_000, plan) + beside(containers: containers, plan)
      + EvaluationFigures.beside(containers: containers, plan)
  }

  // MARK: Routes

  private static func beside(routes: Int, _ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    let prefixes = (0..<routes).map { "route add \(20 + $0 >> 16).\(($0 >> 8) & 255).\($0 & 255).0/24 via 192.0.2.1" }
    try world.ip(prefixes, timeout: .seconds(300))
    let glib = try WatcherPeer.glib(in: world.folder)
    var (ours, theirs) = ([Double](), [Double]())
    for _ in 0..<plan.rounds {
      ours.append(try timeToFirstLine { try world.startWatcher() })
      theirs.append(try timeToFirstLine { try glib.start(in: world) })
    }
    return [
      Figure(
        what: "start of a program → first path beside \(routes) routes", unit: "ms", ours: ours,
        peer: .init(name: glib.name, values: theirs), goal: .atMost(5))
    ]
  }

  /// Milliseconds from the start of a program to its first line.
  private static func timeToFirstLine(_ start: () throws -> PipedProgram) throws -> Double {
    let before = BootClock.now
    let program = try start()
    guard try waitUntilReadable(program.output.rawValue, timeout: .seconds(60)) else {
      throw TestKitError("no first line within a minute")
    }
    return (BootClock.now - before).milliseconds
  }

  // MARK: Containers

  private static func beside(containers: Int, _ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    let watcher = try world.startWatcher()
    let ip = try WatcherPeer.ipMonitor.start(in: world)
    let race = try Race([watcher, ip])
    try race.settle()
    try world.ip(
      ["link add docker0 type bridge", "link set docker0 up", "addr add 172.17.0.1/16 dev docker0"],
      timeout: .seconds(5))
    try race.settle()
    // As one burst each: larger than any container engine's.
    try world.ip(
      (0..<containers).flatMap {
        [
          "link add veth\($0) group 9 type veth peer name eth0c\($0)", "link set veth\($0) master docker0 up",
          "link set eth0c\($0) up",
        ]
      }, timeout: .seconds(120))
    // The addresses that containers give themselves become usable one or two seconds later.
    let toldOfComing = try race.settle(.seconds(3)).contains(0)
    let latency = try times(plan, world, race)
    try world.ip(["link delete group 9"], timeout: .seconds(300))
    let toldOfGoing = try race.settle(.seconds(1)).contains(0)
    guard let truth = try race.firstWords(after: { try world.goDown() })[0]?.microseconds else {
      throw TestKitError("no path within a second of a link's end, after the containers")
    }
    let what = "\(containers) container interfaces"
    return [
      // For information: among many links, turning one off takes the kernel itself longer than one evaluation may take, and the peer
      // has lost messages by then. So neither shows the cost of an evaluation, which has rows of its own.
      Figure(
        what: "link down → path beside \(what)", unit: "µs", ours: latency.ours,
        peer: .init(name: WatcherPeer.ipMonitor.name, values: latency.peer), note: "mostly the kernel's own time"),
      Figure(
        what: "\(what) come and go: overruns", unit: "", ours: [Double(try world.drops(of: watcher.pid))],
        peer: .init(name: WatcherPeer.ipMonitor.name, values: [Double(try world.drops(of: ip.pid))]),
        goal: .atMost(0)),
      Figure(
        what: "\(what) come and go: paths told", unit: "", ours: [(toldOfComing ? 1 : 0) + (toldOfGoing ? 1 : 0)],
        goal: .atMost(0)),
      Figure(what: "link down → path right afterwards", unit: "µs", ours: [truth], goal: .atMost(1000)),
    ]
  }

  /// Microseconds from the link's end to the path, and to the peer's line, without the events whose message the peer lost.
  private static func times(
    _ plan: Plan, _ world: BenchWorld, _ race: borrowing Race
  ) throws -> (ours: [Double], peer: [Double]) {
    var times = (ours: [Double](), peer: [Double]())
    for _ in 0..<(plan.isQuick ? 20 : 100) {
      let words = try race.firstWords(after: { try world.goDown() })
      guard let ours = words[0] else { throw TestKitError("no path within a second of a link's end") }
      if let theirs = words[1] {
        times.ours.append(ours.microseconds)
        times.peer.append(theirs.microseconds)
      }
      try race.settle()
      try world.goUp()
      try race.settle()
    }
    if times.ours.isEmpty { throw TestKitError("the peer lost every message") }
    return times
  }
}
