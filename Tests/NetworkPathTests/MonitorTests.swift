import Dispatch
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

@testable import NetworkPath

/// The guarantees that a program written for Apple's monitor relies on.
@Suite(.ownThread) struct MonitorTests {
  /// K22
  @Test func theFirstPathIsReportedWithoutAnyNetworkToo() throws {
    let world = try World()
    let path = try world.start()
    #expect(path.status == .unsatisfied)
    #expect(path.reason == .noRoute)
    #expect(path.unsatisfiedReason == .notAvailable)
    #expect(path.debugDescription == "unsatisfied (No network route)")
    #expect(!path.usesInterfaceType(.other))
  }

  @Test func aPathDescribesTheNetwork() throws {
    let world = try World {
      try $0.addUplink("eth0")
      try $0.ip("-6 route add default via fe80::1 dev eth0", "addr add 2001:db8::2/64 dev eth0 nodad")
    }
    let path = try world.start()
    #expect(path.status == .satisfied && path.isKnown)
    #expect(path.availableInterfaces.map(\.name) == ["eth0"])
    #expect(path.availableInterfaces.map(\.type) == [.wiredEthernet])
    #expect(path.usesInterfaceType(.wiredEthernet) && !path.usesInterfaceType(.wifi))
    #expect(path.gateways.map(\.debugDescription) == ["192.0.2.1:0", "fe80::1%eth0.0"])
    #expect(path.gateways.first == .hostPort(host: .ipv4(IPv4Address("192.0.2.1")!), port: .any))
    #expect(path.debugDescription == "satisfied (Path is satisfied), interface: eth0, ipv4, ipv6")
    #expect(path.explanation.hasPrefix("online via eth0, wired, gateway 192.0.2.1, IPv4, IPv6"))
    let down = try world.after("link set eth0p down") { $0.status == .unsatisfied }
    #expect(down.debugDescription == "unsatisfied (eth0 has no carrier)")
    #expect(world.monitor.currentPath == down)
  }

  /// An interface that is only available does not count as used; one that carries only the second family does.
  @Test(.needsTunDevice) func anInterfaceIsUsedWhenTheKernelChoosesIt() throws {
    let tap = Recorder<TunDevice>()
    let world = try World {
      try $0.addUplink("eth0")
      tap.record(try TunDevice("tap0", isTap: true, in: $0))
      try $0.ip(
        "link set tap0 up", "addr add 198.51.100.2/24 dev tap0", "addr add 2001:db8::2/64 dev tap0 nodad",
        "route add default via 198.51.100.1 metric 900")
    }
    let path = try world.start()
    #expect(path.availableInterfaces.map(\.name) == ["eth0", "tap0"])
    #expect(path.usesInterfaceType(.wiredEthernet) && !path.usesInterfaceType(.other))
    let both = try world.after("-6 route add default via 2001:db8::1 dev tap0") { $0.supportsIPv6 }
    #expect(both.usesInterfaceType(.wiredEthernet) && both.usesInterfaceType(.other))
  }

  /// As in Apple's last public source.
  @Test func beforeTheStartThePathIsUnsatisfiedAndEmpty() throws {
    let world = try World { try $0.addUplink("eth0") }
    #expect(world.monitor.queue == nil)
    let path = world.monitor.currentPath
    #expect(path.status == .unsatisfied && !path.isKnown && path.reason == nil)
    #expect(path.availableInterfaces == [] && !path.supportsIPv4)
    #expect(path.explanation == "unknown: the monitor has not been started")
    #expect(world.paths.values.isEmpty)
  }

  @Test func aMonitorDescribesItsLastPathForLogs() throws {
    let world = try World { try $0.addUplink("eth0") }
    #expect(world.monitor.debugDescription == "NWPathMonitor: not started")
    try world.start()
    #expect("\(world.monitor)" == "NWPathMonitor: satisfied (Path is satisfied), interface: eth0, ipv4")
    world.monitor.cancel()
    #expect(world.monitor.debugDescription == "NWPathMonitor: cancelled")
  }

  @Test func betweenTheStartAndTheFirstPathTheKernelIsAsked() throws {
    let world = try World { try $0.addUplink("eth0") }
    let queue = DispatchQueue(label: "test.first")
    queue.hold()
    world.monitor.start(queue: queue)
    #expect(world.monitor.currentPath.status == .satisfied)
    try world.namespace.ip("link set eth0 down")
    #expect(world.monitor.currentPath.status == .unsatisfied)
    #expect(world.paths.values.isEmpty)
    queue.resume()
  }

