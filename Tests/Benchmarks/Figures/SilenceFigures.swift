internal import Dispatch
internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport

/// Wake-ups of a monitor while everything answers, and the time until it notices that nothing does.
///
/// The kernels have their default timers. All networks are there at the same time, for a minute and a half.
enum SilenceFigures {
  /// Something that happens in one network, and its figures: the same rows in each run.
  private struct Scene: Sendable {
    var runs = 1
    var measure: @Sendable (Plan) throws -> [Figure]
  }

  private static let far = RoutedNetwork.far

  static func measure(_ plan: Plan) throws -> [Figure] {
    guard RoutedNetwork.canRun else { throw TestKitError("nft is missing; install it: make test-deps") }
    ResourceLimits.setDescriptors(8192)
    return try scenes.map { scene in
      let results = Recorder<Result<[Figure], any Error>>()
      let runs = plan.isQuick ? 1 : scene.runs
      for _ in 0..<runs {
        try BackgroundThread.start(name: "bench-silence") { results.record(Result { try scene.measure(plan) }) }
      }
      return (runs, results)
    }.flatMap { runs, results in
      let figures = try results.wait("\(runs) runs", within: .seconds(300)) { $0.count == runs }.map { try $0.get() }
      return figures[0].indices.map { row in
        var figure = figures[0][row]
        figure.ours = figures.flatMap { $0[row].ours }
        return figure
      }
    }
  }

  private static let scenes = [
    wakeUps("20 connections that send and receive", seconds: 85, atMost: 0) { world in
      try world.talk(to: (0..<20).map { far[$0 % far.count] })
    },
    wakeUps("UDP questions and answers", seconds: 60, atMost: 3) { world in
      world.keep(try EchoClients(SOCK_DGRAM, in: world.network.host, to: [far[0]]))
    },
    wakeUps("a download", seconds: 60, atMost: 3) { world in
      world.keep(try UnreadServer(in: world.network.host))
      world.keep(try EchoClients(in: world.network.farSide, to: ["192.0.2.10"], port: UnreadServer.port))
    },
    Scene(measure: scan), Scene(runs: 6) { try loseRouter($0, hasIdleIPv6: false) },
    Scene(runs: 6) { Array(try loseRouter($0, hasIdleIPv6: true).prefix(1)) }, Scene(runs: 6, measure: loseUplink),
  ]

  // MARK: Wake-ups

  private static func wakeUps(
    _ what: String, seconds: Int, atMost limit: Double, _ traffic: @escaping @Sendable (ClaimWorld) throws -> Void
  ) -> Scene {
    Scene { plan in
      let world = try ClaimWorld(plan, usesDefaultTimers: true)
      try world.watch(with: .monitor, sends: false)
      try traffic(world)
      return [
        Figure(
          what: "monitor beside \(what): wake-ups in \(seconds) s", unit: "",
          ours: [try wakeUps(of: world, in: .seconds(seconds))], goal: .atMost(limit))
      ]
    }
  }

  private static func wakeUps(of world: ClaimWorld, in time: Duration) throws -> Double {
    guard let figures = world.monitor else { throw TestKitError("no monitor runs") }
    // The monitor is at rest ten seconds after its last change.
    pause(for: .seconds(15))
    let before = try figures.wakeUps()
    pause(for: time)
    let after = try figures.wakeUps()
    guard try world.claims() == 0 else { throw TestKitError("a claim, although all hosts answer") }
    return Double(after - before)
  }

  /// Asks for hosts that do not exist. The kernel keeps about a thousand entries, so they come in groups.
  private static func scan(_ plan: Plan) throws -> [Figure] {
    let world = try ClaimWorld(plan, usesDefaultTimers: true)
    try world.network.host.ip("addr add 10.50.0.1/16 dev eth0")
    let (groups, size) = plan.isQuick ? (1, 100) : (3, 479)
    try world.watch(with: .monitor, sends: false)
    guard let figures = world.monitor else { throw TestKitError("no monitor runs") }
    pause(for: .seconds(15))
    let messages = try NeighbourLog(world)
    let before = try (figures.wakeUps(), messages.figures.wakeUps())
    for group in 1...groups {
      let scan = try (0..<size).map { number in
        try DatagramTraffic(to: "10.50.\(2 * group + number / 250).\(number % 250 + 1)", in: world.network.host)
      }
      try messages.waitForFailures(group * size)
      for host in scan { host.end() }
    }
    let after = try (figures.wakeUps(), messages.figures.wakeUps())
    return [
      Figure(
        what: "\(groups * size) other hosts do not answer: wake-ups", unit: "", ours: [Double(after.0 - before.0)],
        peer: .init(name: "ip monitor", values: [Double(after.1 - before.1)]), goal: .atMost(0))
    ]
  }

