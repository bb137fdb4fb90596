/// One row of the table: what was measured, beside what, and what it should be.
struct Figure: Sendable {
  enum Goal: Sendable {
    /// For information.
    case none
    case atMost(Double)
    case atLeast(Double)
    /// No more than so many times the peer's.
    case timesPeer(Double)
    /// At least so many times the peer's.
    case atLeastTimesPeer(Double)
    /// No more than this above the peer's.
    case overPeer(Double)
  }

  /// A program that does a comparable thing, measured at the same time. Without a value it could not be: that is said, not made up.
  struct Peer: Sendable {
    var name: String
    var value: Double?
  }

  var what: String
  var unit: String
  /// Nil when it could not be measured; `note` then says why.
  var ours: Double?
  var peer: Peer? = nil
  var goal: Goal = .none
  var note: String = ""

  /// Nil when there is nothing to compare.
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
