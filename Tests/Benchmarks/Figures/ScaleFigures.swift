internal import OverlineSystem
internal import OverlineTestKit

/// The path with a large number of routes, and of container interfaces.
enum ScaleFigures {
  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let containers = plan.isQuick ? 200 : 1000
    return try beside(routes: plan.isQuick ? 100_000 : 1_000_000, plan) + beside(containers: containers, plan)
      + EvaluationFigures.beside(containers: containers, plan)
  }

  // MARK: Routes

  private static func beside(routes: Int, _ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let prefixes = (0..<routes).map { "route add \(20 + $0 >> 16).\(($0 >> 8) & 255).\($0 & 255).0/24 via 192.0.2.1" }
    try world.ip(prefixes, timeout: .seconds(300))
    let ours = try starts(20) { try world.startWatcher() }
    let glib = WatcherPeer.glib(in: world.folder)
    // Each takes seconds, so two must do.
    let theirs = glib.command == nil ? Sample() : try starts(2) { try glib.start(in: world)! }
    return [("median of 20", ours.median, theirs.median), ("slowest of 20", ours.p99, theirs.p99)].map {
      what, ours, theirs in
      Figure(
        what: "start of a program → first path beside \(routes) routes, \(what)", unit: "ms", ours: ours,
        peer: .init(name: glib.name, value: theirs), goal: .atMost(5))
    }
  }

  /// Milliseconds from the start of a program to its first line.
  private static func starts(_ count: Int, _ start: () throws -> PipedProgram) throws -> Sample {
    var sample = Sample()
    for _ in 0..<count {
      let before = BootClock.now
      let program = try start()
      guard try waitUntilReadable(program.output.rawValue, timeout: .seconds(60)) else {
        throw TestKitError("no first line within a minute")
      }
      sample.add((BootClock.now - before).milliseconds)
    }
    return sample
  }

  // MARK: Containers

  private static func beside(containers: Int, _ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let watcher = try world.startWatcher()
    let ip = try WatcherPeer.ipMonitor.start(in: world)
    let race = try Race([watcher] + [ip].compactMap { $0 })
    try race.settle()
    try world.ip(
      ["link add docker0 type bridge", "link set docker0 up", "addr add 172.17.0.1/16 dev docker0"],
      timeout: .seconds(5))
    try race.settle()
    func drops(_ program: PipedProgram?) throws -> Double? { try program.map { Double(try world.drops(of: $0.pid)) } }
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
    let latency = try sample(plan, world, race)
    try world.ip(["link delete group 9"], timeout: .seconds(300))
    let toldOfGoing = try race.settle(.seconds(1)).contains(0)
    let truth = try race.firstWords(after: { try world.goDown() })[0]?.microseconds
    let what = "\(containers) container interfaces"
    return [
      // For information: among many links, turning one off takes the kernel itself longer than one evaluation may take, and the peer
      // has lost messages by then. So neither shows the cost of an evaluation, which has rows of its own.
      Figure(
        what: "link down → path beside \(what), median", unit: "µs", ours: latency.ours.median,
        peer: .init(name: WatcherPeer.ipMonitor.name, value: latency.peer.median), note: "mostly the kernel's own time"),
      Figure(
        what: "link down → path beside \(what), p99", unit: "µs", ours: latency.ours.p99,
        peer: .init(name: WatcherPeer.ipMonitor.name, value: latency.peer.p99), note: "mostly the kernel's own time"),
      Figure(
        what: "\(what) come and go: overruns", unit: "", ours: try drops(watcher),
        peer: .init(name: WatcherPeer.ipMonitor.name, value: try drops(ip)), goal: .atMost(0)),
      Figure(
        what: "\(what) come and go: paths told", unit: "", ours: (toldOfComing ? 1 : 0) + (toldOfGoing ? 1 : 0),
        goal: .atMost(0)),
      Figure(what: "link down → path right afterwards", unit: "µs", ours: truth, goal: .atMost(1000)),
    ]
  }

  /// Microseconds from the link's end to the path, and to the peer's line if there is one.
  private static func sample(
    _ plan: OverlineBench.Plan, _ world: BenchWorld, _ race: borrowing Race
  ) throws -> (ours: Sample, peer: Sample) {
    var samples = [Sample(), Sample()]
    for _ in 0..<(plan.isQuick ? 20 : 100) {
      let times = try race.firstWords(after: { try world.goDown() })
      if times[0] == nil { throw TestKitError("no path within a second of a link's end") }
      for (program, time) in times.enumerated() {
        if let time { samples[program].add(time.microseconds) }
      }
      try race.settle()
      try world.goUp()
      try race.settle()
    }
    return (samples[0], samples[1])
  }
}
