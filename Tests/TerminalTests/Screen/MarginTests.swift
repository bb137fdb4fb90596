import Overline
import OverlineTestThread
import Testing

private let esc = "\u{1b}"

/// A character in the last column, and what follows it, as each terminal shows it.
@Suite(.ownThread) struct MarginTests {
  private static let xterm = ["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"]
  private static let vte = ["TERM": "xterm-256color", "VTE_VERSION": "7006"]
  private static let tmux = ["TERM": "screen", "TERM_PROGRAM": "tmux"]

  @Test(
    arguments: [
      (xterm, "\(esc)[K", ["012345678x", ""]),
      (vte, "\(esc)[K", ["0123456789", "x"]),
      (["TERM": "xterm-kitty"], "\(esc)[K", ["0123456789", "x"]),
      (["TERM": "rxvt-unicode-256color"], "\(esc)[K", ["012345678", "x"]),
      (["TERM": "alacritty"], "\(esc)[K", ["012345678", "x"]),
      (["TERM": "foot"], "\(esc)[K", ["012345678x", ""]),
      (tmux, "\(esc)[K", ["0123456789", "x"]),
      (["TERM": "screen", "STY": "1.pts"], "\(esc)[K", ["012345678", "x"]),
      (vte, "\(esc)[J", ["012345678x", ""]),
      (["TERM": "rxvt"], "\(esc)[P", ["0123456789", "x"]),
      (["TERM": "alacritty"], "\n", ["0123456789", "", "x"]),
      (tmux, "\(esc)[D", ["012345678x", ""]),
      (xterm, "\(esc)[D", ["01234567x9", ""]),
      (["TERM": "foot"], "\u{8}", ["012345678x", ""]),
      (["TERM": "foot"], "\(esc)[D", ["01234567x9", ""]),
      (xterm, "\(esc)7\(esc)8", ["0123456789", "x"]),
      (vte, "\(esc)7\(esc)8", ["012345678x", ""]),
      (tmux, "\(esc)[?7l", ["0123456789", ""]),
      (["TERM": "xterm-kitty"], "\t", ["012345678x", ""]),
      (["TERM": "alacritty"], "\t", ["0123456789", "x"]),
    ] as [([String: String], String, [String])])
  func theScreenFollowsItsTerminal(environment: [String: String], output: String, lines: [String]) {
    let terminal = TerminalCapabilities(environment: { environment[$0] }, isTerminal: true)
    var rewriter = OutputRewriter(rows: 4, columns: 10, terminal: terminal)
    rewriter.surface.note(Array("\(esc)[H\(esc)[2J0123456789\(output)x".utf8))
    rewriter.surface.settle()
    #expect(Array(rewriter.surface.screen.lines.prefix(lines.count)) == lines)
    #expect(terminal.margin.isCertain)
  }

  /// Several terminals have the `TERM` of xterm, and tmux that of screen. A terminal that was started in another one has its variables too.
  @Test(
    arguments: [
      ["TERM": "xterm-256color"], ["TERM": "screen"], ["TERM": "something-new"],
      ["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)", "VTE_VERSION": "7006"],
    ])
  func aGuessIsNoKnowledge(environment: [String: String]) {
    #expect(!TerminalCapabilities(environment: { environment[$0] }, isTerminal: true).margin.isCertain)
  }

  /// What the terminal erased is not known then, and nothing of it may be printed again.
  @Test(arguments: ["\(esc)[K", "\(esc)[1K", "\(esc)[J", "\(esc)[X", "\(esc)[P"])
  func aTerminalThatIsNotNamedMakesRowsUnknown(erasure: String) {
    var rewriter = OutputRewriter(rows: 4, columns: 10)
    rewriter.surface.note(Array("\(esc)[H\(esc)[2Jfirst\r\n0123456789\(erasure)x\r\nlast".utf8))
    rewriter.surface.settle()
    #expect((0..<2).allSatisfy { !rewriter.surface.screen.isKnown(row: $0) })
    #expect(rewriter.readiness() == .needsCursor)
    for (terminal, output) in [(TerminalCapabilities.of(.vte), erasure), (nil, "")] {
      var certain = OutputRewriter(rows: 4, columns: 10, terminal: terminal)
      certain.surface.note(Array("\(esc)[H\(esc)[2Jfirst\r\n0123456789\(output)x\r\nlast".utf8))
      #expect(certain.readiness() == .ready && (0..<4).allSatisfy { certain.surface.screen.isKnown(row: $0) })
    }
  }

  /// apt keeps its progress in the last row with margins. The lines above are printed again as VTE has them, in two parts.
  @Test(arguments: [3, 4]) func vteEndsWrapsAtMargins(bottom: Int) {
    for (family, isWrapped) in [(TerminalFamily.vte, bottom == 4), (.alacritty, true)] {
      var rewriter = OutputRewriter(rows: 4, columns: 10, terminal: .of(family))
      rewriter.surface.note(Array("\(esc)[H\(esc)[2J\(esc)[1;\(bottom)r\(esc)[\(bottom)H0123456789abc".utf8))
      rewriter.surface.settle()
      #expect(rewriter.surface.screen.isWrapped(row: bottom - 2) == isWrapped, "\(family)")
    }
  }
}
