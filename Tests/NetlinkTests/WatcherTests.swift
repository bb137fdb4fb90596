import Dispatch
import NetworkPath
import OverlineSystem
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

/// The watcher under stress: floods, overruns, cancellation, sockets that cannot be opened.
@Suite(.ownThread) struct WatcherTests {
  /// K21: a small buffer and thousands of messages that pass the filter.
  @Test func anOverrunIsCountedAndThePathIsCorrect() throws {
    let world = try WatchedNamespace(receiveBuffer: 4096) { try $0.addUplink("eth0") }
    // The queue is held while the kernel sends, so that the buffer must overflow.
    let release = DispatchSemaphore(value: 0)
    world.queue.async { release.wait() }
    let flood = (0..<2500).flatMap { index in
      let address = "10.9.\(index / 250).\(index % 250 + 1)/32"
      return ["addr add \(address) dev eth0p", "addr del \(address) dev eth0p"]
    }
    try world.namespace.ip(flood.joined(separator: "\n"))
    let path = try world.after(
      {
        try world.namespace.ip("link set eth0p down")
        release.signal()
      }, "the truth after the overrun"
    ) { $0.status == .unsatisfied }
    #expect(path.reason == .noCarrier)
    #expect(world.watcher.counters.overruns >= 1)
    #expect(world.paths.values.map(\.status) == [.satisfied, .unsatisfied])
  }

  /// More watchers than Dispatch has threads for blocks that wait: each watcher waits on its own thread, and all threads end. A user has 128
  /// inotify instances (inotify(7)), and each watcher takes one: the other tests need the rest.
  @Test func sixtyWatchersOfOneProcess() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let paths = Recorder<NWPath>()
    let queue = DispatchQueue(label: "test.many")
    var watchers = (0..<60).map { _ in
      PathWatcher(
        queue: queue, open: { () throws(NetlinkError) in try inside(namespace, receiveBuffer: 4096) },
        onPath: { paths.record($0) })
    }
    for watcher in watchers { try watcher.start() }
    try paths.wait("a path for each") { $0.count == 60 }
    // Other tests of this process have threads too, but fewer come and go.
    let most = try threads()
    #expect(most >= 60)
    watchers[..<30].forEach { $0.cancel() }
    // Releasing the watchers is enough, too.
    watchers = []
    #expect(try eventually { try threads() < most - 40 })
  }

  private func threads() throws -> Int {
    let status = String(decoding: try Files.read("/proc/self/status"), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("Threads:") }
    return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
  }

  /// Routes that cover no probe do not even wake the watcher.
  @Test func foreignRoutesDoNotGetThroughTheFilter() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    let before = world.watcher.counters.evaluations
    let routes = (0..<2000).map { "route add 10.\($0 / 250).\($0 % 250).0/24 via 192.0.2.1" }
    try world.namespace.ip(routes.joined(separator: "\n"))
    try world.after({ try world.namespace.ip("link set eth0p down") }, "the carrier") { _ in true }
    // The loss of carrier is a few messages: one look at the first, one or two at the rest.
    #expect(world.watcher.counters.evaluations - before <= 3)
  }

  /// A default split in halves passes the filter.
  @Test func aSplitDefaultGetsThroughTheFilter() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0", gateway: nil) }
    #expect(world.path.status == .unsatisfied)
    try world.after(
      { try world.namespace.ip("route add 0.0.0.0/1 via 192.0.2.1", "route add 128.0.0.0/1 via 192.0.2.1") },
      "satisfied by halves"
    ) { $0.status == .satisfied }
  }

  /// K22
  @Test func startsWithoutAnyNetworkAndTellsSoOnce() throws {
    let world = try WatchedNamespace()
    #expect(world.paths.values.count == 1)
    #expect(world.path.status == .unsatisfied)
    #expect(world.path.reason == .noRoute)
  }

  /// K22: watchers do not affect each other.
  @Test func watchersInOneProcessAndInOtherNamespaces() throws {
    let first = try WatchedNamespace { try $0.addUplink("eth0") }
    let second = try WatchedNamespace { try $0.addUplink("eth0") }
    let also = Recorder<NWPath>()
    let namespace = first.namespace
    let watcher = PathWatcher(
      queue: DispatchQueue(label: "test.second"), open: { () throws(NetlinkError) in try inside(namespace) },
      onPath: { also.record($0) })
    try watcher.start()
    defer { watcher.cancel() }
    try also.wait("its first path") { $0.count == 1 }
    try first.after({ try first.namespace.ip("link set eth0p down") }, "unsatisfied") { $0.status == .unsatisfied }
    try also.first("unsatisfied too") { $0.status == .unsatisfied }
    #expect(second.paths.values.map(\.status) == [.satisfied])
  }

  /// K23
  @Test func nothingIsReportedAfterCancelHasReturned() throws {
    for _ in 0..<10 {
      let world = try WatchedNamespace { try $0.addUplink("eth0") }
      let namespace = world.namespace
      let flood = DispatchQueue.global()
      let done = DispatchSemaphore(value: 0)
      flood.async {
        let lines = (0..<4000).flatMap { _ in ["route del default", "route add default via 192.0.2.1"] }
        try? namespace.ip(lines.joined(separator: "\n") + "\nroute del default")
        done.signal()
      }
      try world.paths.wait("some of the flood") { $0.count > 1 }
      world.watcher.cancel()
      let count = world.paths.values.count
      done.wait()
      // Whatever was queued before this block has run.
      world.queue.sync {}
      #expect(world.paths.values.count == count)
    }
  }

  @Test func cancelFromItsOwnHandlerDoesNotHang() throws {
    let namespace = try NetworkNamespace()
    let told = Recorder<Bool>()
    let box = Mutex<PathWatcher?>(nil)
    let watcher = PathWatcher(
      queue: DispatchQueue(label: "test.own"), open: { () throws(NetlinkError) in try inside(namespace) },
      onPath: { _ in
        box.withLock { $0 }?.cancel()
        told.record(true)
      })
    box.withLock { $0 = watcher }
    try watcher.start()
    try told.wait("the handler") { !$0.isEmpty }
    box.withLock { $0 = nil }
  }

  @Test func withoutNetlinkThePathIsUnknownAndComesWhenNetlinkDoes() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let isAllowed = Mutex(false)
    let paths = Recorder<NWPath>()
    let watcher = PathWatcher(
      queue: DispatchQueue(label: "test.unknown"),
      open: { () throws(NetlinkError) in
        guard isAllowed.withLock({ $0 }) else { throw NetlinkError(code: 93, attempt: "open a netlink socket") }
        return try inside(namespace)
      }, onPath: { paths.record($0) })
    try watcher.start()
    defer { watcher.cancel() }
    try paths.first("unknown") { !$0.isKnown && $0.reason == .noNetlink }
    isAllowed.withLock { $0 = true }
    try paths.first("the path") { $0.isKnown }
  }
}
