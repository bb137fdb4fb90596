import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// What looks at the machine's connections say of the quality of the connection.
@Suite(.ownThread) struct QualityTests {
  /// A connection as the kernel describes it: `exchanges` answered segments so far, of which `again` were sent again.
  private static func sample(
    _ host: Int, connection: UInt64? = nil, _ milliseconds: Int, shortest: Int? = 20, sent: Int = 20, again: Int = 0,
    needless: Int = 0, deviation: Int = 1, heard: Int = 0, received: UInt64 = 0, receiver: Int = 0,
    isApplicationLimited: Bool = true
  ) -> QualitySample {
    var sample = QualitySample(connection: connection ?? UInt64(host), host: host)
    sample.roundTrip = .milliseconds(milliseconds)
    sample.deviation = .milliseconds(deviation)
    sample.shortest = shortest.map { .milliseconds($0) }
    sample.sent = UInt32(sent)
    sample.delivered = UInt32(sent - again)
    sample.sentAgain = UInt32(again)
    sample.needless = UInt32(needless)
    sample.receivedSegments = UInt32(sent)
    (sample.heardAge, sample.sentAge) = (.seconds(heard), .seconds(heard))
    sample.receivedBytes = received
    sample.receiverRoundTrip = .milliseconds(receiver)
    sample.isApplicationLimited = isApplicationLimited
    return sample
  }

  // MARK: - One connection between two looks

  /// The kernel's smoothed figure after `exchanges` of one length.
  private func smoothed(_ old: Double, _ new: Double, _ exchanges: Int) -> Int {
    Int((0..<exchanges).reduce(old) { value, _ in value + (new - value) / 8 })
  }

  @Test(arguments: [1, 2, 5, 15, 16, 40]) func theNewRoundTripIsTakenOutOfTheSmoothedOne(_ exchanges: Int) throws {
    let before = Self.sample(1, 20, sent: 100)
    let after = Self.sample(1, smoothed(20, 800, exchanges), sent: 100 + exchanges)
    let found = try #require(after.roundTrip(since: before))
    #expect((Duration.milliseconds(690) ... .milliseconds(830)).contains(found), "\(found)")
  }

  @Test func nothingIsSaidWithoutTraffic() {
    let before = Self.sample(1, 800, sent: 100)
    #expect(before.roundTrip(since: before) == nil)
    // What was sent again is no exchange: its answer may belong to the first one.
    #expect(Self.sample(1, 800, sent: 103, again: 3).roundTrip(since: before) == nil)
  }

  /// Sent segments are no exchanges, and an acknowledgement for several is one.
  @Test func onlyAnsweredSegmentsAreExchanges() throws {
    let before = Self.sample(1, 20, sent: 100)
    var after = Self.sample(1, 20, sent: 150)
    after.delivered = before.delivered
    #expect(after.roundTrip(since: before) == nil)
    after = Self.sample(1, smoothed(20, 2000, 1), sent: 116)
    after.receivedSegments = 101
    let found = try #require(after.roundTrip(since: before))
    #expect((Duration.milliseconds(1990) ... .milliseconds(2010)).contains(found), "\(found)")
  }

  @Test func aReceiverHasARoundTripToo() {
    let before = Self.sample(1, 20, received: 1000)
    #expect(Self.sample(1, 20, received: 20_999, receiver: 700).roundTrip(since: before) == nil)
    #expect(Self.sample(1, 20, received: 21_000, receiver: 700).roundTrip(since: before) == .milliseconds(700))
  }

  @Test func aRoundTripIsNoShorterThanTheShortest() {
    let before = Self.sample(1, 400, shortest: 30, sent: 10)
    #expect(Self.sample(1, 200, shortest: 30, sent: 11).roundTrip(since: before) == .milliseconds(30))
  }

  @Test func countersWrap() {
    var before = Self.sample(1, 20)
    (before.sent, before.delivered, before.receivedSegments) = (.max - 1, .max - 2, .max - 3)
    var after = before
    (after.sent, after.delivered, after.receivedSegments) = (18, 17, 16)
    after.roundTrip = .milliseconds(50)
    #expect(after.sent(since: before) == 20 && after.roundTrip(since: before) == .milliseconds(50))
  }

  // MARK: - Readings

