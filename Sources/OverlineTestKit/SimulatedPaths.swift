internal import Dispatch
internal import NetworkPath
internal import Synchronization

/// A script that replaces the kernel.
struct SimulatedPaths: PathSource {
  let timeline: NetworkTimeline
  let clock: ManualClock
  let targets: [PathTarget]

  func watch(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NWPath) -> Void) -> any PathWatch {
    clock.await(queue)
    return SimulatedWatch(paths: self, queue: queue, onPath: onPath)
  }

  func look() -> NWPath { path(timeline.script(at: clock.now.offset)) }

  /// A scripted path with the verdicts on the targets.
  func path(_ script: NWPath.Script) -> NWPath {
    var path = script.path
    path.targets = targets.map { target in
      let isReachable = path.status != .unsatisfied && !script.unreachableTargets.contains(target.name)
      let reason = path.reason ?? .noRoute
      return NWPath.Target(
        name: target.name, network: target.network, status: isReachable ? .satisfied : .unsatisfied,
        reason: isReachable ? nil : reason,
        explanation: isReachable ? "\(target) is reachable" : PathWords.unreachable(target, reason))
    }
    if path.status != .unsatisfied {
      path.explanation = PathWords.online(path, gateway: script.router)
    }
    return path
  }

  func routerContact() -> RouterContact { .notLost }

  func sleep(for duration: Duration) async throws { try await clock.sleep(for: duration) }
}

private final class SimulatedWatch: PathWatch {
  private let paths: SimulatedPaths
  private let queue: DispatchQueue
  private let onPath: @Sendable (NWPath) -> Void
  private let alarms = Mutex<[UInt64]>([])

  init(paths: SimulatedPaths, queue: DispatchQueue, onPath: @escaping @Sendable (NWPath) -> Void) {
    self.paths = paths
    self.queue = queue
    self.onPath = onPath
  }

  func start() {
    let now = paths.clock.now.offset
    let onPath = onPath
    let first = paths.look()
    queue.async { onPath(first) }
    let later = paths.timeline.states.filter { $0.start > now }
    let set = later.map { [paths] state in
      paths.clock.set(state.start, on: queue) { onPath(paths.path(state.script)) }
    }
    alarms.withLock { $0 = set }
  }

  deinit { cancel() }

  func cancel() {
    for alarm in alarms.withLock({ $0 }) { paths.clock.remove(alarm) }
  }
}
