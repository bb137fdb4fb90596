@testable import NetworkPath
import OverlineTestThread
@testable import OverlineTranscripts
import Testing

/// Which of the kernel's sockets tell that data does not leave this machine, and which that it does.
@Suite(.ownThread) struct SendingLookTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let own: Set = [AnyIPAddress("192.0.2.10")!]

  /// A connection that has tried twice to send 100 bytes: at once, after 200 ms and 400 ms more, the last time 1 s ago.
  private static func waiting(
    to remote: String = "198.51.100.1", from local: String = "192.0.2.10",
    _ change: (inout TCPConnection) -> Void = { _ in }
  ) -> TCPConnection {
    let address = AnyIPAddress(remote)!
    let id = TCPConnection.ID(
      family: address.family, localAddress: AnyIPAddress(local)!, localPort: 1, remoteAddress: address, remotePort: 2,
      cookie: UInt64(remote.hashValue.magnitude))
    var socket = TCPConnection(id: id, state: .established, timer: .windowProbe, inode: 4, owner: 1000)
    (socket.unsent, socket.probes, socket.backoff) = (100, 2, 2)
    (socket.segmentSize, socket.window) = (1448, 1448)
    socket.retransmissionTimeout = .milliseconds(200)
    (socket.sentAge, socket.heardAge, socket.acknowledgedBytes) = (.seconds(1), .milliseconds(10), 1000)
    change(&socket)
    if let sentAge = socket.sentAge, socket.expires == .zero {
      socket.expires = max(.zero, min(.milliseconds(200) * (1 << socket.backoff), .seconds(120)) - sentAge)
    }
    return socket
  }

  /// A connection whose data was all acknowledged.
  private static func idle(
    to remote: String = "198.51.100.9", _ change: (inout TCPConnection) -> Void = { _ in }
  ) -> TCPConnection {
    waiting(to: remote) {
      ($0.unsent, $0.probes, $0.backoff, $0.timer, $0.sentAge) = (0, 0, 0, .none, .seconds(20))
      change(&$0)
    }
  }

  private static func look(
    _ sockets: [TCPConnection], _ progress: SendingProgress = SendingProgress(), ended: [EndedConnection] = [],
    at now: Duration = .seconds(100)
  ) -> SendingLook {
    SendingLook(
      sockets, progress, ended: ended, owners: StallOwners(user: 1000), isOwn: { own.contains($0) },
      router: { $0.description.hasPrefix("192.0.2.") ? nil : router }, at: now)
  }

  @Test func unsentDataCountsByHost() {
    let look = Self.look([
      Self.waiting(), Self.waiting(), Self.waiting(to: "::ffff:198.51.100.1", from: "::ffff:192.0.2.10"),
      Self.waiting(to: "198.51.100.2") { $0.state = .closeWait },
    ])
    #expect(look.stalls.count == 4 && Set(look.stalls.map(\.host)).count == 2)
    #expect(look.stalls.allSatisfy { $0.age == .milliseconds(1600) && $0.attemptAge == .seconds(1) })
    // A full queue: the kernel tries again without doubling the pause.
    let full = Self.look([Self.waiting { ($0.probes, $0.backoff) = (50, 1) }])
    #expect(full.stalls == [] && full.doubtful == 1)
    // The pauses are two minutes at most.
    let old = Self.look([Self.waiting { ($0.probes, $0.backoff) = (11, 11) }])
    #expect(old.stalls.map(\.age) == [.milliseconds(204_600 + 120_000 + 1000)])
    // Since Linux 6.15 the limit can be lower.
    let limited = Self.look([Self.waiting { ($0.probes, $0.backoff, $0.expires) = (11, 11, .seconds(9)) }])
    #expect(limited.stalls.map(\.age) == [.milliseconds(12_600 + 5 * 10_000 + 1000)])
    let young = Self.look([Self.waiting { ($0.probes, $0.backoff) = (1, 1) }])
    #expect(young.stalls == [] && young.doubtful == 1 && young.isWaiting)
  }

  @Test(arguments: [
    waiting(to: "192.0.2.20"), waiting(to: "127.0.0.1"), waiting(from: "203.0.113.7"),
    // Of another user, and of no process.
    waiting { $0.owner = 1001 }, waiting { $0.inode = 0 },
    // Sent data waits for an acknowledgement: its connection is of interest to the machine of answers.
    waiting { $0.unacknowledged = 1 }, waiting { $0.timer = .retransmission }, waiting { $0.timer = .none },
    // The other end has no room for a segment.
    waiting { $0.window = 0 }, waiting { $0.window = 1447 },
    // The kernel does not tell.
    waiting { ($0.segmentSize, $0.window) = (0, 0) },
    waiting { $0.unsent = 0 }, waiting { $0.state = .synSent },
  ]) func whatIsNoUnsentData(_ socket: TCPConnection) {
    #expect(!Self.look([socket]).isWaiting)
  }

  @Test func whatWasAcknowledgedHasLeft() {
    #expect(Self.look([Self.waiting(), Self.idle()]).leftAge == .seconds(20))
    // Whatever the user. A packet of the other end is no sign.
    let other = Self.idle { ($0.owner, $0.inode, $0.sentAge, $0.heardAge) = (1001, 0, .seconds(3), .zero) }
    #expect(Self.look([Self.waiting(), other]).leftAge == .seconds(3))
    // A sign of the local network is none, nor is data that nothing has acknowledged.
    let none = [
      Self.idle(to: "192.0.2.20"), Self.idle { $0.unacknowledged = 1 }, Self.idle { $0.unsent = 1 },
      Self.idle { $0.state = .synSent },
    ]
    #expect(Self.look([Self.waiting()] + none).leftAge == nil)
    let ended = [
      EndedConnection(host: AnyIPAddress("192.0.2.20")!, age: .seconds(1)),
      EndedConnection(host: AnyIPAddress("198.51.100.3")!, age: .seconds(5)),
    ]
    #expect(Self.look([Self.waiting(), Self.idle()], ended: ended).leftAge == .seconds(5))
    // Nothing waits, so nothing is to be refuted.
    #expect(Self.look([Self.idle()]) == SendingLook())
  }

  @Test(arguments: [
    // Of another connection that has not finished, and of the waiting one itself.
    (waiting(to: "198.51.100.9") { ($0.acknowledgedBytes, $0.unacknowledged) = (1001, 1) }, true),
    (waiting(to: "198.51.100.9") { $0.unsent = 99 }, true), (waiting(to: "198.51.100.9"), false),
    (waiting(to: "198.51.100.9") { $0.unsent = 101 }, false),
    (waiting(to: "192.0.2.20") { $0.unsent = 1 }, false),
    // A new connection.
    (idle(to: "198.51.100.8") { $0.sentAge = nil }, true),
    (idle(to: "198.51.100.8") { ($0.sentAge, $0.state) = (nil, .synSent) }, false),
  ]) func progressIsASignThatPacketsLeave(_ socket: TCPConnection, _ isSign: Bool) {
    var progress = SendingProgress()
    progress.note(
      [Self.waiting(), Self.waiting(to: "198.51.100.9"), Self.waiting(to: "192.0.2.20")], at: .seconds(100))
    #expect(progress.advanced.isEmpty)
    progress.note([Self.waiting(), socket], at: .seconds(101))
    let look = Self.look([Self.waiting(), socket], progress, at: .seconds(101))
    #expect(look.leftAge == (isSign ? .milliseconds(10) : nil))
  }

  /// Packets of the other end, which it sends again without an acknowledgement, make the kernel count its attempts anew.
  @Test func theAgeOfWaitingDataIsRemembered() {
    var progress = SendingProgress()
    progress.note([Self.waiting { ($0.probes, $0.backoff) = (5, 5) }], at: .seconds(100))
    progress.note([Self.waiting { ($0.probes, $0.backoff) = (0, 0) }], at: .seconds(101))
    let again = Self.waiting { ($0.probes, $0.backoff, $0.sentAge) = (2, 2, .zero) }
    progress.note([again], at: .seconds(102))
    #expect(Self.look([again], progress, at: .seconds(102)).stalls.map(\.age) == [.milliseconds(6200 + 1000 + 2000)])
    // Until some of it has left.
    let less = Self.waiting { $0.unsent = 50 }
    progress.note([less], at: .seconds(103))
    #expect(Self.look([less], progress, at: .seconds(103)).stalls.map(\.age) == [.milliseconds(1600)])
  }

  @Test func countersOfBothFamilies() {
    let snmp = """
      Ip: Forwarding ForwDatagrams OutRequests OutNoRoutes FragOKs FragCreates OutTransmits
      Ip: 2 3 100 4 1 5 90

      """
    let snmp6 = "Ip6OutForwDatagrams 30\nIp6OutRequests 50\nIp6OutNoRoutes 40\nIp6OutTransmits 45\n"
    #expect(
      SendingCounters(snmp: snmp, snmp6: snmp6) == SendingCounters(stopped: 19, forwarded: 33, withoutRoute: 44))
    #expect(SendingCounters(snmp: snmp.replacing("OutTransmits", with: "Other"), snmp6: snmp6) == nil)
  }

  @Test func theWordsOfATranscriptAreReadBack() {
    var look = ConnectionLook(.whole)
    var sending = Self.look([Self.waiting(), Self.waiting(to: "198.51.100.2"), Self.idle()])
    sending.doubtful = 3
    sending.counters = SendingCounters(stopped: -4, forwarded: 5, withoutRoute: 6)
    look.sending = sending
    #expect(ConnectionLook(transcriptWords: look.transcriptWords) == look)
    for word in ["unsent=-1", "unsent=1,2", "unsent=1,2,x", "left=-1", "left=1,2", "sent=1,2", "other=1"] {
      #expect(ConnectionLook(transcriptWords: ["whole", word]) == nil, "\(word)")
    }
  }
}
