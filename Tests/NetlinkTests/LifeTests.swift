import Dispatch
import Glibc
@testable import NetworkPath
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

/// A watcher without kernel messages: the clock, resolv.conf, silent routes.
@Suite(.ownThread) struct LifeTests {
  /// A namespace whose watcher gets its clock steps, resolv.conf and interval from the test.
  private final class Life: Sendable {
    let namespace: NetworkNamespace
    let paths = Recorder<NWPath>()
    let watcher: PathWatcher
    private let clock: FileDescriptor

    init(
      resolverConfiguration: String = "/nonexistent/resolv.conf", interval: Duration = .seconds(3600),
      prepare: (NetworkNamespace) throws -> Void
    ) throws {
      let namespace = try NetworkNamespace()
      self.namespace = namespace
      try prepare(namespace)
      let steps = try Pipe()
      clock = try steps.writing.duplicate()
      let reading = steps.takeReading()
      try reading.setNonBlocking()
      let clockSteps = ClockSteps(descriptor: reading)
      let paths = paths
      watcher = PathWatcher(
        queue: DispatchQueue(label: "test.life"), resolverConfiguration: resolverConfiguration,
        unannouncedInterval: interval, open: { () throws(NetlinkError) in try inside(namespace) },
        clockSteps: { () throws(SystemError) in clockSteps }, onPath: { paths.record($0) })
      try watcher.start()
      try paths.wait("the first path") { !$0.isEmpty }
    }

    /// Waits until the kernel has sent all messages of links that have just come up.
    func settle() {
      var count = -1
      while eventually(within: .milliseconds(150), { watcher.counters.evaluations != count }) {
        count = watcher.counters.evaluations
      }
    }

    deinit { watcher.cancel() }

    func stepTheClock() throws { try clock.writeAll([0, 0, 0, 0, 0, 0, 0, 1]) }
  }

  // MARK: Clock

  @Test func aStepOfTheClockLeadsToANewLook() throws {
    let life = try Life {
      // Without the messages of duplicate address detection.
      try $0.sysctl("net/ipv6/conf/default/disable_ipv6", "1")
      try $0.addUplink("eth0", gateway: nil)
    }
    life.settle()
    // A route that the filter hides is found only by looking.
    try life.namespace.ip("route add 64.0.0.0/16 via 192.0.2.1")
    try life.stepTheClock()
    try life.paths.first("the silent route", within: .seconds(2)) { $0.status == .satisfied }
    // And again: the watch is still armed.
    life.settle()
    try life.namespace.ip("route del 64.0.0.0/16")
    try life.stepTheClock()
    try life.paths.wait("its end", within: .seconds(2)) { $0.last?.status == .unsatisfied }
  }

  // MARK: Routers without a default route (K24)

  @Test(arguments: [("-4", "64.0.0.0/16", "192.0.2.1"), ("-6", "2600::/32", "2001:db8::1")])
  func aRouteThatTheFilterHidesIsFoundByLookingAgain(_ family: String, _ route: String, _ gateway: String) throws {
    let life = try Life(interval: .milliseconds(50)) {
      try $0.addUplink("eth0", gateway: nil)
      try $0.ip("addr add 2001:db8::2/64 dev eth0 nodad")
    }
    #expect(life.paths.values.map(\.reason) == [.noRoute])
    try life.namespace.ip("\(family) route add \(route) via \(gateway)")
    let path = try life.paths.first("the route") { $0.status == .satisfied }
    #expect(path.gateways.map(\.addressText) == [gateway])
    try life.namespace.ip("\(family) route del \(route)")
    try life.paths.wait("its end") { $0.last?.status == .unsatisfied }
    #expect(life.paths.values.count == 3)
  }