  /// The reading of one look at settled connections.
  private func reading(_ samples: [QualitySample]) -> QualityReading {
    var meter = QualityMeter()
    meter.take(QualityLook(samples), at: .zero)
    return meter.reading
  }

  @Test func twoQuickHostsProveAQuickLink() {
    let quick = [Self.sample(1, 20), Self.sample(2, 30)]
    #expect(reading(quick + [Self.sample(3, 900), Self.sample(4, 900)]).words == "good: 30 ms round trip")
    // A company's proxy may be near, and the internet not.
    #expect(reading([Self.sample(1, 5), Self.sample(2, 1200)]).words == "poor: 1.2 s round trip, 20 ms at best")
  }

  @Test func severalConnectionsToAHostAreOne() {
    let connections = [Self.sample(1, connection: 7, 900), Self.sample(1, connection: 8, 20), Self.sample(2, 400)]
    #expect(reading(connections).words == "moderate: 400 ms round trip, 20 ms at best")
  }

  @Test func distanceIsNoFault() {
    #expect(
      reading([Self.sample(1, 800, shortest: 790)]).words
        == "good: 800 ms round trip to the only host that was used, which may be far")
    #expect(reading([Self.sample(1, 800, shortest: 20)]).words == "moderate: 800 ms round trip, 20 ms at best")
    // But no distance is so far.
    #expect(reading([Self.sample(1, 1000, shortest: 990)]).words == "moderate: 1.0 s round trip")
    #expect(reading([Self.sample(1, 3000, shortest: 2900)]).words == "poor: 3.0 s round trip")
  }

  @Test func anOldFigureSaysNothing() {
    #expect(reading([Self.sample(1, 900, heard: 11), Self.sample(2, 900, heard: 11)]).words == nil)
    #expect(reading([Self.sample(1, 900, deviation: 450), Self.sample(2, 900, sent: 7)]).words == nil)
    // Keepalives are answered, and data is sent again in vain.
    var (kept, waiting) = (Self.sample(1, 900), Self.sample(2, 900))
    kept.sentAge = .seconds(11)
    (waiting.isWaiting, waiting.retransmits) = (true, 1)
    #expect(reading([kept, waiting]).words == nil)
  }

  /// Such as HTTP without keep-alive: each look finds other connections.
  @Test func newConnectionsTellToo() {
    var meter = QualityMeter()
    for look in 0..<3 {
      let samples = [1, 2].map {
        Self.sample($0, connection: UInt64(look * 2 + $0), 1200, sent: 3, deviation: 600)
      }
      meter.take(QualityLook(samples), at: .seconds(look * 5))
    }
    #expect(meter.agreed.words == "poor: 1.2 s round trip, 20 ms at best")
  }

  /// A cut cable: the earlier figures no longer hold.
  @Test func withoutAnyAnswerItIsUnknown() {
    var meter = QualityMeter()
    for look in 0..<4 {
      let samples = [1, 2].map {
        var sample = Self.sample($0, 20, sent: 100 + 16 * min(look, 2))
        if look == 3 { (sample.isWaiting, sample.retransmits, sample.sent) = (true, 3, sample.sent + 4) }
        return sample
      }
      meter.take(QualityLook(samples), at: .seconds(look * 5))
      #expect(meter.agreed.level == (look == 3 ? .unknown : .good))
    }
  }

  /// One spike, and then nothing: only one look was bad, however often its losses are counted.
  @Test func oneBadLookIsNoVerdict() {
    var meter = QualityMeter()
    for look in 0..<12 {
      let sent = 100 + 40 * min(look, 5)
      let samples = [1, 2].map { Self.sample($0, look == 5 ? 1200 : 20, sent: sent, heard: look > 5 ? 60 : 0) }
      meter.take(QualityLook(samples), at: .seconds(look * 5))
      if look < 11 { #expect(meter.agreed.level == .good, "\(look)") }
    }
    #expect(meter.agreed.level == .unknown)
  }

  @Test(arguments: [
    (299, "good: 299 ms round trip"), (300, "moderate: 300 ms round trip"), (999, "moderate: 999 ms round trip"),
    (1000, "poor: 1.0 s round trip"), (12_340, "poor: 12.3 s round trip"), (0, "good: under 1 ms round trip"),
  ])
  func theThresholdsOfTheRoundTrip(_ milliseconds: Int, _ words: String) {
    let samples = [1, 2].map {
      Self.sample($0, milliseconds, shortest: milliseconds, deviation: milliseconds == 0 ? -1 : 1)
    }
    #expect(reading(samples).words == words)
  }

  // MARK: - Losses

  /// What two looks say when each host has sent so much, and lost so much of it.
  private func lost(_ hosts: [(sent: Int, again: Int, needless: Int)], isApplicationLimited: Bool = true) -> Double? {
    var meter = QualityMeter()
    for part in [0, 1] {
      let samples = hosts.enumerated().map {
        Self.sample(
          $0.offset, 20, sent: 100 + part * $0.element.sent, again: part * $0.element.again,
          needless: part * $0.element.needless, isApplicationLimited: isApplicationLimited)
      }
      meter.take(QualityLook(samples), at: .seconds(part * 5))
    }
    return meter.reading.sentAgain
  }

  @Test func lossesOfSeveralHostsCount() {
    #expect(lost([(40, 4, 0), (40, 4, 0)]) == 0.1)
    // What the other end had already was not lost.
    #expect(lost([(40, 4, 4), (40, 4, 4)]) == 0)
    // The host that lost most may be to blame.
    #expect(lost([(40, 30, 0), (40, 0, 0)]) == 0)
    #expect(lost([(40, 30, 0), (40, 4, 0), (40, 4, 0)]) == 0.1)
  }

  @Test func aFewSegmentsProveNoLoss() {
    #expect(lost([(59, 20, 0)]) == nil)
    #expect(lost([(9, 9, 0), (60, 6, 0)]) == nil)
    #expect(lost([(29, 3, 0), (30, 3, 0)]) == nil)
    #expect(lost([(40, 8, 0), (20, 2, 0)]) == nil)
    // A bulk transfer loses on a good way too.
    #expect(lost([(4000, 400, 0), (4000, 400, 0)], isApplicationLimited: false) == nil)
  }

  @Test func theWorseOfTheTwoDecides() {
    func words(_ milliseconds: Int, _ part: Double) -> String? {
      QualityReading(
        roundTrip: .milliseconds(milliseconds), shortest: .milliseconds(milliseconds), hosts: 2, sentAgain: part
      ).words
    }
    #expect(words(20, 0.029) == "good: 20 ms round trip")
    #expect(words(20, 0.03) == "moderate: 3 % sent again")
    #expect(words(20, 0.099) == "moderate: 9 % sent again")
    #expect(words(20, 0.1) == "poor: 10 % sent again")
    #expect(words(400, 0.05) == "moderate: 400 ms round trip")
    #expect(words(400, 0.2) == "poor: 20 % sent again")
    #expect(words(2000, 0.2) == "poor: 2.0 s round trip")
  }

  // MARK: - Two looks in a row

  /// The levels after looks that find these round trips, a letter each: `g` 20 ms, `m` 400 ms, `p` 2 s, `-` no traffic.
  private func levels(_ looks: String, every interval: Int = 5) -> String {
    var meter = QualityMeter()
    var sent = 100
    return looks.enumerated().reduce(into: "") { levels, look in
      let milliseconds = ["g": 20, "m": 400, "p": 2000][look.element]
      if milliseconds != nil { sent += 16 }
      let samples = [1, 2].map {
        Self.sample($0, milliseconds ?? 20, sent: sent, heard: milliseconds == nil ? 60 : 0)
      }
      meter.take(QualityLook(samples), at: .seconds(look.offset * interval))
      levels += String(meter.agreed.level.name.prefix(1))
    }
  }

  @Test(arguments: [
    ("ggmgmgpg", "gggggggg"), ("ggmmmm", "gggmmm"), ("ggppp", "gggpp"), ("ggmpp", "gggmp"), ("pppgg", "upppg"),
    // From poor, a good look and a moderate one agree on moderate.
    ("ppgmgg", "uppmmg"), ("pp---g", "uppppp"), ("g------", "gggggguu".prefix(7).description),
  ])
  func twoLooksAgree(_ looks: String, _ expected: String) {
    #expect(levels(looks) == expected)
  }
}

extension QualityReading {
  fileprivate var words: String? { report?.words }
}
