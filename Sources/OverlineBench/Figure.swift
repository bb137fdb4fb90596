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

/// Figures as plain text in columns.
enum FigureTable {
  static func text(_ figures: [Figure]) -> String {
    let rows = [["what", "ours", "peer", "ratio", "goal", ""]] + figures.map(cells)
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  private static func cells(_ figure: Figure) -> [String] {
    let verdict = figure.isMet.map { $0 ? "met" : "NOT met" }
    return [
      figure.what, figure.ours.map { "\(number($0)) \(figure.unit)" } ?? "–", peer(figure), ratio(figure), goal(figure),
      [verdict, figure.note.isEmpty ? nil : figure.note].compactMap { $0 }.joined(separator: "; "),
    ]
  }

  private static func peer(_ figure: Figure) -> String {
    guard let peer = figure.peer else { return "" }
    return "\(peer.name): " + (peer.value.map { "\(number($0)) \(figure.unit)" } ?? "not installed")
  }

  private static func ratio(_ figure: Figure) -> String {
    guard let ours = figure.ours, let peer = figure.peer?.value, peer > 0 else { return "" }
    return fixed(ours / peer, digits: 2)
  }

  private static func goal(_ figure: Figure) -> String {
    switch figure.goal {
    case .none: ""
    case .atMost(let limit): "≤ \(number(limit)) \(figure.unit)"
    case .atLeast(let limit): "≥ \(number(limit)) \(figure.unit)"
    case .timesPeer(let factor): "≤ \(number(factor)) × peer"
    case .atLeastTimesPeer(let factor): "≥ \(number(factor)) × peer"
    case .overPeer(let excess): "≤ peer + \(number(excess)) \(figure.unit)"
    }
  }

  /// Three digits that count, at least.
  private static func number(_ value: Double) -> String {
    if value == value.rounded() || value >= 100 { return "\(Int(value.rounded()))" }
    return fixed(value, digits: value >= 10 ? 1 : 2)
  }

  private static func fixed(_ value: Double, digits: Int) -> String {
    let scale = digits == 1 ? 10 : 100
    let scaled = Int((value * Double(scale)).rounded())
    var text = String(scaled % scale)
    while text.count < digits { text = "0" + text }
    text = "\(scaled / scale).\(text)"
    while text.last == "0" { text.removeLast() }
    return text.last == "." ? String(text.dropLast()) : text
  }
}
