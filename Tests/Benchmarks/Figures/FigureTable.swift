/// Prints figures in columns.
enum FigureTable {
  private static let headings = ["what", "ours", "peer", "ratio", "goal", ""]

  /// As a Markdown table.
  static func markdown(_ figures: [Figure]) -> String {
    let rows = [headings, headings.map { _ in "---" }] + figures.map(cells)
    return rows.map { row in
      "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
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
    [
      figure.what, ours(figure), figure.peer.map { "\($0.name): \(quantity($0.values.median, figure))" } ?? "",
      comparison(figure), goal(figure),
      [figure.verdict?.rawValue, figure.note.isEmpty ? nil : figure.note].compactMap { $0 }.joined(separator: "; "),
    ]
  }

  /// With the interval where the goal is for it.
  private static func ours(_ figure: Figure) -> String {
    let spread = Spread(figure.ours)
    let text = quantity(spread.median, figure)
    guard case .atMost = figure.goal else { return text }
    return text + interval(spread)
  }

  private static func comparison(_ figure: Figure) -> String {
    if case .overPeer = figure.goal, let spread = figure.difference {
      return (spread.median < 0 ? "" : "+") + quantity(spread.median, figure) + interval(spread)
    }
    return figure.ratio.map { number($0.median) + interval($0) } ?? ""
  }

  /// Nothing for a single value.
  private static func interval(_ spread: Spread) -> String {
    let ends = (number(spread.interval.lowerBound), number(spread.interval.upperBound))
    return ends.0 == ends.1 ? "" : " (\(ends.0) to \(ends.1))"
  }

  private static func goal(_ figure: Figure) -> String {
    switch figure.goal {
    case .none: ""
    case .atMost(let limit): "≤ \(quantity(limit, figure))"
    case .timesPeer(let factor): "≤ \(number(factor)) × peer"
    case .atLeastTimesPeer(let factor): "≥ \(number(factor)) × peer"
    case .overPeer(let excess):
      "≤ peer \(excess < 0 ? "−" : "+") \(quantity(excess.magnitude, figure))"
    }
  }

  private static func quantity(_ value: Double, _ figure: Figure) -> String {
    figure.unit.isEmpty ? number(value) : "\(number(value)) \(figure.unit)"
  }

  /// At least three significant digits.
  private static func number(_ value: Double) -> String {
    if value < 0 { return "−" + number(-value) }
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
