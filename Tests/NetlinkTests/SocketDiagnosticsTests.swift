import Glibc
@testable import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What the kernel says about real sockets.
@Suite(.ownThread, .enabled(if: TCPPair.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
struct SocketDiagnosticsTests {
  private static let states: Set<TCPConnection.State> = [.established]

  @Test(arguments: ["2001:db8::1", "::ffff:192.0.2.1"])
  func aConnectionStallsAndGoesOn(_ address: String) throws {
    let pair = try TCPPair()
    let descriptor = try pair.connect(to: address)
    let inode = try TCPPair.inode(of: descriptor)
    let diagnostics = try pair.client.inside { try SocketDiagnostics() }
    let found = try diagnostics.connections(in: Self.states) { $0 == inode }
    let first = try #require(found.first)
    #expect(found.count == 1 && first.state == .established && first.inode == inode)
    #expect(!first.awaitsAcknowledgement && first.stallAge == nil)
    #expect(first.id.remotePort == 7000 && first.id.remoteAddress == AnyIPAddress(address))
    try pair.silence()
    let sent = BootClock.now
    #expect(send(descriptor, "x", 1, 0) == 1)
    var stalled: TCPConnection?
    #expect(
      try eventually {
        stalled = try diagnostics.connection(first.id)
        return stalled?.isStalled == true
      })
    let age = try #require(stalled?.stallAge)
    #expect(age <= BootClock.now - sent + .milliseconds(20))
    // Two timeouts have passed, the second twice as long as the first; the least timeout is 200 ms.
    #expect(age >= .milliseconds(550))
    try pair.wake()
    #expect(try eventually { try diagnostics.connection(first.id)?.awaitsAcknowledgement == false })
  }

  /// The kernel limits the timeout: after that its length tells nothing about the age. Here the limit is low, so that it comes soon.
  @Test(
    .enabled(if: Files.exists("/proc/sys/net/ipv4/tcp_rto_max_ms"), "COULD NOT RUN: needs Linux 6.15"),
    arguments: [false, true])
  func aStallGrowsBeyondTheLongestTimeout(_ hasStalledBefore: Bool) throws {
    let pair = try TCPPair()
    try pair.client.sysctl("net/ipv4/tcp_rto_max_ms", "1000")
    let descriptor = try pair.connect(to: "2001:db8::1")
    let inode = try TCPPair.inode(of: descriptor)
    let diagnostics = try pair.client.inside { try SocketDiagnostics() }
    let id = try #require(try diagnostics.connections(in: Self.states) { $0 == inode }.first).id
    if hasStalledBefore {
      try pair.silence()
      #expect(send(descriptor, "x", 1, 0) == 1)
      #expect(try eventually { try diagnostics.connection(id)?.backoff ?? 0 >= 3 })
      try pair.wake()
      #expect(try eventually { try diagnostics.connection(id)?.awaitsAcknowledgement == false })
    }
    try pair.silence()
    let sent = BootClock.now
    #expect(send(descriptor, "x", 1, 0) == 1)
    var stalled: TCPConnection?
    #expect(
      try eventually {
        stalled = try diagnostics.connection(id)
        return stalled?.backoff ?? 0 >= 7 && stalled?.stallAge != nil
      })
    // 200, 400 and 800 ms, then four times a second.
    let age = try #require(stalled?.stallAge)
    #expect(age >= .milliseconds(5400) && age <= BootClock.now - sent + .milliseconds(20))
  }

  /// The server closes first, so that the kernel keeps no socket in TIME_WAIT.
  @Test(arguments: ["2001:db8::1", "::ffff:192.0.2.1"]) func anEndedConnectionLeavesItsHost(_ address: String) throws {
    let pair = try TCPPair()
    let ended = try pair.client.inside { try EndedConnections() }
    #expect(try ended.hosts().isEmpty)
    let start = BootClock.now
    _ = try pair.connect(to: address)
    #expect(try ended.hosts().isEmpty)
    pair.closeAll()
    var found: EndedConnection?
    #expect(
      try eventually {
        found = try ended.hosts().first
        return found != nil
      })
    #expect(found?.host == AnyIPAddress(address.replacing("::ffff:", with: "")))
    // The kernel counts in ticks.
    #expect(try #require(found).age <= BootClock.now - start + .milliseconds(20))
  }

  /// Without an acknowledgement from the other end, the kernel notes nothing.
  @Test func aStalledConnectionThatIsClosedLeavesNothing() throws {
    let pair = try TCPPair()
    let descriptor = try pair.connect(to: "2001:db8::1")
    let inode = try TCPPair.inode(of: descriptor)
    let diagnostics = try pair.client.inside { try SocketDiagnostics() }
    let id = try #require(try diagnostics.connections(in: Self.states) { $0 == inode }.first).id
    let ended = try pair.client.inside { try EndedConnections() }
    try pair.silence()
    #expect(send(descriptor, "x", 1, 0) == 1)
    #expect(try eventually { try diagnostics.connection(id)?.isStalled == true })
    pair.closeAll()
    // The state depends on whether the other end's FIN arrived before, after or never.
    let ending: Set<TCPConnection.State> = [.lastAck, .closing, .finWait1]
    #expect(try eventually { try diagnostics.connection(id).map { ending.contains($0.state) } == true })
    #expect(try ended.hosts().isEmpty)
  }

  @Test func aSocketThatIsGoneIsNoError() throws {
    let pair = try TCPPair()
    let descriptor = try pair.connect(to: "2001:db8::1")
    let diagnostics = try pair.client.inside { try SocketDiagnostics() }
    let inode = try TCPPair.inode(of: descriptor)
    var id = try #require(try diagnostics.connections(in: Self.states) { $0 == inode }.first).id
    id.cookie += 1
    #expect(try diagnostics.connection(id) == nil)
    id.remotePort += 1
    #expect(try diagnostics.connection(id) == nil)
  }

  /// The kernel sends them in many parts.
  @Test func aDumpHasEverySocketOnce() throws {
    let pair = try TCPPair()
    let wanted = try Set((0..<150).map { _ in try TCPPair.inode(of: pair.connect(to: "2001:db8::1")) })
      .union((0..<150).map { _ in try TCPPair.inode(of: pair.connect(to: "::ffff:192.0.2.1")) })
    let diagnostics = try pair.client.inside { try SocketDiagnostics() }
    let found = try diagnostics.connections(in: Self.states)
    #expect(found.count == wanted.count && Set(found.map(\.inode)) == wanted)
    #expect(try diagnostics.connections(in: [.listening]).isEmpty)
  }

  /// A crowd over loopback never leaves the kernel.
  @Test func theKernelLeavesOutNetworks() throws {
    let pair = try TCPPair()
    for address in ["2001:db8::1", "::ffff:192.0.2.1", "::ffff:192.0.2.1"] { _ = try pair.connect(to: address) }
    let diagnostics = try pair.client.inside { try SocketDiagnostics() }
    func count(without networks: [(String, Int)]) throws -> Int {
      let filter = DestinationFilter.program(without: networks.map { (AnyIPAddress($0.0)!, $0.1) })
      return try diagnostics.connections(in: Self.states, filter: filter).count
    }
    #expect(try count(without: []) == 3)
    #expect(try count(without: [("127.0.0.0", 8), ("::1", 128)]) == 3)
    #expect(try count(without: [("192.0.2.1", 32)]) == 1)
    #expect(try count(without: [("127.0.0.0", 8), ("2001:db8::1", 128), ("192.0.3.1", 32)]) == 2)
    #expect(try count(without: [("192.0.2.0", 24), ("2001:db8::", 64), ("127.0.0.0", 8)]) == 0)
    #expect(try count(without: [("192.0.2.2", 32), ("2001:db8::2", 128)]) == 3)
    // As many as fit; of more the kernel lists the rest.
    let others = (0..<DestinationFilter.maximumCount).map { ("2001:db8:1::\($0)", 128) }
    #expect(try count(without: others.dropLast() + [("192.0.2.1", 32)]) == 1)
    #expect(try count(without: others + [("192.0.2.1", 32)]) == 3)
  }

  /// The end that closes first keeps a socket in TIME_WAIT.
  @Test func aClosedConnectionIsListedForAMinute() throws {
    let pair = try TCPPair()
    for address in ["2001:db8::1", "::ffff:192.0.2.1"] { _ = try pair.connect(to: address) }
    let diagnostics = try pair.server.inside { try SocketDiagnostics() }
    #expect(try diagnostics.closedConnections(filter: []).isEmpty)
    pair.closeAll()
    var found: [EndedConnection] = []
    let isListed = try eventually {
      found = try diagnostics.closedConnections(filter: [])
      return found.count == 2
    }
    #expect(isListed && Set(found.map { "\($0.host)" }) == ["2001:db8::2", "192.0.2.2"])
    #expect(found.allSatisfy { $0.age < .seconds(30) })
  }

  /// The kernel then asks for the window instead of sending data again: the other end answers.
  @Test func aClosedWindowIsNoStall() throws {
    let pair = try TCPPair()
    let descriptor = try pair.connect(to: "2001:db8::1")
    let inode = try TCPPair.inode(of: descriptor)
    let diagnostics = try pair.client.inside { try SocketDiagnostics() }
    let id = try #require(try diagnostics.connections(in: Self.states) { $0 == inode }.first).id
    let data = [UInt8](repeating: 0, count: 1 << 20)
    var hasStalled = false
    let isClosed = try eventually {
      // Until both buffers are full.
      while send(descriptor, data, data.count, Int32(MSG_DONTWAIT)) > 0 {}
      let connection = try diagnostics.connection(id)
      if connection?.isStalled == true { hasStalled = true }
      return connection?.timer == .windowProbe
    }
    #expect(isClosed && !hasStalled)
  }

  @Test func bothEndsOfAUnixSocket() throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let (one, other) = try (TCPPair.inode(of: ends[0]), TCPPair.inode(of: ends[1]))
    #expect(try SocketDiagnostics().unixPeers(of: [one]) == [one: other])
  }
}
