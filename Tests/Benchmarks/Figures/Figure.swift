/// One row of the table: values of overline and of a peer, measured in turns, and the goal.
struct Figure: Sendable {
  enum Goal: Sendable {
    /// Informational only.
    case none
    case atMost(Double)
    /// At most this many times the peer's.
    case timesPeer(Double)
    /// At least this many times the peer's.
    case atLeastTimesPeer(Double)
    /// At most this much above the peer's.
    case overPeer(Double)
  }

  /// A comparable program.
  struct Peer: Sendable {
    var name: String
    /// As many as ours: each is compared with the one that was measured next to it.
    var values: [Double]
  }

  enum Verdict: String, Sendable {
    case met
    case notMet = "NOT met"
    /// The interval holds the limit.
    case undecided

    /// - Parameter goal: the values that meet the goal, a half-line.
    init(_ interval: ClosedRange<Double>, goal: some RangeExpression<Double>) {
      self =
        switch (goal.contains(interval.lowerBound), goal.contains(interval.upperBound)) {
        case (true, true): .met
        case (false, false): .notMet
        default: .undecided
        }
    }
  }

  var what: String
  var unit: String
  /// One value for each round.
  var ours: [Double]
  var peer: Peer? = nil
  var goal: Goal = .none
  var note: String = ""

  /// Ours divided by the peer's; nil without a peer or beside zeros.
  var ratio: Spread? {
    guard let peer, peer.values.allSatisfy({ $0 > 0 }) else { return nil }
    return Spread(zip(ours, peer.values).map { $0 / $1 })
  }

  /// Ours minus the peer's.
  var difference: Spread? { peer.map { Spread(zip(ours, $0.values).map { $0 - $1 }) } }

  /// Nil without a goal.
  var verdict: Verdict? {
    switch goal {
    case .none: nil
    case .atMost(let limit): Verdict(Spread(ours).interval, goal: ...limit)
    case .timesPeer(let factor): ratio.map { Verdict($0.interval, goal: ...factor) }
    case .atLeastTimesPeer(let factor): ratio.map { Verdict($0.interval, goal: factor...) }
    case .overPeer(let excess): difference.map { Verdict($0.interval, goal: ...excess) }
    }
  }
}