  /// The first path may be published before the handler is set.
  @Test func aFirstHandlerGetsThePathWheneverItIsSet() async throws {
    let world = try World { try $0.addUplink("eth0") }
    let queue = DispatchQueue(label: "test.handler")
    for number in 0..<1000 {
      let monitor = World.monitor(in: world.namespace)
      monitor.start(queue: queue)
      // Half of them surely after the first path.
      if number.isMultiple(of: 2) {
        for await _ in monitor { break }
      }
      let paths = Recorder<NWPath>()
      monitor.pathUpdateHandler = { paths.record($0) }
      try paths.wait("the first path of monitor \(number)") { !$0.isEmpty }
      queue.sync {}
      #expect(paths.values.count == 1)
      monitor.cancel()
    }
  }

  @Test func aHandlerThatReplacesAnotherIsCalledWithTheNextChange() throws {
    let world = try World { try $0.addUplink("eth0") }
    try world.start()
    let late = Recorder<NWPath>()
    world.monitor.pathUpdateHandler = { late.record($0) }
    try world.namespace.ip("link set eth0p down")
    try late.wait("a path") { !$0.isEmpty }
    #expect(late.values.map(\.status) == [.unsatisfied])
    #expect(world.paths.values.count == 1)
  }

  /// Apple's programs use global queues, which are concurrent.
  @Test func aConcurrentQueueGetsOnePathAtATimeInOrder() throws {
    let world = try World { try $0.addUplink("eth0") }
    let isInside = Atomic(false)
    let overlaps = Atomic(0)
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "test.concurrent", attributes: .concurrent)
    queue.setSpecific(key: key, value: "mine")
    let places = Recorder<String?>()
    let monitor = world.monitor
    let paths = world.paths
    monitor.pathUpdateHandler = { path in
      if isInside.exchange(true, ordering: .acquiringAndReleasing) { overlaps.add(1, ordering: .relaxed) }
      places.record(DispatchQueue.getSpecific(key: key))
      // Inside the handler, `currentPath` is the path that was passed.
      if monitor.currentPath != path { overlaps.add(1, ordering: .relaxed) }
      paths.record(path)
      isInside.store(false, ordering: .releasing)
    }
    try world.start(queue: queue)
    let flood = world.flood(800)
    flood.wait()
    try world.after("link set eth0p down") { $0.reason == .noCarrier }
    #expect(overlaps.load(ordering: .relaxed) == 0)
    #expect(Set(places.values) == ["mine"])
    #expect(monitor.queue === queue)
    // No two equal paths follow each other.
    #expect(zip(paths.values, paths.values.dropFirst()).allSatisfy { $0 != $1 })
    monitor.pathUpdateHandler = nil
  }

  /// As in Apple's framework: links and routes alone decide.
  @Test func silenceIsDetectedUnlessTheProgramDeclines() {
    func options(_ monitor: NWPathMonitor) -> PathOptions? { (monitor.core.source as? KernelPaths)?.options }
    let declined = options(NWPathMonitor(detectsSilence: false))
    #expect(declined == PathOptions(detectsSilence: false, detectsNoAnswers: false, detectsNotSent: false))
    for monitor in [NWPathMonitor(), NWPathMonitor(detectsSilence: true), NWPathMonitor(prohibitedInterfaceTypes: [])] {
      let found = options(monitor)
      #expect(found?.detectsSilence == true && found?.detectsNoAnswers == true && found?.detectsNotSent == true)
    }
  }

  @Test func theSecondStartIsPassedOver() throws {
    let world = try World { try $0.addUplink("eth0") }
    let first = DispatchQueue(label: "test.first")
    try world.start(queue: first)
    world.monitor.start(queue: DispatchQueue(label: "test.second"))
    #expect(world.monitor.queue === first)
    try world.after("link set eth0p down") { _ in true }
    #expect(world.paths.values.map(\.status) == [.satisfied, .unsatisfied])
  }

  /// A guess, not an outage.
  @Test func withoutNetlinkThePathIsSatisfiedButNotKnown() throws {
    let error = NetlinkError(code: 93, attempt: "open a netlink socket")
    let monitor = NWPathMonitor(
      options: PathOptions(), open: { () throws(NetlinkError) in throw error },
      ask: { () throws(NetlinkError) in throw error })
    let why = "unknown: cannot open a netlink socket: Protocol not supported"
    let paths = Recorder<NWPath>()
    monitor.pathUpdateHandler = { paths.record($0) }
    let queue = DispatchQueue(label: "test.unknown")
    queue.hold()
    monitor.start(queue: queue)
    #expect(monitor.currentPath.status == .satisfied)
    #expect(monitor.currentPath.explanation == why)
    queue.resume()
    let path = try paths.first("a path") { _ in true }
    #expect(path.status == .satisfied && !path.isKnown && path.reason == .noNetlink)
    #expect(path.debugDescription == "satisfied (Path is unknown)")
    #expect(path.explanation == "\(why); trying again")
    monitor.cancel()
  }

  @Test func aMonitorReportsNamedTargetsBesideThePath() throws {
    let world = try World(PathOptions(targets: [PathTarget(name: "office", network: "10.20.0.0/16")])) {
      try $0.addUplink("eth0", gateway: nil)
    }
    let path = try world.start()
    #expect(path.targets.map(\.name) == ["office"])
    #expect(path.targets.map(\.isReachable) == [false])
    let reached = try world.after("route add 10.20.0.0/16 via 192.0.2.1") { $0.targets.allSatisfy(\.isReachable) }
    #expect(reached.status == .unsatisfied)
  }

  @Test func monitorsOfOneProcessKnowNothingOfEachOther() throws {
    let one = try World { try $0.addUplink("eth0") }
    let two = try World { try $0.addUplink("eth0") }
    try one.start()
    try two.start()
    try one.after("link set eth0p down") { $0.status == .unsatisfied }
    one.monitor.cancel()
    try two.after("link set eth0p down") { $0.status == .unsatisfied }
    #expect(two.paths.values.count == 2)
  }

  /// Descriptors are limited. Monitors of another namespace or with other options have a watcher of their own.
  @Test func thousandMonitorsShareOneWatcher() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let paths = Recorder<NWPath>()
    let queue = DispatchQueue(label: "test.many")
    func monitor(_ make: () -> NWPathMonitor = { NWPathMonitor() }) throws -> NWPathMonitor {
      let monitor = make()
      monitor.pathUpdateHandler = { paths.record($0) }
      try namespace.inside { monitor.start(queue: queue) }
      return monitor
    }
    var monitors = [try monitor()]
    try paths.wait("the first path") { $0.count == 1 }
    let before = try threads("overline-path")
    for _ in 1..<1000 { monitors.append(try monitor()) }
    try paths.wait("1,000 first paths") { $0.count >= 1000 }
    #expect(try threads("overline-path") < before + 100)
    try namespace.ip("link set eth0p down")
    // The kernel may announce the change in two steps.
    try paths.wait("1,000 outages") { $0.count { $0.reason == .noCarrier } >= 1000 }
    let outage = paths.values.last?.explanation
    let wifi = try monitor { NWPathMonitor(requiredInterfaceType: .wifi) }
    try paths.wait("a path of another kind") { $0.last?.explanation != outage }
    // The others go on.
    for monitor in monitors.dropLast() { monitor.cancel() }
    wifi.cancel()
    try namespace.ip("link set eth0p up")
    try paths.wait("the last one's path") { $0.last?.status == .satisfied }
    monitors.last?.cancel()
    // A new one starts a new watcher.
    let count = paths.values.count
    let late = try monitor()
    try paths.wait("the late one's path") { $0.count > count }
    late.cancel()
  }

  /// The threads of this process with a name. Other suites run beside this one, and have some.
  private func threads(_ name: String) throws -> Int {
    let tasks = try Files.names(in: "/proc/self/task")
    return tasks.count {
      (try? Files.read("/proc/self/task/\($0)/comm")).map { String(decoding: $0, as: UTF8.self) } == name + "\n"
    }
  }

  /// The namespace is that of the starting thread, wherever the queue runs.
  @Test func theThreadThatStartsDecidesOnTheNamespace() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let paths = Recorder<NWPath>()
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { paths.record($0) }
    try namespace.inside { monitor.start(queue: DispatchQueue(label: "test.namespace")) }
    defer { monitor.cancel() }
    #expect(try paths.first("its path") { _ in true }.availableInterfaces.map(\.name) == ["eth0"])
    try namespace.ip("link set eth0p down")
    try paths.first("its outage") { $0.status == .unsatisfied }
  }
}
