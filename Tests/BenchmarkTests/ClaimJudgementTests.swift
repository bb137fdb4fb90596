internal import OverlineTestSupport
@testable import OverlineBench
import OverlineTestThread
import Testing

/// How a monitor's claims are compared with what TCP did.
@Suite(.ownThread) struct ClaimJudgementTests {
  /// A visit each 40 ms; those that begin in `gap` end like this.
  private static func judge(
    _ claims: [ClosedRange<Double>], gap: Range<Double> = 0..<0, _ outcome: TCPVisits.Outcome = .failed,
    interval: Double = 0.04
  ) -> ClaimJudgement {
    let visits = (0..<Int(100 / interval)).map { number in
      let time = Double(number) * interval
      return TCPVisits.Visit(start: .seconds(time), outcome: gap.contains(time) ? outcome : .answered)
    }
    return ClaimJudgement(
      claims.map { .init(begin: .seconds($0.lowerBound), end: .seconds($0.upperBound), words: "claim") }, visits,
      from: .zero, until: .seconds(100))
  }

  @Test("a claim is false when TCP works, also just after a failure") func falseClaims() {
    #expect(Self.judge([10...11]).falseClaims == ["claim"])
    #expect(Self.judge([10.5...11], gap: 10..<10.2).falseClaims == ["claim"])
    let told = Self.judge([10.1...11], gap: 10..<11)
    #expect(told.falseClaims.isEmpty && told.trueClaims == 1)
  }

  @Test("where visits are rare, a claim without a failure may be true") func unclearClaims() {
    let judgement = Self.judge([10...11], interval: 0.06)
    #expect(judgement.falseClaims.isEmpty && judgement.trueClaims == 0 && judgement.unclearClaims == 1)
  }

  @Test("a claim that stands long after TCP works again is false") func keptClaims() {
    #expect(Self.judge([10.1...16], gap: 10..<11).falseClaims.isEmpty)
    #expect(Self.judge([10.1...30], gap: 10..<11).falseClaims == ["kept: claim"])
  }

  @Test("silence may be told late, a refusal may not") func missedClaims() {
    #expect(Self.judge([], gap: 10..<40).missedClaims.isEmpty)
    #expect(Self.judge([], gap: 10..<60).missedClaims.count == 1)
    #expect(Self.judge([50...60], gap: 10..<60).missedClaims.isEmpty)
    #expect(Self.judge([], gap: 10..<11.5, .refused(101)).missedClaims.isEmpty)
    #expect(Self.judge([], gap: 10..<15, .refused(101)).missedClaims.count == 1)
    #expect(Self.judge([14...15], gap: 10..<15, .refused(101)).missedClaims.count == 1)
    #expect(Self.judge([11...15], gap: 10..<15, .refused(101)).missedClaims.isEmpty)
  }
}
