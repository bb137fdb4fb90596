import NetworkPath
import OverlineCore
import OverlineTestThread
import Testing

/// The first line of `overline quality`.
@Suite(.ownThread) struct QualityAnswerTests {
  private struct Connection {
    var name: String
    var host: Int
    var milliseconds = 20
    /// Of 100 segments between two looks, those that were lost.
    var lost = 0
    var sent = 100
  }

  /// The answer after looks at these connections, three seconds apart.
  private func answer(_ connections: [Connection], looks: Int = 3) -> QualityAnswer {
    var inquiry = QualityInquiry()
    for look in 0..<looks {
      let samples = connections.enumerated().map { number, connection in
        var sample = QualitySample(connection: UInt64(number), host: connection.host)
        sample.inode = UInt32(number + 1)
        sample.roundTrip = .milliseconds(connection.milliseconds)
        sample.shortest = .milliseconds(min(20, connection.milliseconds))
        sample.sent = UInt32(100 + look * connection.sent)
        (sample.delivered, sample.receivedSegments) = (sample.sent, sample.sent)
        sample.sentAgain = UInt32(look * connection.lost)
        sample.isApplicationLimited = true
        return sample
      }
      let names = Dictionary(connections.enumerated().map { (UInt32($0.offset + 1), $0.element.name) }) { $1 }
      _ = inquiry.take(QualityLook(samples), names: names, at: .seconds(look * 3))
    }
    return inquiry.answer
  }

  @Test func theLinkExplainsWhatItsProgramsHave() {
    let connections = [
      Connection(name: "ssh", host: 1, milliseconds: 1400), Connection(name: "git", host: 2, milliseconds: 2000),
    ]
    #expect(answer(connections).sentence == "poor: 2.0 s round trip, 20 ms at best")
    let lossy = (1...3).map { Connection(name: "p\($0)", host: $0, lost: $0 == 3 ? 40 : 20) }
    #expect(answer(lossy).sentence == "poor: 20 % sent again")
  }

  @Test func aProgramThatIsWorseThanAGoodLinkIsNamed() {
    let others = [Connection(name: "firefox", host: 2), Connection(name: "firefox", host: 3)]
    let far = answer(others + [Connection(name: "ssh", host: 1, milliseconds: 900)])
    #expect(far.sentence == "good: 20 ms round trip; ssh: 900 ms round trip")
    #expect(
      far.lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") } == [
        "good: 20 ms round trip; ssh: 900 ms round trip", "program connections round trip sent again",
        "ssh 1 900 ms 0 %", "firefox 2 20 ms 0 %",
      ])
    let lossy = answer(others + [Connection(name: "ssh", host: 1, lost: 20)])
    #expect(lossy.sentence == "good: 20 ms round trip; ssh: 20 % sent again")
    // One or two lost segments may be chance.
    #expect(answer(others + [Connection(name: "ssh", host: 1, lost: 1, sent: 10)]).sentence == "good: 20 ms round trip")
  }

  @Test func aLossToTheOnlyHostIsTheConnectionsAsFarAsIsKnown() {
    let answer = answer([Connection(name: "ssh", host: 1, lost: 20)])
    #expect(answer.sentence == "poor: 20 % sent again to the only host that was used")
    #expect(answer.json.hasPrefix(#"{"quality":"poor","explanation":"poor: 20 % sent again to the only host"#))
  }

  @Test func theAnswerComesWhenTheLooksAgree() {
    var inquiry = QualityInquiry()
    #expect(inquiry.take(QualityLook(), names: [:], at: .zero) == QualityInquiry.pause)
    #expect(inquiry.take(QualityLook(), names: [:], at: .seconds(3)) == nil)
    #expect(inquiry.answer.sentence.hasPrefix("unknown: no TCP connection of yours"))
  }
}
