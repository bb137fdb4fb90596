import Dispatch
import Glibc
@testable import NetworkPath
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

/// Sockets of a watcher that cannot be opened, fail, or are closed under it.
@Suite(.ownThread) struct FailingSocketTests {
  /// Starts a watcher with these sockets, one after the other, and records its paths.
  private func watch(
    _ namespace: NetworkNamespace, _ open: @escaping @Sendable (Int) throws(NetlinkError) -> NetlinkSockets
  ) throws -> (watcher: PathWatcher, paths: Recorder<NWPath>, attempts: Recorder<Int>) {
    let attempts = Recorder<Int>()
    let paths = Recorder<NWPath>()
    let watcher = PathWatcher(
      queue: DispatchQueue(label: "test.sockets"),
      open: { () throws(NetlinkError) in
        attempts.record(0)
        return try open(attempts.values.count)
      }, onPath: { paths.record($0) })
    try watcher.start()
    return (watcher, paths, attempts)
  }

  @Test func openingFailsAFewTimesAndThenWorks() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let (watcher, paths, attempts) = try watch(namespace) { attempt throws(NetlinkError) in
      if attempt < 4 { throw NetlinkError(code: 93, attempt: "open a netlink socket") }
      return try inside(namespace)
    }
    defer { watcher.cancel() }
    try paths.first("the path") { $0.isKnown }
    #expect(attempts.values.count == 4)
    #expect(paths.values.map(\.isKnown) == [false, true])
    #expect(paths.values[0].reason == .noNetlink)
  }

  /// A socket that is silent until a datagram is sent from it. Then reading fails: no socket listens at the destination.
  private static func unheardSocket(in namespace: NetworkNamespace) throws -> FileDescriptor {
    try namespace.inside {
      func make() -> FileDescriptor {
        FileDescriptor(owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
      }
      let listener = make()
      let sender = make()
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          // Any port, which is free once the listener is gone.
          bind(listener.rawValue, address, length) | getsockname(listener.rawValue, address, &length)
            | connect(sender.rawValue, address, length)
        }
      }
      if result != 0 { throw TestKitError("no socket: errno \(errno)") }
      return sender
    }
  }

  /// Reading announcements fails: the watcher opens other sockets, and reports nothing.
  @Test func aReadErrorLeadsToOtherSockets() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let first = Mutex<Int32>(-1)
    let (watcher, paths, attempts) = try watch(namespace) { attempt throws(NetlinkError) in
      let sockets = try inside(namespace)
      if attempt == 1, let other = try? Self.unheardSocket(in: namespace) {
        dup2(other.rawValue, sockets.events.descriptor)
        first.withLock { $0 = sockets.events.descriptor }
      }
      return sockets
    }
    defer { watcher.cancel() }
    try paths.wait("the first path") { !$0.isEmpty }
    #expect(first.withLock { send($0, "x", 1, 0) } == 1)
    try attempts.wait("the second sockets") { $0.count == 2 }
    #expect(eventually { watcher.counters.evaluations == 2 })
    #expect(paths.values.map(\.status) == [.satisfied])
    try namespace.ip("link set eth0p down")
    try paths.first("that it hears again") { $0.status == .unsatisfied }
  }

  /// Requests fail: never reported as an outage, although the cable is pulled meanwhile.
  @Test func socketsThatAreClosedUnderItAreReplaced() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let opened = Mutex<[NetlinkSockets]>([])
    let (watcher, paths, attempts) = try watch(namespace) { _ throws(NetlinkError) in
      let sockets = try inside(namespace)
      opened.withLock { $0.append(sockets) }
      return sockets
    }
    defer { watcher.cancel() }
    try paths.wait("the first path") { !$0.isEmpty }
    let pipe = try Pipe()
    dup2(pipe.reading.rawValue, opened.withLock { $0[0] }.queries.socket.descriptor)
    try namespace.ip("route add 100.0.0.0/8 via 192.0.2.1")
    try attempts.wait("other sockets") { $0.count == 2 }
    try namespace.ip("link set eth0p down")
    try paths.first("the truth") { $0.status == .unsatisfied }
    // The failed evaluation published no path from its partial answers. `supportsDNS` may differ: a slow evaluation may have asked for the
    // nameserver, its last question, after the cable was pulled.
    #expect(paths.values.dropLast().allSatisfy { $0.status == .satisfied && $0.supportsIPv4 }, "\(paths.values)")
    // The test still holds the old sockets, but the watcher must have removed them from its poller.
    let old = opened.withLock { $0[0] }
    #expect(try !isPolled(old.events.descriptor))
  }

  /// Whether a poller of this process waits for a descriptor.
  private func isPolled(_ descriptor: Int32) throws -> Bool {
    try Files.names(in: "/proc/self/fdinfo").contains { name in
      let lines = String(decoding: (try? Files.read("/proc/self/fdinfo/\(name)")) ?? [], as: UTF8.self).split(
        separator: "\n")
      return lines.contains { line in
        let words = line.split(separator: " ")
        return words.first == "tfd:" && words.dropFirst().first == "\(descriptor)"
      }
    }
  }

  /// A change of options while there are no sockets is not a failure of the sockets.
  @Test func optionsThatChangeWhileTheSocketsAreClosedAreTakenOver() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let box = Mutex<PathWatcher?>(nil)
    let options = PathOptions(targets: [try PathTarget(name: "office", network: "10.20.0.0/16")])
    let first = Mutex<NetlinkSockets?>(nil)
    let (watcher, paths, _) = try watch(namespace) { attempt throws(NetlinkError) in
      let sockets = try inside(namespace)
      if attempt == 1 { first.withLock { $0 = sockets } }
      // On the queue, so that this happens between the old sockets and the new ones.
      if attempt == 2 { box.withLock { $0 }?.setOptions(options) }
      return sockets
    }
    box.withLock { $0 = watcher }
    defer {
      watcher.cancel()
      box.withLock { $0 = nil }
    }
    try paths.wait("the first path") { !$0.isEmpty }
    let pipe = try Pipe()
    dup2(pipe.reading.rawValue, first.withLock { $0!.queries.socket.descriptor })
    try namespace.ip("route add 100.0.0.0/8 via 192.0.2.1")
    try paths.wait("the target") { $0.last?.targets.map(\.name) == ["office"] }
    #expect(!paths.values.map(\.isKnown).contains(false))
  }
}
