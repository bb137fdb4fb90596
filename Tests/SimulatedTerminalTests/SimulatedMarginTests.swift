import OverlineSimulatedTerminal
import OverlineTestThread
import Testing

/// Measured in real terminals: W in the last column, an operation, X.
@Suite(.ownThread) struct SimulatedMarginTests {
  /// What became of W and X.
  enum Outcome: String {
    case kept, hole, last, column1, nextRow, other
  }

  private func outcome(_ operation: String, in family: TerminalFamily) -> Outcome {
    var terminal = SimulatedTerminal(rows: 6, columns: 8, family: family)
    terminal.write("\u{1b}[3;1H\u{1b}[8G" + "W" + operation + "X")
    let wStays = terminal.cell(row: 2, column: 7).text == "W"
    let places = (0..<6).flatMap { row in
      (0..<8).compactMap { terminal.cell(row: row, column: $0).text == "X" ? (row, $0) : nil }
    }
    guard places.count == 1 else { return .other }
    switch places[0] {
    case (2, 7): return .last
    case (3, 0): return wStays ? .kept : .hole
    case (2, 0): return .column1
    default: return .other
    }
  }

  static let rows: [(operations: [String], families: [String: Outcome])] = [
    (
      ["\u{1b}[K", "\u{1b}[m\u{1b}[K"],
      table(
        (.kept, "kitty vte konsole tmux"), (.hole, "urxvt st alacritty screen"), (.last, "xterm foot mlterm"))
    ),
    (
      ["\u{1b}[J"],
      table((.kept, "kitty konsole tmux"), (.hole, "urxvt st alacritty screen"), (.last, "xterm vte foot mlterm"))
    ),
    (
      ["\u{1b}[1K", "\u{1b}[1J"],
      table((.last, "xterm vte foot mlterm"), (.hole, "urxvt st kitty alacritty konsole tmux screen"))
    ),
    (
      ["\u{1b}[2K", "\u{1b}[2J"],
      table((.last, "xterm foot mlterm"), (.hole, "urxvt st kitty vte alacritty konsole tmux screen"))
    ),
    (
      ["\u{1b}[X", "\u{1b}[P", "\u{1b}[@"],
      table(
        (.kept, "kitty konsole tmux urxvt"), (.hole, "st alacritty screen"), (.last, "xterm vte foot mlterm"))
    ),
  ]

  static func table(_ entries: (Outcome, String)...) -> [String: Outcome] {
    var result: [String: Outcome] = [:]
    for (outcome, names) in entries { for name in names.split(separator: " ") { result[String(name)] = outcome } }
    return result
  }

  @Test(arguments: TerminalFamily.all.map(\.name)) func erasingAtTheMargin(_ name: String) throws {
    let family = try #require(TerminalFamily.all.first { $0.name == name })
    for (operations, expected) in Self.rows {
      for operation in operations {
        let outcome = outcome(operation, in: family)
        #expect(outcome == expected[name], "\(name): \(operation.debugDescription)")
      }
    }
  }

  @Test(arguments: TerminalFamily.all.map(\.name)) func linesAtTheMargin(_ name: String) throws {
    let family = try #require(TerminalFamily.all.first { $0.name == name })
    let expected = Self.table(
      (.hole, "st alacritty konsole tmux screen"), (.last, "mlterm"), (.column1, "xterm kitty vte foot"))
    for operation in ["\u{1b}[L", "\u{1b}[M"] {
      // urxvt wraps first: X is in the row after W.
      #expect(outcome(operation, in: family) == expected[name] ?? .kept, "\(name): \(operation.debugDescription)")
    }
  }
}
