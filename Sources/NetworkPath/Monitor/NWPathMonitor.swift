public import Dispatch

/// Watches which way the kernel would send a packet for the internet, and tells each change: Apple's `NWPathMonitor`, on Linux.
///
///     let monitor = NWPathMonitor()
///     monitor.pathUpdateHandler = { path in print(path.status) }
///     monitor.start(queue: .main)
///
/// A first path is told soon after ``start(queue:)``, always, and then each one that differs from the last. Paths are told one at a
/// time and in order, also on a concurrent queue. A monitor that nobody holds any longer tells nothing more; unlike ``cancel()``,
/// letting go of it does not wait for a handler that is running just then.
///
/// It runs while the kernel tells news, and not at all otherwise. It never fails: where the kernel cannot be asked, it tells a path
/// that is satisfied but not ``NWPath/isKnown``, and keeps trying. It watches the network namespace of the thread that
/// called ``start(queue:)`` or made the first iterator, and for the main queue that of the main thread: the process's own unless someone
/// called `setns(2)`.
public final class NWPathMonitor: Sendable {
  let core: MonitorCore

  /// Watches all interfaces.
  public convenience init() {
    self.init(options: PathOptions())
  }

  /// Watches interfaces of one type, for a program that binds its sockets to such an interface (`SO_BINDTODEVICE`).
  ///
  /// The path is satisfied only by an interface of that type, and lists no other. If the kernel would choose one of another type,
  /// those of this type that would carry a bound socket take its place. Nothing leads to the internet by `.loopback`: such a path
  /// is never satisfied.
  public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
    self.init(options: PathOptions(requiredInterfaceType: requiredInterfaceType))
  }

  /// Watches interfaces of all types but these, in the same way. A tunnel that can only go over a prohibited one is out, too.
  ///
  /// With none prohibited this is a monitor of all interfaces; with all prohibited the path is never satisfied.
  public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
    self.init(options: PathOptions(prohibitedInterfaceTypes: Set(prohibitedInterfaceTypes)))
  }

  /// Watches all interfaces, and tells of networks that the program wants to reach, whatever becomes of the internet.
  ///
  ///     let monitor = NWPathMonitor(targets: [try PathTarget(name: "office", network: "10.20.0.0/16")])
  ///
  /// Ours alone: ``NWPath/targets`` says of each whether the kernel would send a packet there. The path's status does not depend on
  /// them.
  ///
  /// - Parameter targets: at most ``PathTarget/mostTargets``; more is a programming error.
  public convenience init(targets: [PathTarget]) {
    precondition(targets.count <= PathTarget.mostTargets, "a monitor has at most \(PathTarget.mostTargets) targets")
    self.init(options: PathOptions(targets: targets))
  }

  /// - Parameters:
  ///   - resolverConfiguration: path of the resolv.conf(5).
  ///   - open: makes the sockets of the watcher; a test's are in its own namespace.
  ///   - ask: makes the one of somebody who only asks.
  package convenience init(
    options: PathOptions, resolverConfiguration: String = "/etc/resolv.conf",
    open: @escaping @Sendable () throws(NetlinkError) -> NetlinkSockets = { () throws(NetlinkError) in
      try NetlinkSockets()
    },
    ask: @escaping @Sendable () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) {
    self.init(
      source: KernelPaths(options: options, resolverConfiguration: resolverConfiguration, open: open, ask: ask))
  }

  package init(source: any PathSource) {
    core = MonitorCore(source: source)
  }

  /// The last path told. Before the first one the kernel is asked, which takes about a millisecond.
  public var currentPath: NWPath { core.currentPath }

  /// Is called with each path, on ``queue``. One that is set late is called with the next change. ``cancel()`` lets go of it.
  @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { core.handler }
    set { core.handler = newValue }
  }

  /// Where paths are told; nil until the monitor is started.
  public var queue: DispatchQueue? { core.queue }

  /// Begins to tell paths on a queue. The monitor works there, too: while the queue is held up it learns nothing, and catches up.
  ///
  /// Only the first start counts. A second one, with whatever queue, does nothing, and so does one after ``cancel()``.
  public func start(queue: DispatchQueue) { core.start(queue: queue) }

  /// Ends the monitor for good. When this has returned no path is told any longer, by whatever way.
  ///
  /// May be called from everywhere, also from the handler, and more than once. It waits for a handler that is running on another
  /// thread; that handler must not in turn wait for the calling thread.
  public func cancel() { core.cancel() }
}
