import Dispatch
import Glibc
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Any process with rights over the network can send a datagram to a netlink socket. The watcher accepts only the kernel's: its sockets
/// are connected to the kernel. Other processes can send to a group that the sockets have joined, but not in the kernel's name.
@Suite(.ownThread) struct ForgeryTests {
  /// A second netlink socket, in the namespace of the thread that makes it.
  private struct Forger: ~Copyable {
    let socket: FileDescriptor

    init() throws {
      let descriptor = Glibc.socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0)
      guard descriptor >= 0 else { throw TestKitError("cannot open a netlink socket") }
      socket = FileDescriptor(owning: descriptor)
    }

    /// - Parameter groups: a mask of multicast groups; RTMGRP_LINK is 1.
    func send(_ bytes: [UInt8], toPort port: UInt32, groups: UInt32 = 0) throws {
      // struct sockaddr_nl, which Swift's Glibc lacks: family, padding, port, groups.
      var address = MessageBytes.bytes(UInt16(AF_NETLINK)) + [0, 0]
      address += MessageBytes.bytes(port)
      address += MessageBytes.bytes(groups)
      let sent = address.withUnsafeBytes { raw in
        sendto(
          socket.rawValue, bytes, bytes.count, 0, raw.baseAddress!.assumingMemoryBound(to: sockaddr.self),
          socklen_t(raw.count))
      }
      if sent != bytes.count { throw SystemError(code: errno, attempt: "send a forged message") }
    }
  }

  /// The port of a namespace's only socket that has joined groups, or that has not.
  private func port(in namespace: NetworkNamespace, listening: Bool) throws -> UInt32 {
    let list = try namespace.inside { String(decoding: try Files.read("/proc/thread-self/net/netlink"), as: UTF8.self) }
    // Columns: address, protocol, port, mask of groups. The kernel's own sockets have port 0.
    for line in list.split(separator: "\n") {
      let columns = line.split(separator: " ")
      guard columns.count > 3, columns[1] == "0", let port = UInt32(columns[2]), port != 0 else { continue }
      if (columns[3] != "00000000") == listening { return port }
    }
    throw TestKitError("no such socket in:\n\(list)")
  }

  @Test func aDatagramOfAnotherProcessIsPassedOver() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let sockets = try inside(namespace)
    let port = try port(in: namespace, listening: true)
    try namespace.inside {
      let forger = try Forger()
      #expect(refusal { try forger.send(MessageBytes.link, toPort: port) } == ECONNREFUSED)
      try forger.send(MessageBytes.link, toPort: 0, groups: 1)
    }
    #expect(try sockets.events.receive(limit: 100).events == [])
    // The kernel's next message arrives, even after forged ones.
    try namespace.inside { try Forger().send(MessageBytes.link, toPort: 0, groups: 1) }
    try namespace.ip("link set eth0p down")
    let events = try sockets.events.receive(limit: 100).events
    #expect(events.contains { if case .linkChanged(let change) = $0 { change.name == "eth0p" } else { false } })
    #expect(!events.contains { if case .linkChanged(let change) = $0 { change.kind == "vlan" } else { false } })
  }

  /// The errno of a refused send.
  private func refusal(_ send: () throws -> Void) -> Int32? {
    do {
      try send()
      return nil
    } catch {
      return (error as? SystemError)?.code
    }
  }

  /// No process can answer a request in the kernel's place, or delay the answer with a flood.
  @Test func aForgedAnswerIsRefused() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let sockets = try inside(namespace)
    let port = try port(in: namespace, listening: false)
    try namespace.inside {
      let forger = try Forger()
      // libnl's sequence numbers begin with the time.
      for number in UInt32(time(nil) - 10)..<UInt32(time(nil) + 20) {
        var answer = MessageBytes.refusal
        answer.replaceSubrange(8..<12, with: MessageBytes.bytes(number))
        #expect(refusal { try forger.send(answer, toPort: port) } == ECONNREFUSED)
      }
    }
    let probe = RouteProbe(destination: RouteProbe.destinations(.ipv4)[0])
    guard case .route(let match) = sockets.queries.route(probe) else {
      Issue.record("no route")
      return
    }
    #expect(match.legs.first?.gateway == AnyIPAddress("192.0.2.1"))
  }

  /// A process that floods the monitor neither changes the path nor keeps the monitor from hearing the kernel.
  @Test func aFloodOfForgeriesChangesNothing() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    try world.namespace.inside {
      let forger = try Forger()
      // Of both ends of the pair, whichever of the two the uplink is.
      let down = (2...3).map { MessageBytes.message(MessageBytes.deleteLink, MessageBytes.linkHeader(index: $0)) }
      for number in 0..<2000 { try? forger.send(down[number % 2], toPort: 0, groups: 1) }
    }
    // The watcher looks again at a change that does not concern links: effects of the forged messages on its tables would show now,
    // while the next message about the link would correct them.
    let before = world.watcher.counters.evaluations
    try world.namespace.ip("rule add fwmark 9 table 99")
    #expect(eventually { world.watcher.counters.evaluations > before })
    world.queue.sync {}
    #expect(world.paths.values.map(\.status) == [.satisfied])
    let path = try world.after({ try world.namespace.ip("link set eth0p down") }, "the truth", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(path.reason == .noCarrier)
    #expect(world.paths.values.map(\.status) == [.satisfied, .unsatisfied])
  }
}
