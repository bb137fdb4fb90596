@testable import NetworkPath
import OverlineTestThread
import Testing

/// Which of the kernel's sockets tell something about the routers of the path.
@Suite(.ownThread) struct ConnectionLookTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let own: Set = [AnyIPAddress("192.0.2.10")!, AnyIPAddress("2001:db8::10")!]

  private static func socket(
    to remote: String, from local: String = "192.0.2.10", state: TCPConnection.State = .established, heard: Double = 20,
    retransmits: Int = 0, timer: TCPConnection.Timer? = nil
  ) -> TCPConnection {
    let address = AnyIPAddress(remote)!
    let id = TCPConnection.ID(
      family: address.family, localAddress: AnyIPAddress(local)!, localPort: 1, remoteAddress: address, remotePort: 2,
      cookie: 3)
    var socket = TCPConnection(
      id: id, state: state, timer: timer ?? (retransmits > 0 ? .retransmission : .none), inode: 4)
    socket.retransmits = retransmits
    socket.backoff = retransmits
    socket.unacknowledged = retransmits > 0 ? 1 : 0
    // 200 ms, doubled: two of them are 600 ms.
    socket.retransmissionTimeout = .milliseconds(200) * (1 << retransmits)
    socket.expires = socket.retransmissionTimeout
    socket.heardAge = state.isConnected ? .seconds(heard) : nil
    return socket
  }

  /// 192.0.2.0/24 is the local network.
  private static func look(
    _ sockets: TCPConnection..., ended: [EndedConnection] = [], isWhole: Bool = true
  ) -> ConnectionLook {
    ConnectionLook(
      sockets, ended: ended, isWhole: isWhole, isOwn: { own.contains($0) },
      router: { $0.description.hasPrefix("192.0.2.") ? nil : router })
  }

  @Test func stallsCountByHost() {
    let look = Self.look(
      Self.socket(to: "198.51.100.1", retransmits: 2), Self.socket(to: "198.51.100.1", retransmits: 4),
      Self.socket(to: "198.51.100.2", retransmits: 2), Self.socket(to: "198.51.100.3"))
    #expect(look.count == 4 && look.stalls.count == 3 && Set(look.stalls.map(\.host)).count == 2)
    #expect(Set(look.stalls.map(\.age)) == [.milliseconds(600), .milliseconds(3000)])
    #expect(look.stalls.allSatisfy { $0.router == Self.router } && look.heardAge == .seconds(20))
  }

  @Test func anEndedConnectionIsASignOfLife() {
    func ended(_ host: String, _ seconds: Int) -> EndedConnection {
      EndedConnection(host: AnyIPAddress(host)!, age: .seconds(seconds))
    }
    let socket = Self.socket(to: "198.51.100.1", heard: 20)
    // Those with this machine and with the local network are none.
    let near = [ended("127.0.0.1", 1), ended("::1", 2), ended("192.0.2.7", 3)]
    #expect(Self.look(socket, ended: near).heardAge == .seconds(20))
    #expect(
      Self.look(socket, ended: near + [ended("198.51.100.9", 4), ended("198.51.100.8", 5)]).heardAge == .seconds(4))
    #expect(Self.look(socket, ended: [ended("198.51.100.9", 30)]).heardAge == .seconds(20))
    #expect(Self.look(ended: [ended("198.51.100.9", 30)]).heardAge == .seconds(30))
  }

  @Test func anIPv6SocketMayTalkToAnIPv4Address() {
    let look = Self.look(
      Self.socket(to: "::ffff:198.51.100.1", from: "::ffff:192.0.2.10", retransmits: 2),
      Self.socket(to: "198.51.100.1", retransmits: 2))
    #expect(look.stalls.count == 2 && Set(look.stalls.map(\.host)).count == 1)
  }

  @Test(arguments: [
    // The local network, and this machine.
    socket(to: "192.0.2.20", heard: 1, retransmits: 3),
    socket(to: "127.0.0.1", from: "127.0.0.1", heard: 1, retransmits: 3),
    // An address that this machine had before.
    socket(to: "198.51.100.1", from: "203.0.113.7", heard: 1, retransmits: 3),
  ])
  func otherConnectionsDoNotCount(_ socket: TCPConnection) {
    #expect(Self.look(socket) == ConnectionLook(isWhole: true))
  }

  @Test func whatIsNoStall() {
    // One retransmission may repair a lost segment; a closed window is probed, and the probes are answered.
    var look = Self.look(
      Self.socket(to: "198.51.100.1", retransmits: 1),
      Self.socket(to: "198.51.100.2", retransmits: 3, timer: .windowProbe),
      Self.socket(to: "198.51.100.3", retransmits: 3, timer: .keepalive))
    #expect(look.stalls.isEmpty && look.doubtful == 1 && look.count == 3)
    // Silent for more than a minute before it stalled: the router may have forgotten the flow.
    look = Self.look(Self.socket(to: "198.51.100.1", heard: 61, retransmits: 2))
    #expect(look.stalls.isEmpty && look.count == 1)
    look = Self.look(Self.socket(to: "198.51.100.1", heard: 60.5, retransmits: 2))
    #expect(look.stalls.count == 1)
    look = Self.look(Self.socket(to: "198.51.100.1", state: .synSent, retransmits: 5))
    #expect(look.stalls.isEmpty && look.connecting == 1 && look.heardAge == nil)
  }

  /// The first packet is sent again after 1 s. The timeouts are doubled from the first on, or from the fifth.
  @Test(arguments: [
    (1, 1, 1.0), (2, 2, 3.0), (3, 3, 7.0), (1, 0, 1.0), (4, 0, 4.0), (5, 1, 5.0), (6, 2, 7.0), (7, 3, 11.0),
  ])
  func theAgeOfAConnectionThatIsBeingMade(_ retransmits: Int, _ backoff: Int, _ age: Double) {
    var socket = Self.socket(to: "198.51.100.1", state: .synSent, retransmits: retransmits)
    socket.backoff = backoff
    socket.retransmissionTimeout = .seconds(1) * (1 << backoff)
    socket.expires = socket.retransmissionTimeout
    #expect(socket.connectingAge == .seconds(age))
    socket.expires -= .milliseconds(250)
    #expect(socket.connectingAge == .seconds(age) + .milliseconds(250))
    #expect(Self.look(socket).overdue == (age >= 5 ? 1 : 0) && Self.look(socket).connecting == 1)
    socket.state = .established
    #expect(socket.connectingAge == nil)
  }

  @Test func theHostsOfStallsAreNamedToTheCallerOnly() {
    var named: [String] = []
    let sockets = [
      Self.socket(to: "198.51.100.1", retransmits: 2),
      Self.socket(to: "::ffff:198.51.100.2", from: "::ffff:192.0.2.10", retransmits: 3),
      Self.socket(to: "198.51.100.3"), Self.socket(to: "192.0.2.20", retransmits: 3),
      Self.socket(to: "198.51.100.4", state: .synSent, retransmits: 3),
      Self.socket(to: "198.51.100.5", heard: 90, retransmits: 2),
    ]
    _ = ConnectionLook(
      sockets, isWhole: true, isOwn: { Self.own.contains($0) },
      router: { $0.description.hasPrefix("192.0.2.") ? nil : Self.router }, stalled: { named.append("\($0) \($1)") })
    #expect(named.sorted() == ["198.51.100.1 2", "198.51.100.2 2"])
  }

  @Test func aRecordingHoldsItWithoutAddresses() {
    var look = Self.look(
      Self.socket(to: "198.51.100.1", retransmits: 2), Self.socket(to: "198.51.100.2", heard: 0.5),
      Self.socket(to: "198.51.100.3", state: .synSent, retransmits: 1), Self.socket(to: "198.51.100.4", retransmits: 1))
    look.counters = DatagramCounters(datagrams: 1, loopback: 2, others: 3)
    look.overdue = 1
    look.routers = [Self.router: .milliseconds(70)]
    let words = look.transcriptWords
    #expect(ConnectionLook(transcriptWords: words) == look && !words.contains { $0.contains("198.51.100") })
    for damaged in [["count"], ["count=x"], ["stall=1,2"], ["counters=1,2,x"], ["router=1,2,3"], ["heard="], ["x=1"]] {
      #expect(ConnectionLook(transcriptWords: damaged) == nil, "\(damaged)")
    }
    #expect(look.words == "4 through it, 1 to 1 host without an answer, for 0 s")
  }

  @Test func theNewestSignOfLifeCounts() {
    let look = Self.look(
      Self.socket(to: "198.51.100.1", retransmits: 2), Self.socket(to: "198.51.100.2", heard: 0.5),
      Self.socket(to: "192.0.2.20", heard: 0.1))
    #expect(look.heardAge == .milliseconds(500))
  }

  /// Look-ups are limited. A connection without a look-up may count as a sign of life, never as a stall.
  @Test func manyHosts() {
    var asked = 0
    let many = (0..<1000).map { Self.socket(to: "198.51.\($0 / 250).\($0 % 250)", heard: 2 + Double($0) / 1000) }
    let look = ConnectionLook(
      many + [Self.socket(to: "203.0.113.1", retransmits: 2)], isWhole: true, isOwn: { _ in true },
      router: { _ in
        asked += 1
        return asked < 100 ? Self.router : nil
      })
    #expect(asked == ConnectionLook.maximumHostCount && look.stalls.count == 1 && look.heardAge == .seconds(2))
    let unknown = ConnectionLook(many, isWhole: true, isOwn: { _ in true }, router: { _ in nil })
    #expect(unknown.count == 0 && (unknown.heardAge ?? .zero) > .milliseconds(2255))
  }
}

