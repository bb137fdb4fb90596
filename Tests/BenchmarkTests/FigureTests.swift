@testable import OverlineBench
import OverlineTestThread
import Testing

/// How a row of the benchmarks' table is judged.
@Suite(.ownThread) struct FigureTests {
  @Test(
    "the interval of a median leaves out as many values as still give 95 %",
    arguments: [
      (1, 0), (5, 0), (6, 0), (8, 0), (9, 1), (12, 2), (20, 5), (100, 39), (1000, 468),
    ])
  func intervalHolds95Percent(count: Int, outside: Int) {
    let spread = Spread((1...count).map(Double.init).shuffled())
    #expect(spread.interval == Double(1 + outside)...Double(count - outside))
    #expect(spread.median == Double(count + 1) / 2)
  }

  @Test("the 99th percentile is the smallest value that 99 % do not exceed")
  func percentile() {
    #expect((1...100).map(Double.init).p99 == 99)
    #expect((1...20).map(Double.init).p99 == 20)
    #expect([7.0].p99 == 7)
  }

  @Test(
    "a goal is met, or missed, by the whole interval",
    arguments: [
      ([0.5, 1, 1.25], Figure.Verdict.met), ([1, 1.25, 1.5], .undecided), ([1.5, 1.75, 2], .notMet),
    ])
  func intervalDecides(ratios: [Double], verdict: Figure.Verdict) {
    let peer = Figure.Peer(name: "peer", values: ratios.map { _ in 2 })
    let ours = ratios.map { $0 * 2 }
    #expect(Figure(what: "", unit: "", ours: ours, peer: peer, goal: .timesPeer(1.25)).verdict == verdict)
    #expect(Figure(what: "", unit: "", ours: ours, goal: .atMost(2.5)).verdict == verdict)
    #expect(Figure(what: "", unit: "", ours: ours, peer: peer, goal: .overPeer(0.5)).verdict == verdict)
    let inverse = Figure(
      what: "", unit: "", ours: peer.values, peer: .init(name: "", values: ours), goal: .atLeastTimesPeer(1 / 1.25))
    #expect(inverse.verdict == verdict)
    #expect(Figure(what: "", unit: "", ours: ours, peer: peer).verdict == nil)
  }

  @Test("each value is compared with the peer's of the same round")
  func valuesArePaired() {
    let figure = Figure(what: "", unit: "", ours: [1, 20, 300], peer: .init(name: "", values: [2, 40, 600]))
    #expect(figure.ratio == Spread([0.5, 0.5, 0.5]))
    #expect(figure.difference?.median == -20)
  }

  @Test("a row shows the interval that decides, and a difference where the goal is one")
  func tableShowsTheInterval() {
    let peer = Figure.Peer(name: "a | b", values: [4, 4, 4])
    let rows = FigureTable.markdown([
      Figure(what: "times", unit: "ms", ours: [2, 3, 4], peer: peer, goal: .timesPeer(1)),
      Figure(what: "over", unit: "ms", ours: [2, 3, 4], peer: peer, goal: .overPeer(-0.5)),
      Figure(what: "at most", unit: "", ours: [0], goal: .atMost(0), note: "exactly"),
    ]).split(separator: "\n").dropFirst(2)
    #expect(
      Array(rows) == [
        #"| times | 3 ms | a \| b: 4 ms | 0.75 (0.5 to 1) | ≤ 1 × peer | met |"#,
        #"| over | 3 ms | a \| b: 4 ms | −1 ms (−2 to 0) | ≤ peer − 0.5 ms | undecided |"#,
        "| at most | 0 |  |  | ≤ 0 | met; exactly |",
      ])
  }
}
