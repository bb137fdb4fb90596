@testable import NetworkPath
@testable import OverlineTranscripts
import OverlineTestThread
import Testing

/// Which of the kernel's sockets tell something about the routers of the path.
@Suite(.ownThread) struct ConnectionLookTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let owners = StallOwners(user: 1000)
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
    _ sockets: TCPConnection..., stamped: [EndedConnection] = [], ended: [EndedConnection] = []
  ) -> ConnectionLook {
    ConnectionLook(
      sockets, ended: ended, stamped: stamped, depth: .thorough, owners: owners, isOwn: { own.contains($0) },
      router: { $0.description.hasPrefix("192.0.2.") ? nil : router })
  }

  /// A VPN comes up: old connections leave into its tunnel with the address of the link under it, and get no answer there.
  @Test func aConnectionOutOfPlaceIsNoStall() {
    var tables = NetworkTables()
    for (index, name, kind) in [(1, "lo", ""), (2, "eth0", ""), (3, "tun0", "tun"), (4, "dummy0", "dummy")] {
      tables.apply(
        .linkChanged(
          LinkChange(index: index, flags: index == 1 ? 0x11049 : 0x11043, name: name, operationalState: .up, kind: kind)
        ))
    }
    for (index, text) in [(1, "203.0.113.1"), (2, "192.0.2.10"), (3, "10.8.0.2"), (4, "203.0.113.2")] {
      tables.apply(
        .addressChanged(InterfaceAddress(key: .init(index: index, address: AnyIPAddress(text)!, prefixLength: 24))))
    }
    func isInPlace(_ local: String, bound: UInt32 = 0) -> Bool {
      tables.isInPlace(
        TCPConnection.ID(
          family: .ipv4, localAddress: AnyIPAddress(local)!, localPort: 1, remoteAddress: AnyIPAddress("198.51.100.1")!,
          remotePort: 2, interface: bound, cookie: 3), leg: RouteMatch.Leg(interface: 3))
    }
    #expect(!isInPlace("192.0.2.10") && isInPlace("10.8.0.2") && isInPlace("192.0.2.99"))
    #expect(isInPlace("203.0.113.1") && isInPlace("203.0.113.2"))
    #expect(!isInPlace("10.8.0.2", bound: 2) && isInPlace("10.8.0.2", bound: 3))
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
    #expect(Self.look(socket, stamped: near).heardAge == .seconds(20))
    let far = near + [ended("198.51.100.9", 4), ended("198.51.100.8", 5)]
    #expect(Self.look(socket, stamped: far).heardAge == .seconds(4))
    #expect(Self.look(socket, ended: far).heardAge == .seconds(4))
    #expect(Self.look(socket, stamped: [ended("198.51.100.9", 30)]).heardAge == .seconds(20))
    #expect(Self.look(stamped: [ended("198.51.100.9", 30)]).heardAge == .seconds(30))
  }

  /// The kernel stamps a host when a program closes a connection in FIN_WAIT2. No packet has come then.
  @Test func theStampOfAHalfClosedConnectionIsNoSignOfLife() {
    let stamps = ["198.51.100.1", "198.51.100.2"].map { EndedConnection(host: AnyIPAddress($0)!, age: .seconds(4)) }
    let halfClosed = [
      Self.socket(to: "::ffff:198.51.100.1", from: "::ffff:192.0.2.10", state: .finWait2, heard: 50),
      Self.socket(to: "198.51.100.2", state: .finWait2, heard: 50),
    ]
    let both = Self.look(halfClosed[0], halfClosed[1], stamped: stamps)
    #expect(both.heardAge == .seconds(50) && both.halfClosedAge == .seconds(4))
    #expect(Self.look(halfClosed[0], stamped: stamps).heardAge == .seconds(4))
    // One that the other end has closed ended by a packet.
    #expect(Self.look(halfClosed[0], halfClosed[1], ended: stamps).heardAge == .seconds(4))
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
    #expect(Self.look(socket) == ConnectionLook(.thorough))
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

  /// How the kernel counts, and what it tells besides.
  struct Doubling: CustomStringConvertible {
    var description: String
    /// The first timeout.
    var first = Duration.milliseconds(204)
    var limit = Duration.seconds(120)
    var countsTime = true
    /// The time of earlier timeouts.
    var earlier = Duration.zero
    var tolerance = Duration.zero
  }

  /// A host stops answering for good, and the kernel sends again: the stall lasts, and its age grows with the time.
  @Test(arguments: [
    Doubling(description: "old kernel", countsTime: false), Doubling(description: "kernel that counts the time"),
    Doubling(description: "far host", first: .milliseconds(700), countsTime: false),
    Doubling(description: "lower limit", limit: .seconds(10)),
    Doubling(description: "lower limit, earlier timeouts", limit: .seconds(1), earlier: .seconds(1000)),
    Doubling(description: "shorter first timeout", first: .milliseconds(5), tolerance: .milliseconds(200)),
  ])
  func aStallLastsAtEachBackoff(_ kernel: Doubling) {
    var age = Duration.zero
    var timeout = kernel.first
    for backoff in 1...15 {
      age += timeout
      timeout = min(timeout * 2, kernel.limit)
      var socket = Self.socket(to: "198.51.100.1", retransmits: backoff)
      socket.retransmissionTimeout = timeout
      (socket.smoothedRoundTrip, socket.roundTripVariation) = (.milliseconds(4), kernel.first - .milliseconds(4))
      if kernel.countsTime { socket.timeoutTime = kernel.earlier + age - kernel.first }
      for passed in [.zero, timeout / 2, timeout] {
        socket.expires = timeout - passed
        socket.timeoutTime = socket.timeoutTime.map { _ in kernel.earlier + age - kernel.first + passed }
        // The last answer came one second before the first segment that was lost.
        socket.heardAge = age + passed + .seconds(1)
        guard backoff >= 2 else { continue }
        let found = socket.stallAge ?? .zero
        #expect(found >= age + passed && found <= age + passed + kernel.tolerance, "\(backoff)")
        #expect(Self.look(socket).stalls.count == 1, "\(backoff)")
      }
    }
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

  /// Another user can make connections stall through a healthy router. Whatever they receive is a sign of life all the same.
  @Test(arguments: [
    (1000, true), (0, true), (999, true), (61184, true), (65519, true), (1001, false), (61183, false), (65534, false),
  ])
  func whoseStallsCount(_ owner: UInt32, _ counts: Bool) {
    var stall = Self.socket(to: "198.51.100.1", heard: 7, retransmits: 3)
    var doubt = Self.socket(to: "198.51.100.2", retransmits: 1)
    var new = Self.socket(to: "198.51.100.3", state: .synSent, retransmits: 5)
    (stall.owner, doubt.owner, new.owner) = (owner, owner, owner)
    let look = Self.look(stall, doubt, new)
    #expect(look.count == 3 && look.heardAge == .seconds(7))
    #expect(look.stalls.count == (counts ? 1 : 0) && look.doubtful == (counts ? 1 : 0))
    #expect(look.connecting == (counts ? 1 : 0) && look.overdue == (counts ? 1 : 0))
    // The kernel does not know whose closed socket it is.
    (stall.inode, doubt.inode, new.inode) = (0, 0, 0)
    let closed = Self.look(stall, doubt, new)
    #expect(closed.count == 3 && closed.stalls.isEmpty && closed.doubtful == 0 && closed.connecting == 0)
  }

  /// Another user's dead hosts do not use up the look-ups.
  @Test func theStallsThatCountComeFirst() {
    let others = (0..<1000).map { number -> TCPConnection in
      var socket = Self.socket(to: "203.0.\(number / 250).\(number % 250)", heard: 1, retransmits: 4)
      socket.owner = 1001
      return socket
    }
    let look = ConnectionLook(
      others + [Self.socket(to: "198.51.100.1", retransmits: 2)], depth: .whole, owners: Self.owners,
      isOwn: { _ in true }, router: { _ in Self.router })
    #expect(look.stalls.count == 1)
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
      sockets, depth: .whole, owners: Self.owners, isOwn: { Self.own.contains($0) },
      router: { $0.description.hasPrefix("192.0.2.") ? nil : Self.router }, stalled: { named.append("\($0) \($1)") })
    #expect(named.sorted() == ["198.51.100.1 2", "198.51.100.2 2"])
  }

  @Test func aRecordingHoldsItWithoutAddresses() {
    var look = Self.look(
      Self.socket(to: "198.51.100.1", retransmits: 2), Self.socket(to: "198.51.100.2", heard: 0.5),
      Self.socket(to: "198.51.100.3", state: .synSent, retransmits: 1), Self.socket(to: "198.51.100.4", retransmits: 1))
    look.counters = DatagramCounters(ipv4: 1, ipv6: 2, loopback: 3, segments: 4, explained: 5)
    look.baseline = DatagramCounters(ipv4: 6, ipv6: 7, loopback: 8, segments: 9, explained: 10)
    look.mayHearDatagrams = true
    look.cost = .microseconds(7)
    look.halfClosedAge = .seconds(9)
    look.overdue = 1
    look.routers = [Self.router: .milliseconds(70)]
    let words = look.transcriptWords
    #expect(ConnectionLook(transcriptWords: words) == look && !words.contains { $0.contains("198.51.100") })
    for damaged in [["count"], ["count=x"], ["stall=1,2"], ["counters=1,2,x"], ["router=1,2,3"], ["heard="], ["x=1"]] {
      #expect(ConnectionLook(transcriptWords: damaged) == nil, "\(damaged)")
    }
    #expect(look.words == "4 by this path, 1 to 1 host without an answer, for 0 s")
    for depth in [ConnectionLook.Depth.followed, .whole] {
      #expect(ConnectionLook(transcriptWords: ConnectionLook(depth).transcriptWords) == ConnectionLook(depth))
    }
  }

  /// Datagrams, packets by loopback, and what loopback carried besides datagrams.
  @Test func aRecordingOf02IsRead() throws {
    let before = try #require(ConnectionLook(transcriptWords: ["whole", "counters=10,20,30"]))
    #expect(before.depth == .thorough && before.mayHearDatagrams)
    for (words, isNews) in [
      ("counters=11,20,30", true), ("counters=11,21,30", false), ("counters=12,25,34", true),
      ("counters=10,20,99", false),
    ] {
      let after = try #require(ConnectionLook(transcriptWords: ["whole", words]))
      #expect(try #require(after.counters).hasNewsFromOutside(since: #require(before.counters)) == isNews, "\(words)")
    }
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
      many + [Self.socket(to: "203.0.113.1", retransmits: 2)], depth: .whole, owners: Self.owners, isOwn: { _ in true },
      router: { _ in
        asked += 1
        return asked < 100 ? Self.router : nil
      })
    #expect(asked == ConnectionLook.maximumHostCount && look.stalls.count == 1 && look.heardAge == .seconds(2))
    let unknown = ConnectionLook(many, depth: .whole, owners: Self.owners, isOwn: { _ in true }, router: { _ in nil })
    #expect(unknown.count == 0 && (unknown.heardAge ?? .zero) > .milliseconds(2255))
  }
}
