import Dispatch
import NetworkPath
import OverlineSystem
import OverlineTestSupport

/// A namespace with a monitor in it.
final class World: Sendable {
  let namespace: NetworkNamespace
  let monitor: NWPathMonitor
  let paths = Recorder<NWPath>()

  /// - Parameters:
  ///   - resolverConfiguration: path of the resolv.conf(5); without nameservers by default.
  ///   - prepare: the setup before the monitor starts.
  init(
    _ options: PathOptions = PathOptions(), resolverConfiguration: String = "/dev/null",
    prepare: (NetworkNamespace) throws -> Void = { _ in }
  ) throws {
    let namespace = try NetworkNamespace()
    self.namespace = namespace
    try prepare(namespace)
    monitor = Self.monitor(in: namespace, options, resolverConfiguration: resolverConfiguration)
    let paths = paths
    monitor.pathUpdateHandler = { paths.record($0) }
  }

  deinit { monitor.cancel() }

  static func monitor(
    in namespace: NetworkNamespace, _ options: PathOptions = PathOptions(), resolverConfiguration: String = "/dev/null"
  ) -> NWPathMonitor {
    NWPathMonitor(
      options: options, resolverConfiguration: resolverConfiguration,
      open: { () throws(NetlinkError) in try inside(namespace) { try NetlinkSockets() } },
      ask: { () throws(NetlinkError) in try inside(namespace) { try QuerySocket() } })
  }

  /// The path now, without a monitor.
  static func path(
    in namespace: NetworkNamespace, _ options: PathOptions = PathOptions(), resolverConfiguration: String = "/dev/null"
  ) throws -> NWPath {
    try NWPath.current(options: options, resolverConfiguration: resolverConfiguration) { () throws(NetlinkError) in
      try inside(namespace) { try QuerySocket() }
    }
  }

  private static func inside<Sockets>(
    _ namespace: NetworkNamespace, _ make: () throws -> Sockets
  ) throws(NetlinkError) -> Sockets {
    do {
      return try namespace.inside(make)
    } catch {
      throw error as? NetlinkError ?? NetlinkError(code: 1, attempt: "enter the namespace")
    }
  }

  /// Starts the monitor and waits for the first path.
  @discardableResult
  func start(queue: DispatchQueue = DispatchQueue(label: "test.monitor")) throws -> NWPath {
    monitor.start(queue: queue)
    return try paths.first("the first path") { _ in true }
  }

  /// Makes a change and waits for a matching path, which must come after the change.
  @discardableResult
  func after(_ change: String..., fits: (NWPath) -> Bool) throws -> NWPath {
    let before = paths.values.count
    for line in change { try namespace.ip(line) }
    return try paths.first("a path after \(change)", from: before, where: fits)
  }

  /// Runs `ip` commands in the background that change the path many times and end offline; signals the semaphore when they have ended.
  func flood(_ times: Int = 2000) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    let namespace = namespace
    DispatchQueue.global().async {
      let lines = (0..<times).flatMap { _ in ["route del default", "route add default via 192.0.2.1"] }
      try? namespace.ip(lines.joined(separator: "\n") + "\nroute del default")
      done.signal()
    }
    return done
  }
}

extension DispatchQueue {
  /// Suspends the queue between two blocks: otherwise a queue that targets it, and is running, would continue.
  func hold() { sync { suspend() } }
}
