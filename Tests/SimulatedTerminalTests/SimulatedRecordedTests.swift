import OverlineSimulatedTerminal
import OverlineTestThread
import Testing

/// What a real terminal did: a content in 12 rows of 40 columns, then sizes.
struct RecordedRun: Sendable, CustomTestStringConvertible {
  let family: String
  let content: String
  let sizes: [(rows: Int, columns: Int)]
  /// The answers to DSR 6 after the content and after each size: `row;column`.
  let cursors: String
  /// Where a mark in row 1, column 1 is in the text at the end: line and column from 0; -1 where it is missing.
  let top: (line: Int, column: Int)
  /// FNV-1a of the text: the lines, in xterm and urxvt the rows; in Alacritty without the last line, which its selection cuts.
  let hash: UInt64

  init(
    _ family: String, _ content: String, _ sizes: [(Int, Int)], _ cursors: String, _ top: (Int, Int), _ hash: UInt64
  ) {
    self.family = family
    self.content = content
    self.sizes = sizes
    self.cursors = cursors
    self.top = top
    self.hash = hash
  }

  var testDescription: String { "\(family) \(content) \(sizes.map { "\($0.rows)x\($0.columns)" })" }
}

@Suite(.ownThread) struct SimulatedRecordedTests {
  @Test(arguments: RecordedRun.all) func asTheRealTerminal(_ run: RecordedRun) throws {
    let family = try #require(TerminalFamily.all.first { $0.name == run.family })
    var terminal = SimulatedTerminal(rows: 12, columns: 40, family: family)
    terminal.write(try #require(Content.all[run.content]))
    var cursors = [cursor(&terminal)]
    for (rows, columns) in run.sizes {
      terminal.resize(rows: rows, columns: columns)
      cursors.append(cursor(&terminal))
    }
    #expect(cursors.joined(separator: " ") == run.cursors)
    terminal.write("\u{1b}7\u{1b}[H@\u{1b}8#")
    let printsRows = ["xterm", "urxvt"].contains(run.family)
    var lines = printsRows ? terminal.scrollbackText() + terminal.screenText() : terminal.text()
    while lines.last == "" { lines.removeLast() }
    if run.family == "alacritty" { lines.removeLast() }
    let line = lines.firstIndex { $0.contains("@") } ?? -1
    #expect(line == run.top.line)
    if line >= 0 { #expect(lines[line].prefix { $0 != "@" }.count == run.top.column) }
    #expect(hash(lines) == run.hash, "\(lines)")
  }

  private func cursor(_ terminal: inout SimulatedTerminal) -> String {
    terminal.write("\u{1b}[6n")
    return String(decoding: terminal.takeAnswers().dropFirst(2).dropLast(), as: UTF8.self)
  }

  private func hash(_ lines: [String]) -> UInt64 {
    lines.joined(separator: "\n").utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// What was printed before the recorded resizes.
enum Content {
  static func numbers(_ first: Int, _ last: Int) -> String {
    (first...last).map { number in
      let length = number % 5 == 0 ? 70 : number % 7 == 0 ? 100 : number % 30
      let label = number < 10 ? "0\(number) " : "\(number) "
      return label + String(repeating: "abcdefghij", count: 9).prefix(length) + "E\r\n"
    }.joined()
  }

  static func some(_ character: String, _ count: Int) -> String { String(repeating: character, count: count) }

  static let all: [String: String] = [
    "prompt": numbers(1, 30) + "$ ",
    "prompt-long": numbers(1, 30) + "$ " + some("x", 50),
    "few": numbers(1, 3) + "$ ",
    "fewlong": numbers(5, 7) + "$ ls",
    "up5": numbers(1, 30) + "end\u{1b}[5A\u{1b}[3C",
    "upwrap": numbers(1, 30) + "\u{1b}[2A",
    "home": numbers(1, 30) + "\u{1b}[H",
    "spaces": numbers(1, 12) + some("a", 30) + some(" ", 10) + "\r\n" + some("b", 40) + "  \r\n" + some("c", 20)
      + some(" ", 30) + "d\r\ne" + some(" ", 30) + "\r\n$ ",
    "pending": numbers(1, 20) + some("p", 40),
    "pending2": numbers(1, 20) + some("p", 80),
    "fewpending": "one\r\n" + some("p", 40),
    "cleared": numbers(1, 30) + "\u{1b}[H\u{1b}[2J" + numbers(40, 42) + "$ ",
    "clearedmid": numbers(1, 30) + "\u{1b}[5;1H\u{1b}[J" + numbers(40, 41) + "$ ",
    "banner": numbers(1, 30) + "$ \u{1b}[2;1H\u{1b}[J" + numbers(50, 53)
      + "$ \u{1b}7\u{1b}[H\u{1b}[7m BANNER \u{1b}[0m\u{1b}[K\u{1b}8",
    "el": numbers(1, 8) + some("q", 35) + "\u{1b}[20D\u{1b}[K\r\n" + some("r", 35) + "\r\u{1b}[2Kshort\r\n$ ",
    "blankbelow": numbers(1, 20) + "\r\n\r\n\r\n\u{1b}[3A$ ",
    "belowtext": numbers(1, 6) + "\u{1b}[3A",
    "wide": numbers(1, 8) + some("漢字", 19) + "a漢字漢字\r\n" + some("漢", 25) + "\r\n$ ",
    "emptyrow": numbers(1, 20) + "\u{1b}[10C",
  ]
}
