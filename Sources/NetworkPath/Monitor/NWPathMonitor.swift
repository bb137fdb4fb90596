public import Dispatch

/// Watches which way the kernel would send a packet for the internet, and reports each change: Apple's `NWPathMonitor`, on Linux.
///
///     let monitor = NWPathMonitor()
///     monitor.pathUpdateHandler = { path in print(path.status) }
///     monitor.start(queue: .main)
///
/// The monitor reports a first path soon after ``start(queue:)``, always, and then each one that differs from the last. It reports paths
/// one at a time and in order, also on a concurrent queue. A released monitor reports nothing more; unlike ``cancel()``, releasing it
/// does not wait for a handler that is running just then.
///
/// It runs only when the kernel sends news. It never fails: when it cannot ask the kernel, it reports a path that is satisfied but
/// not ``NWPath/isKnown``, and keeps trying. It watches the network namespace of the thread that called ``start(queue:)`` or made the
/// first iterator, and for the main queue that of the main thread: the process's own unless the program called `setns(2)`.
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

  /// Watches interfaces of all types but these, in the same way. A tunnel that can only run over a prohibited one is excluded, too.
  ///
  /// With none prohibited this is a monitor of all interfaces; with all prohibited the path is never satisfied.
  public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
    self.init(options: PathOptions(prohibitedInterfaceTypes: Set(prohibitedInterfaceTypes)))
  }

  /// Watches all interfaces, and networks that the program wants to reach, whatever the state of the internet.
  ///
  ///     let monitor = NWPathMonitor(targets: [try PathTarget(name: "office", network: "10.20.0.0/16")])
  ///
  /// Not in Apple's framework. ``NWPath/targets`` reports for each whether the kernel would send a packet there. The path's status does
  /// not depend on them.
  ///
  /// - Parameter targets: at most ``PathTarget/maximumTargetCount``; more is a programming error.
  public convenience init(targets: [PathTarget]) {
    precondition(
      targets.count <= PathTarget.maximumTargetCount, "a monitor has at most \(PathTarget.maximumTargetCount) targets")
    self.init(options: PathOptions(targets: targets))
  }

  /// - Parameters:
  ///   - resolverConfiguration: path of the resolv.conf(5).
  ///   - open: makes the sockets of the watcher; a test's are in its own namespace.
  ///   - ask: makes the socket for a single question.
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

  /// The last path reported. Before the first one this asks the kernel, which takes about a millisecond.
  public var currentPath: NWPath { core.currentPath }

  /// Called with each path, on ``queue``. A handler that is set late is called with the next change. ``cancel()`` releases it.
  @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { core.handler }
    set { core.handler = newValue }
  }

  /// The queue on which paths are reported; nil until the monitor is started.
  public var queue: DispatchQueue? { core.queue }

  /// Begins to report paths on a queue. The monitor works there, too: while the queue is blocked it learns nothing, and catches up.
  ///
  /// Only the first start counts. A second one, on any queue, does nothing, and so does one after ``cancel()``.
  public func start(queue: DispatchQueue) { core.start(queue: queue) }

  /// Ends the monitor for good. After this has returned it reports no path in any way.
  ///
  /// May be called from everywhere, also from the handler, and more than once. It waits for a handler that is running on another
  /// thread; that handler must not in turn wait for the calling thread.
  public func cancel() { core.cancel() }
}
