public import Dispatch

/// Watches the route that the kernel would use for a packet to the internet, and reports each change: Apple's `NWPathMonitor`, on Linux.
///
///     let monitor = NWPathMonitor()
///     monitor.pathUpdateHandler = { path in print(path.status) }
///     monitor.start(queue: .main)
///
/// The monitor always reports a first path soon after ``start(queue:)``, and then each path that differs from the last. It reports paths
/// one at a time and in order, also on a concurrent queue. A started monitor keeps itself alive until ``cancel()``: a local variable is
/// enough to hold it.
///
/// It runs only when the kernel sends news. It never fails: when it cannot ask the kernel, it reports a path that is satisfied but not
/// ``NWPath/isKnown``, and keeps trying. (Without proc(5) it ends the process with a sentence and status 71: Dispatch could not run its queues.) It watches the network namespace of the thread that called ``start(queue:)`` or made the first
/// iterator. This is the process's namespace unless the program called `setns(2)`. All monitors with the same options share the sockets and
/// the thread that watch it.
public final class NWPathMonitor: Sendable {
  let core: MonitorCore

  /// Watches all interfaces.
  public convenience init() {
    self.init(options: PathOptions())
  }

  /// Watches interfaces of one type, for a program that binds its sockets to such an interface (`SO_BINDTODEVICE`).
  ///
  /// Only an interface of that type satisfies the path, and the path lists no other. If the kernel would choose an interface of another
  /// type, the path uses the interfaces of this type that would carry a bound socket. With `.loopback` the path is never satisfied, since
  /// nothing leads to the internet by it.
  public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
    self.init(options: PathOptions(requiredInterfaceType: requiredInterfaceType))
  }

  /// Watches interfaces of all types but these, in the same way. This also excludes a tunnel that can only run over a prohibited interface.
  ///
  /// An empty list watches all interfaces. If all types are prohibited, the path is never satisfied.
  public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
    self.init(options: PathOptions(prohibitedInterfaceTypes: Set(prohibitedInterfaceTypes)))
  }

  /// Watches all interfaces, with what Apple's framework does not have.
  ///
  ///     let monitor = NWPathMonitor(targets: [try PathTarget(name: "office", network: "10.20.0.0/16")])
  ///
  /// - Parameters:
  ///   - targets: networks that the program wants to reach, independently of the internet; at most ``PathTarget/maximumTargetCount``, and more
  ///     are a programming error. ``NWPath/targets`` reports for each whether the kernel would send a packet there. The path's status does not
  ///     depend on them.
  ///   - detectsSilence: whether the path is unsatisfied while a router does not answer the kernel (``NWPath/Reason/routerSilent``), and says
  ///     that nothing beyond the router answers (``NWPath/noAnswers``), or that nothing leaves this machine (``NWPath/notSent``). With `false`,
  ///     links and routes alone decide, as in Apple's framework. While routers answer, nothing is sent. A router that stopped answering gets an
  ///     empty UDP datagram every five seconds, and each other router four of them in 45 seconds. After an outage the router gets one: the path
  ///     is satisfied when the router answers, or after four seconds if the kernel learns nothing.
  ///   - measuresLinkQuality: whether to measure how good the connection is: ``NWPath/linkQuality-swift.property``. Nothing is sent for that.
  ///     Every five seconds the monitor asks the kernel how long the data of the machine's own TCP connections takes, and how much of it is
  ///     sent again. An idle machine, and one whose programs use UDP only, has an unknown quality.
  public convenience init(
    targets: [PathTarget] = [], detectsSilence: Bool = true, measuresLinkQuality: Bool = false
  ) {
    precondition(
      targets.count <= PathTarget.maximumTargetCount, "a monitor has at most \(PathTarget.maximumTargetCount) targets")
    var options = PathOptions(
      targets: targets, detectsSilence: detectsSilence, detectsNoAnswers: detectsSilence, detectsNotSent: detectsSilence
    )
    options.quality = measuresLinkQuality ? .measured : .unmeasured
    self.init(options: options)
  }

  /// - Parameters:
  ///   - resolverConfiguration: path of the resolv.conf(5).
  ///   - open: makes the sockets of the watcher; nil for those of the calling thread's namespace, with one watcher for all monitors of the
  ///     same options there. A test makes them in its own namespace.
  ///   - ask: makes the socket for a single question.
  package convenience init(
    options: PathOptions, resolverConfiguration: String = "/etc/resolv.conf",
    open: (@Sendable () throws(NetlinkError) -> NetlinkSockets)? = nil,
    ask: @escaping @Sendable () throws(NetlinkError) -> QuerySocket = { () throws(NetlinkError) in try QuerySocket() }
  ) {
    self.init(
      source: KernelPaths(options: options, resolverConfiguration: resolverConfiguration, open: open, ask: ask))
  }

  package init(source: any PathSource) {
    core = MonitorCore(source: source)
  }

  /// The last reported path. Before the start it is unsatisfied and not ``NWPath/isKnown``, as in Apple's framework. Between the start and the
  /// first report this asks the kernel, which takes about a millisecond.
  public var currentPath: NWPath { core.currentPath }

  /// Called with each path, on ``queue``. A first handler that is set after the start is called with the current path too; one that replaces
  /// another is first called at the next change. ``cancel()`` releases it.
  @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { core.handler }
    set { core.handler = newValue }
  }

  /// The queue on which paths are reported; nil until the monitor is started.
  public var queue: DispatchQueue? { core.queue }

  /// Begins to report paths on a queue. Paths wait while the queue is blocked; of many, the newest 16 are reported.
  ///
  /// The monitor is retained until ``cancel()``. Only the first start counts. A second start, or a start after ``cancel()``, does nothing.
  public func start(queue: DispatchQueue) { core.start(queue: queue, keeping: self) }

  /// Ends the monitor for good. The monitor reports no further path.
  ///
  /// Call this from anywhere, also from the handler, and any number of times. It returns at once. A handler that is running on another thread
  /// continues to its end. A caller on ``queue``, if that is serial, knows that none is running.
  public func cancel() { core.cancel() }

  /// Calls a handler with the current path and each newer one, on ``queue``, beside ``pathUpdateHandler``. Starts an idle monitor.
  ///
  /// - Returns: the number for ``removeObserver(_:)``.
  package func observe(_ handler: @escaping @Sendable (NWPath) -> Void) -> UInt64 {
    defer { core.startIfIdle() }
    return core.observe(handler)
  }

  package func removeObserver(_ number: UInt64) { core.removeObserver(number) }
}

extension NWPathMonitor: CustomDebugStringConvertible {
  /// The last path, for logs: `NWPathMonitor: satisfied (Path is satisfied), interface: eth0, ipv4`; before the first path and after the end,
  /// a word about that.
  public var debugDescription: String { "NWPathMonitor: \(core.summary)" }
}
