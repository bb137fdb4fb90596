package import Dispatch
package import OverlineSystem

/// The source of a monitor's paths and time: the kernel, or a script that a test plays.
package protocol PathSource: Sendable {
  /// A watch. After its start it reports each new path on a serial queue.
  func watch(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NWPath) -> Void) -> any PathWatch
  /// Asks for the current path.
  func look() -> NWPath
  /// Asks whether the routers of the current path answer.
  func routerContact() -> RouterContact
  func sleep(for duration: Duration) async throws
}

/// A watch on a ``PathSource``.
package protocol PathWatch: Sendable {
  func start() throws(SystemError)
  /// Called on the queue. No path is reported afterwards.
  func cancel()
}

/// The kernel of this machine.
struct KernelPaths: PathSource {
  let options: PathOptions
  /// Path of the resolv.conf(5).
  let resolverConfiguration: String
  /// Makes the sockets; nil for those of the calling thread's namespace. A test makes them in its own.
  let open: (@Sendable () throws(NetlinkError) -> NetlinkSockets)?
  /// Makes the socket for a single question.
  let ask: @Sendable () throws(NetlinkError) -> QuerySocket

  func watch(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NWPath) -> Void) -> any PathWatch {
    shared.member(on: queue, onPath)
  }

  private var shared: SharedWatch {
    guard open == nil, let namespace = Files.linkTarget("/proc/thread-self/ns/net") else { return watch }
    let key = SharedWatches.Key(
      options: options, resolverConfiguration: resolverConfiguration, namespace: namespace)
    return SharedWatches.process.watch(key) { watch }
  }

  private var watch: SharedWatch {
    SharedWatch { [options, resolverConfiguration, open] onPath in
      let queue = DispatchQueue(label: "NWPathMonitor.kernel")
      guard let open else {
        return PathWatcher(
          queue: queue, options: options, resolverConfiguration: resolverConfiguration, onPath: onPath)
      }
      return PathWatcher(
        queue: queue, options: options, resolverConfiguration: resolverConfiguration, open: open, onPath: onPath)
    }
  }

  func look() -> NWPath {
    do {
      return try .current(options: options, resolverConfiguration: resolverConfiguration, ask: ask)
    } catch {
      return .unknown(because: "\(error)")
    }
  }

  func routerContact() -> RouterContact {
    (try? NWPath.routerContact(options: options, resolverConfiguration: resolverConfiguration, ask: ask)) ?? .notLost
  }

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
