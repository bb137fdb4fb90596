/// One row of the table: the measurement, its peer's and the goal.
struct Figure: Sendable {
  enum Goal: Sendable {
    /// Informational only.
    case none
    case atMost(Double)
    case atLeast(Double)
    /// At most this many times the peer's.
    case timesPeer(Double)
    /// At least this many times the peer's.
    case atLeastTimesPeer(Double)
    /// At most this much above the peer's.
    case overPeer(Double)
  }

  /// A comparable program, measured at the same time. No value means that it could not be measured.
  struct Peer: Sendable {
    var name: String
    var value: Double?
  }

  var what: String
  var unit: String
  /// Nil when it could not be measured; `note` states the reason.
  var ours: Double?
  var peer: Peer? = nil
  var goal: Goal = .none
  var note: String = ""

  /// Nil without a goal to compare with.
  var isMet: Bool? {
    guard let ours else { return nil }
    switch goal {
    case .none: return nil
    case .atMost(let limit): return ours <= limit
    case .atLeast(let limit): return ours >= limit
    case .timesPeer(let factor): return peer?.value.map { ours <= factor * $0 }
    case .atLeastTimesPeer(let factor): return peer?.value.map { ours >= factor * $0 }
    case .overPeer(let excess): return peer?.value.map { ours <= $0 + excess }
    }
  }
}