  /// The route to a VPN's server has the maximum prefix length.
  @Test(.needsTunDevice) func theRouteToAServerIsLookedForToo() throws {
    let tunnel = Recorder<TunDevice>()
    let life = try Life(interval: .milliseconds(50)) {
      // Without the messages of duplicate address detection.
      try $0.sysctl("net/ipv6/conf/default/disable_ipv6", "1")
      try $0.addUplink("eth0")
      tunnel.record(try TunDevice("tun0", in: $0))
      try $0.ip(
        "link set tun0 up", "addr add 10.8.0.2/24 dev tun0", "route replace default dev tun0",
        "route add 203.0.113.9 via 192.0.2.1")
    }
    #expect(life.paths.values.map(\.status) == [.satisfied])
    try life.namespace.ip("route del 203.0.113.9")
    let path = try life.paths.first("its end") { $0.status == .unsatisfied }
    #expect(path.cause == "eth0 has no route")
    try life.namespace.ip("route add 203.0.113.9 via 192.0.2.1")
    try life.paths.wait("its return") { $0.last?.status == .satisfied }
  }

  /// Where a default route decides, or no link could carry one, the watcher does not look again.
  @Test(arguments: [true, false]) func theWatcherDoesNotLookAgainWhereTheKernelAnnouncesAll(_ hasDefault: Bool) throws {
    let life = try Life(interval: .milliseconds(1)) {
      if hasDefault { try $0.addUplink("eth0") } else { try $0.ip("link add eth0 type veth peer name eth0p") }
    }
    let count = life.watcher.counters.evaluations
    // Time for a hundred looks; a few come with the messages of a link that has just come up.
    #expect(!eventually(within: .milliseconds(100)) { life.watcher.counters.evaluations > count + 10 })
  }

  // MARK: Expired routers (K29)

  /// The kernel stops using the route at once, and announces its end up to 30 s later.
  @Test func theEndOfARouterIsFoundInTime() throws {
    let life = try Life {
      try $0.addUplink("eth0", gateway: nil)
      try $0.ip(
        "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0 proto ra expires 3")
    }
    #expect(life.paths.values.map(\.supportsIPv6) == [true])
    // A router that is still there sends another advertisement.
    try life.namespace.ip("-6 route replace default via fe80::1 dev eth0 proto ra expires 4")
    let refreshed = BootClock.now
    let path = try life.paths.first("the end") { $0.status == .unsatisfied }
    let took = BootClock.now - refreshed
    #expect(path.reason == .noRoute)
    #expect(took > .seconds(3) && took < .seconds(5), "\(took)")
    life.settle()
    let count = life.watcher.counters.evaluations
    #expect(!eventually(within: .milliseconds(300)) { life.watcher.counters.evaluations != count })
  }

  /// A distant expiry causes no wake-ups until then.
  @Test func aRouterWithTimeLeftCostsNothing() throws {
    let life = try Life {
      // The end of the kernel's duplicate address detection is news, seconds later on a busy machine.
      try $0.sysctl("net/ipv6/conf/default/accept_dad", "0")
      try $0.addUplink("eth0", gateway: nil)
      try $0.ip(
        "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0 proto ra expires 1800")
    }
    life.settle()
    let count = life.watcher.counters.evaluations
    #expect(!eventually(within: .milliseconds(500)) { life.watcher.counters.evaluations != count })
    #expect(life.paths.values.map(\.status) == [.satisfied])
  }

  // MARK: Nameservers

  private func folder() throws -> String {
    try TemporaryFolder.make()
  }

