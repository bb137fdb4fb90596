/// Prints figures in columns.
enum FigureTable {
  private static let headings = ["what", "ours", "peer", "ratio", "goal", ""]

  /// As a Markdown table.
  static func markdown(_ figures: [Figure]) -> String {
    let rows = [headings, headings.map { _ in "---" }] + figures.map(cells)
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// As plain text.
  static func text(_ figures: [Figure]) -> String {
    let rows = [headings] + figures.map(cells)
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
      figure.what, figure.ours.map { quantity($0, figure) } ?? "–", peer(figure), ratio(figure), goal(figure),
      [verdict, figure.note.isEmpty ? nil : figure.note].compactMap { $0 }.joined(separator: "; "),
    ]
  }

  private static func peer(_ figure: Figure) -> String {
    guard let peer = figure.peer else { return "" }
    return "\(peer.name): " + (peer.value.map { quantity($0, figure) } ?? "not installed")
  }

  private static func ratio(_ figure: Figure) -> String {
    guard let ours = figure.ours, let peer = figure.peer?.value, peer > 0 else { return "" }
    return fixed(ours / peer, digits: 2)
  }

  private static func goal(_ figure: Figure) -> String {
    switch figure.goal {
    case .none: ""
    case .atMost(let limit): "≤ \(quantity(limit, figure))"
    case .atLeast(let limit): "≥ \(quantity(limit, figure))"
    case .timesPeer(let factor): "≤ \(number(factor)) × peer"
    case .atLeastTimesPeer(let factor): "≥ \(number(factor)) × peer"
    case .overPeer(let excess): "≤ peer + \(quantity(excess, figure))"
    }
  }

  private static func quantity(_ value: Double, _ figure: Figure) -> String {
    figure.unit.isEmpty ? number(value) : "\(number(value)) \(figure.unit)"
  }

  /// At least three significant digits.
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