/// Which UDP datagrams came from outside the machine.
@Suite(.ownThread) struct DatagramCountersTests {
  private static func snmp(_ datagrams: Int, noPorts: Int = 0, errors: Int = 0, segments: Int, unreachable: Int = 0)
    -> String
  {
    """
    Icmp: InMsgs OutMsgs OutDestUnreachs
    Icmp: 0 0 \(unreachable)
    Tcp: RtoMin MaxConn InSegs
    Tcp: 200 -1 \(segments)
    Udp: InDatagrams NoPorts InErrors
    Udp: \(datagrams) \(noPorts) \(errors)

    """
  }

  private static func dev(_ packets: Int) -> String {
    """
    Inter-|   Receive                                                |  Transmit
     face |bytes    packets errs drop fifo frame compressed multicast|bytes
        lo: 123456 \(packets)    0    0    0     0          0         0   123456
      eth0:  99999     777    0    0    0     0          0         0    99999

    """
  }

  private static let snmp6 =
    "Ip6InReceives \t9\nUdp6InDatagrams                 \t5\nUdp6NoPorts \t1\nUdp6InErrors \t1\n"

  @Test func readsTheKernelsFiles() {
    let counters = DatagramCounters(
      snmp: Self.snmp(10, noPorts: 2, errors: 1, segments: 30, unreachable: 4), snmp6: Self.snmp6, dev: Self.dev(50))
    #expect(counters == DatagramCounters(datagrams: 20, loopback: 50, others: 34))
    #expect(DatagramCounters(snmp: Self.snmp(10, segments: 3), snmp6: "", dev: Self.dev(5))?.datagrams == 10)
    #expect(DatagramCounters(snmp: "", snmp6: "", dev: Self.dev(5)) == nil)
    #expect(DatagramCounters(snmp: Self.snmp(1, segments: 1), snmp6: "", dev: "eth0: 1 2") == nil)
    #expect(DatagramCounters(snmp: "Udp:\nUdp:\nTcp: a", snmp6: "x", dev: "lo:") == nil)
  }

  @Test(arguments: [
    // An answer from outside, alone and with traffic over loopback.
    (1, 0, 0, true), (3, 2, 0, true), (1, 50, 50, true), (2, 51, 50, true),
    // Loopback carried them all.
    (0, 0, 0, false), (2, 2, 0, false), (2, 52, 50, false), (0, 0, 7, false),
    // TCP from outside hides what loopback explains: better no claim.
    (2, 2, 7, true),
  ])
  func loopbackExplainsSome(datagrams: UInt64, loopback: UInt64, others: UInt64, isNews: Bool) {
    let before = DatagramCounters(datagrams: 100, loopback: 200, others: 300)
    let after = DatagramCounters(datagrams: 100 + datagrams, loopback: 200 + loopback, others: 300 + others)
    #expect(after.hasNewsFromOutside(since: before) == isNews)
    #expect(!DatagramCounters(datagrams: 0).hasNewsFromOutside(since: after))
  }
}
