@testable import NetworkPath
import OverlineTestThread
import Testing

/// Which packets came from outside the machine, and are no segments of known connections.
@Suite(.ownThread) struct DatagramCountersTests {
  private static let snmp = """
    Ip: Forwarding InReceives InDelivers OutRequests
    Ip: 1 2000 1000 3
    Icmp: InMsgs InErrors
    Icmp: 30 0
    Tcp: RtoMin MaxConn InSegs
    Tcp: 200 -1 400

    """
  private static let netstat = """
    TcpExt: SyncookiesSent ListenDrops
    TcpExt: 1 2
    IpExt: InNoRoutes InMcastPkts OutMcastPkts InBcastPkts
    IpExt: 0 50 9 20

    """
  private static let dev = """
    Inter-|   Receive                                                |  Transmit
     face |bytes    packets errs drop fifo frame compressed multicast|bytes
        lo: 123456 70    0    0    0     0          0         0   123456
      eth0:  99999     777    0    0    0     0          0         0    99999

    """
  /// Of eight messages of ICMPv6 three are multicast.
  private static let snmp6 = """
    Ip6InReceives \t9
    Ip6InDelivers                   \t90
    Ip6InMcastPkts \t10
    Icmp6InMsgs \t8
    Icmp6InRouterAdvertisements \t2
    Icmp6InMLDv2Reports \t1
    Icmp6InNeighborAdvertisements \t3

    """

  @Test func readsTheKernelsFiles() {
    let counters = DatagramCounters(snmp: Self.snmp, netstat: Self.netstat, snmp6: Self.snmp6, dev: Self.dev)
    #expect(counters == DatagramCounters(ipv4: 900, ipv6: 75, loopback: 70, segments: 400))
    let ipv4 = DatagramCounters(snmp: Self.snmp, netstat: Self.netstat, snmp6: "", dev: Self.dev)
    #expect(ipv4 == DatagramCounters(ipv4: 900, loopback: 70, segments: 400))
    for (snmp, netstat, dev) in [
      ("", Self.netstat, Self.dev), (Self.snmp, "", Self.dev), (Self.snmp, Self.netstat, "eth0: 1 2"),
      ("Ip:\nIp:\nTcp: a", Self.netstat, "lo:"),
    ] { #expect(DatagramCounters(snmp: snmp, netstat: netstat, snmp6: "x", dev: dev) == nil) }
  }

  /// The growth of IPv4, IPv6, loopback, segments, and segments of known connections.
  @Test(arguments: [
    // A datagram from outside, alone, with traffic over loopback, and beside connections.
    ([1, 0, 0, 0, 0], true), ([0, 1, 0, 0, 0], true), ([51, 0, 50, 50, 0], true), ([8, 0, 0, 7, 7], true),
    // Multicast and ICMP are subtracted; what remains came by loopback, or for a known connection.
    ([0, 0, 0, 0, 0], false), ([-3, 0, 0, 0, 0], false), ([50, 0, 50, 50, 0], false), ([7, 0, 0, 7, 7], false),
    ([2, 2, 4, 0, 0], false),
    // The kernel joins forty segments of a download before it counts them.
    ([3, 0, 0, 3, 120], false), ([4, 0, 0, 3, 120], true),
    // A connection has ended between the looks: it may have been answered.
    ([5, 0, 0, 5, 0], true),
    // One family's multicast explains nothing of the other.
    ([-9, 1, 0, 0, 0], true),
  ])
  func whatComesFromOutside(_ growth: [Int64], _ isNews: Bool) {
    let before = DatagramCounters(ipv4: 100, ipv6: 100, loopback: 100, segments: 100, explained: 100)
    let after = DatagramCounters(
      ipv4: 100 + growth[0], ipv6: 100 + growth[1], loopback: 100 + growth[2], segments: 100 + growth[3],
      explained: 100 + growth[4])
    #expect(after.hasNewsFromOutside(since: before) == isNews)
    #expect(!DatagramCounters(ipv4: 0).hasNewsFromOutside(since: before))
  }

  @Test func segmentsAreCountedFromLookToLook() {
    func connection(_ cookie: UInt64, _ segments: UInt32) -> TCPConnection {
      let address = AnyIPAddress("198.51.100.1")!
      let id = TCPConnection.ID(
        family: .ipv4, localAddress: address, localPort: 1, remoteAddress: address, remotePort: 2, cookie: cookie)
      var connection = TCPConnection(id: id, state: .established, timer: .none, inode: 1)
      connection.receivedSegments = segments
      return connection
    }
    var received = ReceivedSegments()
    received.note([connection(1, 10), connection(2, .max)])
    let start = received.total
    // One has received five, one has wrapped, and one is new.
    received.note([connection(1, 15), connection(2, 1), connection(3, 4)])
    #expect(received.total - start == 5 + 2 + 4)
    // Another socket with the same addresses, after the first one has ended.
    received.note([connection(3, 4)])
    received.note([connection(1, 1), connection(3, 4)])
    #expect(received.total - start == 12)
  }
}

/// Which sockets may receive datagrams from beyond the routers.
@Suite(.ownThread) struct DatagramSocketTests {
  @Test(arguments: [
    ("0.0.0.0", 51820, nil, true), ("::", 41641, nil, true), ("192.0.2.10", 9000, nil, true),
    ("192.0.2.10", 40000, "198.51.100.1", true), ("::ffff:192.0.2.10", 40000, "::ffff:198.51.100.1", true),
    ("192.0.2.10", 53, "198.51.100.1", true),
    // The local network, this machine, and ports for them.
    ("192.0.2.10", 40000, "192.0.2.1", false), ("127.0.0.1", 40000, "127.0.0.53", false), ("::1", 9000, nil, false),
    ("127.0.0.53", 53, nil, false), ("::ffff:127.0.0.1", 9000, nil, false), ("0.0.0.0", 5353, nil, false),
    ("::", 5353, nil, false), ("0.0.0.0", 68, nil, false), ("0.0.0.0", 1900, nil, false),
  ])
  func whichSocketsHearBeyond(_ local: String, _ port: UInt16, _ remote: String?, _ hears: Bool) {
    let socket = DatagramSocket(
      localAddress: AnyIPAddress(local)!, localPort: port, remoteAddress: remote.map { AnyIPAddress($0)! })
    let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
    #expect(socket.mayHearBeyond { $0.description.hasPrefix("198.") ? router : nil } == hears)
  }
}
