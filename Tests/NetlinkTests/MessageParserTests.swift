@testable import NetworkPath
import OverlineTestSupport
import OverlineTestThread
@testable import OverlineTranscripts
import Testing

/// The parser's result for bytes that no sane kernel sends: a value or nothing, and never a byte from beyond the end.
@Suite(.ownThread) struct MessageParserTests: ~Copyable {
  private typealias Bytes = MessageBytes

  /// The parsed content of one datagram.
  private struct Said: Equatable {
    var events: [KernelEvent] = []
    var routes: [RouteMatch] = []
    var legs: [RouteMatch.Leg] = []
    var members: [[UInt32]] = []
    var marks: [UInt32] = []
    var errors: [Int32] = []
  }

  private let memory = GuardedMemory(capacity: 128 * 1024)

  /// Parses bytes at the end of a page, where reading further ends the process.
  private func parse(_ datagram: [UInt8]) -> Said {
    memory.holding(datagram) { bytes in
      var said = Said()
      MessageParser.forEach(in: bytes) { message in
        if let event = MessageParser.event(message) { said.events.append(event) }
        if let route = MessageParser.route(message) { said.routes.append(route.match) }
        switch MessageParser.nexthop(message) {
        case .leg(let leg): said.legs.append(leg)
        case .group(let members): said.members.append(members)
        case nil: break
        }
        if let mark = MessageParser.mark(message) { said.marks.append(mark) }
        if let error = MessageParser.error(message) { said.errors.append(error.code) }
      }
      return said
    }
  }

  private func link(_ attributes: [UInt8]) -> LinkChange? {
    guard
      case .linkChanged(let change) = parse(Bytes.message(Bytes.newLink, Bytes.linkHeader() + attributes)).events.first
    else { return nil }
    return change
  }

  private func legs(_ multipath: [UInt8]) -> [RouteMatch.Leg]? {
    parse(Bytes.message(Bytes.newRoute, Bytes.routeHeader() + Bytes.attribute(9, multipath))).routes.first?.legs
  }