  // MARK: The time until a claim

  /// Connections through the router may be found unanswered earlier, so the claim is the one about the router.
  ///
  /// - Parameter hasIdleIPv6: whether there is an IPv6 route too. The outage begins when its router is silent as well, and nothing but the
  ///   monitor's two datagrams asks for that.
  private static func loseRouter(_ plan: Plan, hasIdleIPv6: Bool) throws -> [Figure] {
    let world = try ClaimWorld(plan, usesDefaultTimers: true)
    if !hasIdleIPv6 { try world.network.host.ip("-6 route del default") }
    try world.watch(with: .monitor)
    try world.talk(to: far)
    let messages = try NeighbourLog(world)
    try world.network.bridge.ip("link set router0 down")
    try messages.waitForFailures(1)
    let failed = BootClock.now
    let claimed = try wait(world, for: .silentRouter) - failed
    let start = BootClock.now
    try world.network.bridge.ip("link set router0 up")
    let withdrawn = try wait(world, for: nil) - start
    return [
      Figure(
        what: "router silent\(hasIdleIPv6 ? ", IPv6 idle" : ""): from the kernel's first FAILED to the claim",
        unit: "s",
        ours: [claimed / .seconds(1)], goal: hasIdleIPv6 ? .none : .atMost(10)),
      Figure(
        what: "router back: from its return to the end of the claim", unit: "s", ours: [withdrawn / .seconds(1)],
        goal: .atMost(6)),
    ]
  }

  /// The library in this process shows when it looks.
  private static func loseUplink(_ plan: Plan) throws -> [Figure] {
    let world = try ClaimWorld(plan, usesDefaultTimers: true)
    try world.watch(with: .library, sends: false)
    try world.talk(to: (0..<20).map { far[$0 % far.count] })
    try world.network.drop()
    let start = BootClock.now
    let claimed = try wait(world, for: .noAnswers)
    guard let suspicion = world.firstSuspicion(from: start) else { throw TestKitError("a claim without a look") }
    return [
      Figure(
        what: "nothing forwarded, 20 connections: from the first loss to the claim", unit: "s",
        ours: [(claimed - start) / .seconds(1)], goal: .atMost(50)),
      Figure(
        what: "nothing forwarded, 20 connections: from the first look to the claim", unit: "s",
        ours: [(claimed - suspicion) / .seconds(1)], goal: .atMost(8)),
    ]
  }

  /// Waits until the last state has this claim, or none. Looks each twentieth of a second, and returns the time.
  private static func wait(_ world: ClaimWorld, for claim: ClaimWorld.Claim?) throws -> Duration {
    let end = BootClock.now + .seconds(120)
    while try world.claim() != claim {
      guard BootClock.now < end else { throw TestKitError("waited in vain for \(claim.map { "\($0)" } ?? "the end")") }
      pause(for: .milliseconds(50))
    }
    return BootClock.now
  }
}

/// An `ip monitor`, which prints each change of the host's neighbour table into a file, at once.
private final class NeighbourLog {
  private let program: PipedProgram
  private let file: String
  var figures: ProcessFigures { ProcessFigures(pid: program.pid) }

  init(_ world: ClaimWorld) throws {
    let started = try world.start("exec stdbuf -oL ip -o monitor neigh")
    program = started.program
    file = started.file
    pause(for: .milliseconds(500))
  }

  func waitForFailures(_ count: Int) throws {
    let end = BootClock.now + .seconds(120)
    while true {
      let lines = String(decoding: try Files.read(file), as: UTF8.self).split(separator: "\n")
      if lines.count(where: { $0.contains("FAILED") }) >= count { return }
      guard BootClock.now < end else { throw TestKitError("the kernel reports no \(count) failures") }
      pause(for: .milliseconds(50))
    }
  }
}
