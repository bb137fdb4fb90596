internal import Dispatch
internal import NetworkPath
internal import OverlineSystem
internal import OverlineTestSupport

/// The duration of one evaluation in a watcher of this process, including its requests to the kernel.
///
/// Between a link's end and its path the kernel itself takes longer than that among a thousand interfaces. So the network does not
/// change here: the evaluation follows from a change of the user's options.
final class EvaluationFigures {
  private let queue = DispatchQueue(label: "bench.evaluation")
  private let paths = Recorder<NWPath>()
  private let watcher: PathWatcher
  private let everything = [try! InterfaceGlob("*")]
  private var isConstrained = false

  static func beside(containers: Int, _ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    try world.ip(
      ["link add docker0 type bridge", "link set docker0 up", "addr add 172.17.0.1/16 dev docker0"]
        + (0..<containers).flatMap {
          [
            "link add veth\($0) type veth peer name eth0c\($0)", "link set veth\($0) master docker0 up",
            // Without an address a container is silent. The kernel delivers each one's packets to all others: for minutes it does
            // little else, in the time of the running process.
            "link set eth0c\($0) addrgenmode none up",
          ]
        }, timeout: .seconds(120))
    let rest = try Race([])
    // The addresses that the bridge's ports give themselves become usable one or two seconds later.
    try rest.settle(.seconds(3))
    let evaluations = try EvaluationFigures(in: world)
    func times(_ status: NWPath.Status) throws -> [Double] {
      try evaluations.paths.wait("the path") { $0.last?.status == status }
      let times = try (0..<(plan.isQuick ? 20 : 100)).compactMap { _ in
        try rest.settle()
        return evaluations.measure()?.microseconds
      }
      if times.isEmpty { throw TestKitError("other messages delayed every evaluation") }
      return times
    }
    let online = try times(.satisfied)
    _ = try world.goDown()
    let offline = try times(.unsatisfied)
    return [("online", online), ("its link is down", offline)].map { state, ours in
      Figure(
        what: "one evaluation beside \(containers) container interfaces, \(state)", unit: "µs", ours: ours,
        goal: .atMost(1000))
    }
  }

  private init(in world: BenchWorld) throws {
    let sockets = try world.inside { try NetlinkSockets() }
    watcher = PathWatcher(queue: queue, open: { sockets }, onPath: { [paths] in paths.record($0) })
    try watcher.start()
  }

  deinit { watcher.cancel() }

  /// The time from a change of options to the path; nil when messages just before delayed the evaluation.
  private func measure() -> Duration? {
    queue.sync {
      isConstrained.toggle()
      let options = PathOptions(constrained: isConstrained ? everything : [])
      let evaluations = watcher.counters.evaluations
      let start = BootClock.now
      watcher.setOptions(options)
      let end = BootClock.now
      return watcher.counters.evaluations == evaluations + 1 ? end - start : nil
    }
  }
}
