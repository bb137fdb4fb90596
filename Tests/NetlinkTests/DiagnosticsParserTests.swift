@testable import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The kernel's messages about sockets, byte by byte.
@Suite(.ownThread) struct DiagnosticsParserTests: ~Copyable {
  private typealias Bytes = MessageBytes
  private let memory = GuardedMemory(capacity: 4096)

  /// `struct inet_diag_msg` of a socket to 198.51.100.1, with 1.5 s until its retransmission timer expires.
  private static func header(family: UInt8 = 2, state: UInt8 = 1, timer: UInt8 = 1) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: 12)
    return [family, state, timer, 3, 0xc0, 0x01, 0, 22] + [192, 0, 2, 2] + padding + [198, 51, 100, 1] + padding
      + Bytes.bytes(UInt32(0)) + Bytes.bytes(UInt32(5)) + Bytes.bytes(UInt32(6)) + Bytes.bytes(UInt32(1500))
      + Bytes.bytes(UInt32(0)) + Bytes.bytes(UInt32(9)) + Bytes.bytes(UInt32(1000)) + Bytes.bytes(UInt32(4711))
  }

  /// The first bytes of `struct tcp_info`: three retransmissions, a timeout of 1.6 s, two segments; data came 9 s ago, and an
  /// acknowledgement 7 s ago.
  private static let info: [UInt8] =
    [1, 4, 3, 0, 3, 0, 0, 0] + Bytes.bytes(UInt32(1_600_000)) + [UInt8](repeating: 0, count: 12)
    + Bytes.bytes(UInt32(2)) + [UInt8](repeating: 0, count: 24) + Bytes.bytes(UInt32(9000))
    + Bytes.bytes(UInt32(7000)) + [UInt8](repeating: 0, count: 44)

  private func parse(_ body: [UInt8]) -> TCPConnection? {
    memory.holding(Bytes.message(20, body)) { bytes in
      var found: TCPConnection?
      MessageParser.forEach(in: bytes) { found = MessageParser.connection($0) }
      return found
    }
  }

  @Test func aStalledConnection() throws {
    let found = try #require(parse(Self.header() + Bytes.attribute(2, Self.info)))
    #expect(
      found.id
        == TCPConnection.ID(
          family: .ipv4, localAddress: AnyIPAddress("192.0.2.2")!, localPort: 0xc001,
          remoteAddress: AnyIPAddress("198.51.100.1")!, remotePort: 22, cookie: 5 | 6 << 32))
    #expect(
      found.inode == 4711 && found.owner == 1000 && found.retransmits == 3 && found.backoff == 3
        && found.unacknowledged == 2)
    #expect(found.receivedSegments == 0)
    // 200, 400 and 800 ms have passed, and 100 ms of 1600.
    #expect(found.stallAge == .milliseconds(1500) && found.heardAge == .seconds(7))
    // Before the first answer the kernel's number is the machine's uptime.
    #expect(parse(Self.header(state: 2) + Bytes.attribute(2, Self.info))?.heardAge == nil)
  }

  @Test func theTimesOfTimeouts() throws {
    var info = Self.info + [UInt8](repeating: 0, count: 248 - Self.info.count)
    for (offset, number) in [(68, 30_000), (72, 5000), (244, 1400)] {
      info.replaceSubrange(offset..<offset + 4, with: Bytes.bytes(UInt32(number)))
    }
    let found = try #require(parse(Self.header() + Bytes.attribute(2, info)))
    #expect(found.smoothedRoundTrip == .milliseconds(30) && found.roundTripVariation == .milliseconds(20))
    #expect(found.timeoutTime == .milliseconds(1400))
    #expect(try #require(parse(Self.header() + Bytes.attribute(2, Array(info.prefix(247))))).timeoutTime == nil)
  }

  @Test func theSegmentsThatCame() throws {
    let info = Self.info + [UInt8](repeating: 0, count: 140 - Self.info.count) + Bytes.bytes(UInt32(77))
    #expect(try #require(parse(Self.header() + Bytes.attribute(2, info))).receivedSegments == 77)
    #expect(try #require(parse(Self.header(state: 10) + Bytes.attribute(2, info))).receivedSegments == 0)
  }

  /// Sockets for datagrams, connected and not, and what is left of a connection that was closed.
  @Test func otherSockets() {
    func socket(_ body: [UInt8]) -> DatagramSocket? {
      memory.holding(Bytes.message(20, body)) { bytes in
        var found: DatagramSocket?
        MessageParser.forEach(in: bytes) { found = MessageParser.datagramSocket($0) }
        return found
      }
    }
    func closed(_ body: [UInt8]) -> EndedConnection? {
      memory.holding(Bytes.message(20, body)) { bytes in
        var found: EndedConnection?
        MessageParser.forEach(in: bytes) { found = MessageParser.closedConnection($0) }
        return found
      }
    }
    let local = AnyIPAddress("192.0.2.2")!
    let remote = AnyIPAddress("198.51.100.1")!
    #expect(
      socket(Self.header()) == DatagramSocket(localAddress: local, localPort: 0xc001, remoteAddress: remote))
    #expect(closed(Self.header()) == nil)
    #expect(
      closed(Self.header(state: 6, timer: 3)) == EndedConnection(host: remote, age: .milliseconds(58_500)))
    var unconnected = Self.header(state: 7)
    (unconnected[6], unconnected[7]) = (0, 0)
    #expect(socket(unconnected) == DatagramSocket(localAddress: local, localPort: 0xc001))
  }

  /// Ports, addresses, interface and cookie.
  @Test func anIDGoesBackAsItCame() throws {
    var id = try #require(parse(Self.header())).id
    #expect(withUnsafeBytes(of: id.kernelID) { $0.elementsEqual(Self.header()[4..<52]) })
    id.family = .ipv6
    id.remoteAddress = try #require(AnyIPAddress("2001:db8::7"))
    let zeros = [UInt8](repeating: 0, count: 11)
    #expect(withUnsafeBytes(of: id.kernelID) { $0[20..<36].elementsEqual([0x20, 1, 0xd, 0xb8] + zeros + [7]) })
  }

  @Test func anythingElseHasNotStalled() throws {
    let attribute = Bytes.attribute(2, Self.info)
    // No answer yet to the first segment, a closed window, an idle connection.
    for header in [Self.header(state: 2), Self.header(timer: 4), Self.header(timer: 0)] {
      #expect(try #require(parse(header + attribute)).stallAge == nil)
    }
    // Without the values of TCP, and with only some of them.
    #expect(try #require(parse(Self.header())).stallAge == nil)
    #expect(try #require(parse(Self.header() + Bytes.attribute(2, Array(Self.info.prefix(24))))).stallAge == nil)
    #expect(try #require(parse(Self.header(state: 10) + attribute)).unacknowledged == 0)
  }

  @Test func damagedMessagesGiveNoValue() {
    let whole = Self.header() + Bytes.attribute(2, Self.info)
    for length in 0..<72 { #expect(parse(Array(whole.prefix(length))) == nil) }
    for length in 72..<whole.count { #expect(parse(Array(whole.prefix(length)))?.stallAge == nil) }
    #expect(parse(Self.header(family: 3)) == nil && parse(Self.header(state: 13)) == nil)
  }

  /// A timer that has expired, and a kernel whose remaining time is negative.
  @Test func theAgeIsNeverNegative() throws {
    var connection = try #require(parse(Self.header() + Bytes.attribute(2, Self.info)))
    connection.expires = .zero
    #expect(connection.stallAge == .seconds(3))
    connection.expires = .milliseconds(Int64(UInt32.max))
    #expect(connection.stallAge == .milliseconds(1400))
    connection.backoff = 255
    #expect(connection.stallAge! <= .milliseconds(1600))
  }

  // MARK: - Dumps

  /// Reads messages whose sequence number is 1, as the answers to question `sequence`.
  private func read(_ messages: [[UInt8]], of sequence: UInt32 = 1) -> (AnswerReading, found: Int) {
    var reading = AnswerReading(of: sequence)
    var found = 0
    for bytes in messages {
      memory.holding(bytes) { datagram in
        MessageParser.forEach(in: datagram) { message in
          reading.read(message) {
            if MessageParser.connection($0) != nil { found += 1 }
            return false
          }
        }
      }
    }
    return (reading, found)
  }

  private static let one = Bytes.message(20, header())
  private static func done(_ code: Int32 = 0) -> [UInt8] { Bytes.message(3, flags: 2, Bytes.bytes(code)) }

  @Test func aDumpEndsWithItsLastMessage() {
    let (whole, found) = read([Self.one + Self.one, Self.done(), Self.one])
    #expect(whole.isDone && whole.outcome == .answered && found == 2)
    let (rest, none) = read([Self.one, Self.done()], of: 2)
    #expect(!rest.isDone && none == 0)
    #expect(!read([Self.one]).0.isDone)
  }

  /// `NLM_F_DUMP_INTR` in any part.
  @Test func anInterruptedDumpIsIncomplete() {
    for messages in [
      [Bytes.message(20, flags: 0x12, Self.header()), Self.done()],
      [Self.one, Bytes.message(3, flags: 0x12, Bytes.bytes(Int32(0)))],
    ] { #expect(read(messages).0.outcome == .incomplete) }
    var lost = read([Self.one]).0
    lost.noteLoss()
    #expect(lost.outcome == .incomplete && !lost.isDone)
  }

  @Test func aRefusalHasItsReason() {
    #expect(read([Self.done(-2)]).0.outcome == .refused(2))
    let refusal = read([Bytes.message(2, Bytes.bytes(Int32(-2)) + [UInt8](repeating: 0, count: 16))]).0
    #expect(refusal.isDone && refusal.outcome == .refused(2))
  }
}