  @Test func completeMessagesAreParsed() throws {
    let said = parse(Bytes.all.flatMap { $0 })
    let index = 7
    #expect(
      said.events == [
        .linkChanged(
          LinkChange(
            index: index, flags: 0x1_1043, name: "eth0", operationalState: .up, kind: "vlan", lowerIndex: 3,
            masterIndex: 4, isLowerElsewhere: false, hasParentDevice: false)),
        .addressChanged(
          InterfaceAddress(
            key: .init(
              index: index, address: try #require(AnyIPAddress("192.0.2.2")), prefixLength: 24,
              peer: AnyIPAddress("192.0.2.9")),
            flags: 0x200)),
      ] + Array(repeating: .routingChanged, count: 5))
    let gateway = AnyIPAddress("192.0.2.1")
    #expect(
      said.routes.prefix(1).map(\.legs) == [
        [.init(interface: 7, gateway: gateway), .init(interface: 8, gateway: AnyIPAddress("fe80::1"), flags: 16)]
      ])
    #expect(said.legs == [.init(interface: 7, gateway: gateway)])
    #expect(said.members == [[11, 12]])
    #expect(said.marks == [0xca6c])
    #expect(said.errors == [101])
  }

  // MARK: Further attributes of routes

  private func route(_ attributes: [UInt8]) -> RouteMatch? {
    parse(Bytes.message(Bytes.newRoute, Bytes.routeHeader() + attributes)).routes.first
  }

  /// `struct rta_cacheinfo`, of 32 bytes.
  private func cacheInfo(expires: Int32) -> [UInt8] {
    [UInt8](repeating: 0, count: 8) + Bytes.bytes(expires) + [UInt8](repeating: 0, count: 20)
  }

  @Test func theTableIsTheAttributesAndElseTheHeaders() {
    #expect(route([])?.table == RouteMatch.mainTable)
    #expect(route(Bytes.attribute(15, Bytes.bytes(UInt32(51820))))?.table == 51820)
    #expect(route(Bytes.attribute(15, [1, 2]))?.table == RouteMatch.mainTable)
  }

  /// In hundredths of a second; an expired lifetime is nil, as an unlimited one.
  @Test func theLifetimeIsWhatIsLeft() {
    #expect(route([])?.lifetime == nil)
    for (expires, lifetime) in [
      (180_000, Duration.seconds(1800)), (1, .milliseconds(10)), (Int32.max, .milliseconds(21_474_836_470)), (0, nil),
      (-5, nil), (.min, nil),
    ] as [(Int32, Duration?)] {
      #expect(route(Bytes.attribute(12, cacheInfo(expires: expires)))?.lifetime == lifetime)
    }
    #expect(route(Bytes.attribute(12, Array(cacheInfo(expires: 100).dropLast())))?.lifetime == nil)
  }

  @Test func theLinkOfAVXLANIsAmongItsOwnAttributes() {
    func information(_ kind: String) -> [UInt8] {
      Bytes.attribute(
        18 | 0x8000,
        Bytes.attribute(1, Array(kind.utf8) + [0])
          + Bytes.attribute(2 | 0x8000, Bytes.attribute(3, Bytes.bytes(UInt32(3)))))
    }
    #expect(link(information("vxlan"))?.lowerIndex == 3)
    #expect(link(information("vxlan") + Bytes.attribute(16, [6]))?.lowerIndex == 3)
    #expect(link(information("vlan") + Bytes.attribute(16, [6]))?.lowerIndex == 0)
    #expect(link(Bytes.attribute(18 | 0x8000, Bytes.attribute(1, Array("vxlan".utf8) + [0])))?.lowerIndex == nil)
  }

  // MARK: Wrong lengths

  @Test(arguments: MessageBytes.all)
  func aDatagramThatIsCutShortSaysNothing(_ whole: [UInt8]) {
    for count in 0..<whole.count { #expect(parse(Array(whole[..<count])) == Said()) }
  }

  /// The header has the cut length: the rest of the message may parse, the bytes beyond are ignored.
  @Test(arguments: MessageBytes.all)
  func aMessageOfAnyLengthIsReadToItsEndOnly(_ whole: [UInt8]) {
    for count in 16..<whole.count { _ = parse(Bytes.bytes(UInt32(count)) + whole[4..<count]) }
  }

  @Test(arguments: [0, 1, 15, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff])
  func aLengthThatCannotBeEndsTheDatagram(_ length: Int) {
    let liar = Bytes.message(Bytes.newLink, Bytes.linkHeader(), length: length)
    #expect(parse(liar + Bytes.address) == Said())
    #expect(parse(Bytes.address + liar).events.count == 1)
  }

  /// Four bytes of padding are counted from the length; the datagram may end before them.
  @Test(arguments: 1...3)
  func aLastMessageWithoutPaddingIsTheLast(_ excess: Int) {
    #expect(parse(Bytes.address + Bytes.message(3, [UInt8](repeating: 0, count: excess))).events.count == 1)
  }

  @Test func whatFollowsAMalformedMessageIsRead() {
    let short = Bytes.message(Bytes.newLink, [0, 0, 1, 0])
    let empty = Bytes.message(Bytes.newAddress, [])
    let strange = Bytes.message(0xffff, [UInt8](repeating: 0xff, count: 400))
    let names = Bytes.message(Bytes.newLink, Bytes.linkHeader() + Bytes.attribute(3, [65], length: 3))
    #expect(parse(short + empty + strange + names + Bytes.address).events.count == 2)
  }

  // MARK: Attributes

  @Test(arguments: [0, 1, 2, 3, 0x7fff, 0xffff])
  func anAttributeThatLiesAboutItsLengthEndsTheMessage(_ length: Int) throws {
    let change = try #require(link(Bytes.attribute(3, Array("eth0".utf8), length: length) + Bytes.attribute(16, [6])))
    #expect(change.name == nil)
    #expect(change.operationalState == nil)
  }

  @Test func anAttributeThatRunsIntoTheNextTakesItsBytesOnce() throws {
    let change = try #require(link(Bytes.attribute(3, Array("eth0".utf8), length: 16) + Bytes.attribute(16, [6])))
    #expect(change.name == "eth0\u{5}")
    #expect(change.operationalState == nil)
  }

  /// The last one without its padding: the next would begin beyond the end.
  @Test(arguments: 1...3)
  func aLastAttributeWithoutPaddingIsTheLast(_ count: Int) throws {
    let name = Array("eth"[..<"eth".index("eth".startIndex, offsetBy: count)].utf8)
    let change = try #require(link(Bytes.attribute(16, [6]) + Bytes.attribute(3, name)[..<(4 + count)]))
    #expect(change.name == String(decoding: name, as: UTF8.self))
  }

  @Test func valuesThatAreTooShortCountAsMissing() throws {
    let attributes =
      Bytes.attribute(16, []) + Bytes.attribute(5, [1, 2, 3]) + Bytes.attribute(10, []) + Bytes.attribute(18, [])
    let change = try #require(link(attributes))
    #expect(
      change.operationalState == nil && change.lowerIndex == nil && change.masterIndex == nil && change.kind == nil)
    for count in [0, 1, 3, 5, 15, 17] {
      let address = Bytes.attribute(2, [UInt8](repeating: 1, count: count))
      #expect(parse(Bytes.message(Bytes.newAddress, Bytes.addressHeader() + address)).events.isEmpty)
    }
  }

  @Test func anAddressOfTheOtherFamilyIsNone() {
    let body = Bytes.addressHeader(family: 10) + Bytes.attribute(2, [192, 0, 2, 2])
    #expect(parse(Bytes.message(Bytes.newAddress, body)).events.isEmpty)
  }

  @Test func unknownAttributesAndStatesAreNoHindrance() throws {
    let change = try #require(
      link(
        Bytes.attribute(0x3fff, [1, 2, 3]) + Bytes.attribute(0, []) + Bytes.attribute(16, [200])
          + Bytes.attribute(3, Array("eth0".utf8))))
    #expect(change.name == "eth0")
    #expect(change.operationalState == .unknown)
  }

  @Test func whatIsNestedWronglyIsMissing() throws {
    let inside = Bytes.attribute(1, Array("vlan".utf8), length: 200)
    #expect(try #require(link(Bytes.attribute(18, inside))).kind == nil)
    // Not nested at all: a kind's number is another attribute's outside.
    #expect(try #require(link(Bytes.attribute(1, Array("vlan".utf8)))).kind == nil)
    // Attributes nested to the end of the message: only the first level is parsed.
    let deep = (0..<1000).reduce([UInt8]()) { inner, _ in Bytes.attribute(18, inner) }
    #expect(try #require(link(deep)).kind == nil)
  }

  @Test func namesNeedNoFinalZeroAndNoMeaning() throws {
    func name(_ bytes: [UInt8]) throws -> String? { try #require(link(Bytes.attribute(3, bytes))).name }
    #expect(try name(Array("eth0".utf8)) == "eth0")
    #expect(try name([]) == "")
    #expect(try name([0, 65]) == "")
    #expect(try name([0xff, 65, 0xc3]) == "\u{fffd}A\u{fffd}")
    #expect(try name([UInt8](repeating: 65, count: 60_000))?.utf8.count == 60_000)
  }

  // MARK: Multipath routes

  @Test(arguments: [0, 1, 7, 17, 0xffff])
  func aLegThatLiesAboutItsLengthIsTheEndOfTheLegs(_ length: Int) throws {
    let good = Bytes.leg(7, Bytes.attribute(5, [192, 0, 2, 1]))
    let liar = Bytes.leg(8, Bytes.attribute(5, [1, 1, 1, 1]), length: length)
    #expect(try #require(legs(good + liar)).map(\.interface) == [7])
  }

  @Test func legsWithoutAttributesOrWithoutPaddingAreLegs() throws {
    #expect(try #require(legs([])).isEmpty)
    #expect(try #require(legs(Bytes.leg(7) + Bytes.leg(-1))).map(\.interface) == [7, -1])
    // The second's attributes end in the middle of one.
    let cut = Bytes.leg(8, Array(Bytes.attribute(5, [192, 0, 2, 1])[..<7]))
    let found = try #require(legs(Bytes.leg(7) + cut))
    #expect(found.map(\.gateway) == [nil, nil])
    // RTA_VIA without an address, and with half a one.
    for count in 0...5 {
      let via = Bytes.attribute(18, [UInt8](repeating: 2, count: count))
      #expect(try #require(legs(Bytes.leg(7, via))).map(\.gateway) == [nil])
    }
  }

  /// A group is a list of 8 bytes each; remaining bytes are no member.
  @Test(arguments: 0...17)
  func aGroupOfAnyLengthHasWholeMembers(_ count: Int) {
    let group = Bytes.attribute(2, [UInt8](repeating: 1, count: count))
    let said = parse(Bytes.message(Bytes.newNexthop, Bytes.nexthopHeader() + group))
    #expect(said.members.map(\.count) == [count / 8])
  }

  @Test func aRuleThatIsCutShortHasNoMark() {
    for count in 0...15 { #expect(parse(Bytes.message(Bytes.newRule, Array(Bytes.rule[16..<16 + count]))).marks == []) }
  }

  // MARK: What a recording keeps

  /// Of whole and of broken messages: a replay reads what the watcher has read. libnl refuses an address for an attribute that a recording
  /// leaves out, so a broken address may be read.
  @Test(arguments: MessageBytes.all)
  func aRecordingKeepsWhatIsParsed(_ whole: [UInt8]) {
    for place in whole.indices {
      for value in whole == Bytes.address
        ? [whole[place]] : [whole[place], whole[place] ^ 1, whole[place] ^ 4, 0, 0xff]
      {
        var message = whole
        message[place] = value
        let datagram = message + Bytes.address
        let kept = parse(RecordedMessages.kept(of: datagram))
        #expect(kept == parse(datagram), "byte \(place) is \(value)")
      }
    }
    for count in 0..<whole.count { #expect(parse(RecordedMessages.kept(of: Array(whole[..<count]))) == Said()) }
  }

  /// Every attribute that the kernel has or will have, in each kind of message.
  @Test func aRecordingKeepsNoOtherText() {
    let secret = Array("Line 4711, Dr. Meier".utf8)
    let headers: [(type: UInt16, header: [UInt8], kept: Set<UInt16>)] = [
      // IFLA_IFNAME, LINK, MASTER, OPERSTATE and LINK_NETNSID.
      (Bytes.newLink, Bytes.linkHeader(), [3, 5, 10, 16, 37]), (17, Bytes.linkHeader(), []),
      // IFA_ADDRESS, LOCAL and FLAGS.
      (Bytes.newAddress, Bytes.addressHeader(), [1, 2, 8]), (21, Bytes.addressHeader(), [1, 2, 8]),
      // RTA_DST, OIF, GATEWAY, PREFSRC, CACHEINFO, TABLE, VIA and NH_ID.
      (Bytes.newRoute, Bytes.routeHeader(), [1, 4, 5, 7, 12, 15, 18, 30]), (25, Bytes.routeHeader(), []),
      // NHA_GROUP, OIF and GATEWAY; FRA_FWMARK; NDA_DST and CACHEINFO.
      (Bytes.newNexthop, Bytes.nexthopHeader(), [2, 5, 6]), (Bytes.newRule, [UInt8](repeating: 0, count: 12), [10]),
      (28, [UInt8](repeating: 0, count: 12), [1, 3]),
      (Bytes.error, [UInt8](repeating: 0, count: 20), []), (80, [UInt8](repeating: 0, count: 4), []),
    ]
    for (type, header, kept) in headers {
      for attribute in UInt16(0)..<1024 {
        let recorded = RecordedMessages.kept(of: Bytes.message(type, header + Bytes.attribute(attribute, secret)))
        #expect(recorded.contains(secret) == kept.contains(attribute), "attribute \(attribute) of message \(type)")
      }
    }
    // The settings of a tunnel, and an attribute of a route's leg.
    let settings = Bytes.attribute(1, Array("gre".utf8) + [0]) + Bytes.attribute(2, Bytes.attribute(3, secret))
    let link = Bytes.message(Bytes.newLink, Bytes.linkHeader() + Bytes.attribute(18, settings))
    #expect(!RecordedMessages.kept(of: link).contains(secret))
    let legs = Bytes.attribute(9, Bytes.leg(7, Bytes.attribute(22, secret)))
    #expect(!RecordedMessages.kept(of: Bytes.message(Bytes.newRoute, Bytes.routeHeader() + legs)).contains(secret))
  }

  // MARK: Arbitrary bytes

  @Test func anErrorOfAnyNumberIsAnError() {
    for number in [Int32.min, -1, 0, Int32.max] {
      #expect(
        parse(Bytes.message(Bytes.error, Bytes.bytes(number) + [UInt8](repeating: 0, count: 16))).errors.count == 1)
    }
    #expect(parse(Bytes.message(Bytes.error, Bytes.bytes(Int32(-101)))).errors.isEmpty)
  }

  /// Every byte of every message, with every bit flipped and at its extremes.
  @Test(arguments: MessageBytes.all)
  func noBrokenByteCrashesTheParser(_ whole: [UInt8]) {
    let tail = Bytes.address
    for place in whole.indices {
      for value in (0..<8).map({ whole[place] ^ (1 << $0) }) + [0, 1, 3, 5, 0x7f, 0xff] {
        var broken = whole
        broken[place] = value
        // At the end of readable memory, and with bytes after it.
        _ = parse(broken)
        _ = parse(broken + tail)
      }
    }
  }
}