  @Test func editsOfResolvConfAreReported() throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    let file = "\(folder)/resolv.conf"
    let life = try Life(resolverConfiguration: file) { try $0.addUplink("eth0") }
    #expect(life.paths.values.map(\.supportsDNS) == [false])
    // The file appears by a rename, as most programs do it.
    try Files.replace(file, with: Array("nameserver 192.0.2.53\n".utf8))
    try life.paths.wait("DNS") { $0.last?.supportsDNS == true }
    // The file is edited in place: the watcher never reads it empty.
    _ = try Subprocess.run("sh", ["-c", "echo nameserver 198.51.100.53 >\(file)"])
    _ = try Subprocess.run("sh", ["-c", "echo nameserver 192.0.2.54 >\(file)"])
    try life.namespace.ip("route add unreachable 203.0.113.53")
    try Files.replace(file, with: Array("nameserver 203.0.113.53\n".utf8))
    try life.paths.wait("no DNS") { $0.last?.supportsDNS == false }
    // The file becomes a link to one that is created later.
    _ = try Subprocess.run("sh", ["-c", "cd \(folder) && ln -s run/stub new && mv -T new resolv.conf"])
    _ = try Subprocess.run("sh", ["-c", "cd \(folder) && mkdir run"])
    _ = try Subprocess.run("sh", ["-c", "cd \(folder) && echo nameserver 192.0.2.53 >run/stub"])
    try life.paths.wait("DNS by the link") { $0.last?.supportsDNS == true }
    #expect(life.paths.values.map(\.supportsDNS) == [false, true, false, true])
  }

  @Test func aBusyFolderAndAnEditWithoutConsequenceAreNoReasonToLook() throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    let file = "\(folder)/resolv.conf"
    // Not by this process: a child that another test has just forked may keep the file open, and close it while it is watched.
    _ = try Subprocess.run("sh", ["-c", "echo nameserver 192.0.2.53 >\(file)"])
    let watch = try ResolverWatch(ResolverFiles(configuration: file, upstream: "\(folder)/upstream"))
    #expect(watch.nameservers() == [Nameserver("192.0.2.53")!])
    for index in 0..<10 { try Files.replace("\(folder)/other\(index)", with: [0x0a]) }
    #expect(try !waitUntilReadable(watch.descriptor, timeout: .zero))
    try Files.replace(file, with: Array("# new\nnameserver 192.0.2.53\n".utf8))
    #expect(try waitUntilReadable(watch.descriptor, timeout: .zero))
    #expect(try !watch.takeChange())
  }

  /// Links in a loop are no file, and neither is a name below a file; their replacement is seen.
  @Test(arguments: ["resolv.conf", "other/below"]) func aPathWithoutAFileIsWatched(_ target: String) throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    let file = "\(folder)/resolv.conf"
    try Files.replace("\(folder)/other", with: [0x0a])
    #expect(try Subprocess.run("ln", ["-s", "\(folder)/\(target)", file]).status == 0)
    let watch = try ResolverWatch(ResolverFiles(configuration: file, upstream: "\(folder)/upstream"))
    let none = watch.nameservers()
    try Files.replace(file, with: Array("nameserver 192.0.2.53\n".utf8))
    #expect(try waitUntilReadable(watch.descriptor, timeout: .zero))
    #expect(try watch.takeChange())
    #expect(none != [Nameserver("192.0.2.53")!])
    #expect(watch.nameservers() == [Nameserver("192.0.2.53")!])
  }

  /// systemd-resolved's stub: the file names it, and another file lists the servers.
  @Test func theServersBehindAStubAreWatchedToo() throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    let files = ResolverFiles(configuration: "\(folder)/resolv.conf", upstream: "\(folder)/run/upstream")
    /// By another process: a child that another test has just forked may keep a file of this one open, and close it while it is watched.
    func write(_ path: String, _ text: String) throws {
      _ = try Subprocess.run("sh", ["-c", "printf %s '\(text)' >\(path).new && mv \(path).new \(path)"])
    }
    try write(files.configuration, "nameserver 127.0.0.53\n")
    let watch = try ResolverWatch(files)
    /// Whether a change was reported, and the list is now this one.
    func isTold(_ server: String) throws -> Bool {
      guard try waitUntilReadable(watch.descriptor, timeout: .zero) else { return false }
      return try watch.takeChange() && watch.nameservers() == [Nameserver(server)!]
    }
    #expect(watch.nameservers() == [Nameserver("127.0.0.53")!])
    try Files.makePrivateDirectory("\(folder)/run")
    try write(files.upstream, "nameserver 192.0.2.53\n")
    #expect(try isTold("192.0.2.53"))
    try write(files.upstream, "nameserver 192.0.2.54\n")
    #expect(try isTold("192.0.2.54"))
    // Without the stub its servers do not matter.
    try write(files.configuration, "nameserver 198.51.100.53\n")
    #expect(try isTold("198.51.100.53"))
    // Releasing the old file is not reported again.
    #expect(try !watch.takeChange())
    try write(files.upstream, "nameserver 192.0.2.55\n")
    #expect(try !waitUntilReadable(watch.descriptor, timeout: .zero))
    #expect(watch.nameservers() == [Nameserver("198.51.100.53")!])
  }

  /// K37: the link in the middle is a folder's, as of a configuration with generations.
  @Test func aSwappedLinkOnTheWayToResolvConfIsFollowed() throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    func shell(_ script: String) throws { _ = try Subprocess.run("sh", ["-ec", "cd \(folder)\n\(script)"]) }
    try shell("mkdir 1 2; : >1/resolv.conf; echo nameserver 192.0.2.53 >2/resolv.conf; ln -s 1 now")
    try shell("ln -s now/resolv.conf static; ln -s static resolv.conf")
    let life = try Life(resolverConfiguration: "\(folder)/resolv.conf") { try $0.addUplink("eth0") }
    for (target, isThere) in [("2", true), ("1", false), ("2", true)] {
      let before = life.paths.values.count
      try shell("ln -s \(target) new; mv -T new now")
      try life.paths.first("the file behind \(target)", from: before) { $0.supportsDNS == isThere }
    }
  }

  /// K36: the filter drops routes of this length, except those that cover a nameserver.
  @Test func aRouteToTheNameserversNetworkIsFollowed() throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    let file = "\(folder)/resolv.conf"
    try Files.replace(file, with: Array("nameserver 10.66.0.1\n".utf8))
    let life = try Life(resolverConfiguration: file) { try $0.addUplink("eth0") }
    #expect(life.paths.values.last?.supportsDNS == true)
    func refuse(_ network: String) throws {
      let before = life.paths.values.count
      try life.namespace.ip("route add unreachable \(network)")
      try life.paths.first("no DNS", from: before) { !$0.supportsDNS }
      try life.namespace.ip("route del unreachable \(network)")
      try life.paths.first("DNS again", from: before) { $0.supportsDNS }
      life.settle()
    }
    try refuse("10.66.0.0/16")
    try refuse("10.66.0.0/16")
    // The filter follows the file.
    try Files.replace(file, with: Array("nameserver 10.67.0.1\n".utf8))
    try refuse("10.67.0.0/16")
    let count = life.watcher.counters.evaluations
    let foreign = (0..<200).map { "route add 10.66.\($0).0/24 via 192.0.2.1" }
    try life.namespace.ip(foreign.joined(separator: "\n"))
    #expect(!eventually(within: .milliseconds(200)) { life.watcher.counters.evaluations != count })
  }

  /// K35: without a nameserver the resolver asks this machine (resolv.conf(5)).
  @Test("a missing or empty file means the server on this machine, if there is one", arguments: [nil, "# empty\n"])
  func theDefaultNameserver(_ text: String?) throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    let file = "\(folder)/resolv.conf"
    if let text { try Files.replace(file, with: Array(text.utf8)) }
    let life = try Life(resolverConfiguration: file) { try $0.addUplink("eth0") }
    #expect(life.paths.values.last?.supportsDNS == false)
    func now() throws -> Bool {
      try life.namespace.inside { try NWPath.current(resolverConfiguration: file) }.supportsDNS
    }
    #expect(try !now())
    let server = try life.namespace.inside {
      FileDescriptor(owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(server.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    #expect(isBound)
    #expect(try now())
    // No event announces the server. Any other event leads to a look.
    try life.namespace.ip("link set eth0 mtu 1400")
    try life.paths.first("DNS by the server on this machine") { $0.supportsDNS }
  }

  /// K35: the resolver reaches a link-local nameserver by its link alone.
  @Test(arguments: [
    ("fe80::1%eth0", true), ("fe80::1", false), ("fe80::1%nosuch", false), ("fe80::1%eth1", false),
  ])
  func aLinkLocalNameserver(_ server: String, _ isThere: Bool) throws {
    let folder = try folder()
    defer { TemporaryFolder.remove(folder) }
    let file = "\(folder)/resolv.conf"
    try Files.replace(file, with: Array("nameserver \(server)\n".utf8))
    let life = try Life(resolverConfiguration: file) {
      try $0.addUplink("eth0")
      try $0.addUplink("eth1", address: "198.51.100.2/24", gateway: nil)
      try $0.ip("addr add fe80::5/64 dev eth0 nodad", "addr add fe80::6/64 dev eth1 nodad", "link set eth1p down")
      // A global address and route, which must not make up for a missing scope.
      try $0.ip("addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via fe80::9 dev eth0")
    }
    #expect(life.paths.values.last?.supportsDNS == isThere)
  }
}
