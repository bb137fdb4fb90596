import Overline
import OverlineTestThread
import Testing

@Suite(.ownThread) struct CapabilityTests {
  private func capabilities(_ environment: [String: String], isTerminal: Bool = true) -> TerminalCapabilities {
    TerminalCapabilities(environment: { environment[$0] }, isTerminal: isTerminal)
  }

  @Test(
    arguments: [
      ([:], ColorDepth.monochrome),
      (["TERM": "dumb", "COLORTERM": "truecolor"], .monochrome),
      (["TERM": "xterm"], .ansi16), (["TERM": "linux"], .ansi16), (["TERM": "vt220"], .monochrome),
      (["TERM": "xterm-256color"], .palette256), (["TERM": "tmux-256color"], .palette256),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .truecolor),
      (["TERM": "xterm", "COLORTERM": "24bit"], .truecolor),
      (["TERM": "xterm-direct"], .truecolor), (["TERM": "xterm-kitty"], .truecolor), (["TERM": "foot"], .truecolor),
      (["TERM": "screen", "COLORTERM": "truecolor"], .palette256),
      (["TERM": "screen-256color", "COLORTERM": "truecolor", "TERM_PROGRAM": "tmux"], .truecolor),
      (["TERM": "xterm-256color", "NO_COLOR": "1"], .monochrome),
      (["TERM": "xterm-256color", "NO_COLOR": ""], .palette256),
      (["TERM": "xterm-256color", "NO_COLOR": "1", "FORCE_COLOR": "3"], .monochrome),
      (["TERM": "xterm-256color", "CLICOLOR": "0"], .monochrome),
      (["TERM": "xterm-256color", "CLICOLOR": "1"], .palette256),
      (["TERM": "xterm-256color", "CLICOLOR": "0", "CLICOLOR_FORCE": "1"], .palette256),
      (["TERM": "xterm-256color", "FORCE_COLOR": "0"], .monochrome),
      (["TERM": "dumb", "FORCE_COLOR": "1"], .ansi16), (["TERM": "xterm", "FORCE_COLOR": "2"], .palette256),
      (["TERM": "xterm", "FORCE_COLOR": "3"], .truecolor),
      (["TERM": "xterm-256color", "FORCE_COLOR": "true"], .palette256),
    ] as [([String: String], ColorDepth)])
  func colorsOfATerminal(environment: [String: String], colors: ColorDepth) {
    #expect(capabilities(environment).colors == colors)
  }

  @Test(
    arguments: [
      (["TERM": "xterm-256color"], ColorDepth.monochrome),
      (["TERM": "xterm-256color", "CLICOLOR_FORCE": "0"], .monochrome),
      (["TERM": "xterm-256color", "CLICOLOR_FORCE": "1"], .palette256), (["CLICOLOR_FORCE": "1"], .ansi16),
      (["TERM": "xterm-256color", "FORCE_COLOR": "1"], .ansi16),
    ] as [([String: String], ColorDepth)])
  func colorsOfAPipe(environment: [String: String], colors: ColorDepth) {
    #expect(capabilities(environment, isTerminal: false).colors == colors)
  }

  @Test func aTabEndsAPendingWrapInKitty() {
    #expect(capabilities(["TERM": "xterm-kitty"]).margin.tab == .endsWrap)
    #expect(capabilities(["TERM": "xterm-256color"]).margin.tab == .keepsWrap)
  }

  /// What the terminals of Debian 12 answer to `CSI > c`, and some others.
  @Test(
    arguments: [
      ([41, 379, 0], .xterm), ([85, 95, 0], .urxvt), ([1, 4000, 26], .kitty), ([65, 7006, 1], .vte),
      ([0, 1700, 1], .alacritty), ([1, 11301, 0], .foot), ([1, 115, 0], .konsole), ([24, 279, 0], .mlterm),
      ([84, 0, 0], .tmux), ([83, 40900, 0], .screen), ([0, 10, 1], nil), ([1, 277, 0], nil), ([65], nil), ([], nil),
    ] as [([Int], TerminalFamily?)])
  func aTerminalTellsItsName(numbers: [Int], family: TerminalFamily?) {
    #expect(TerminalFamily(secondaryAttributes: numbers) == family)
  }

  @Test func brokenRowsAreFoundInVTEAndAlacritty() {
    #expect(capabilities(["TERM": "xterm-256color", "VTE_VERSION": "7006"]).traits.findsBrokenRows)
    #expect(capabilities(["TERM": "alacritty"]).traits.findsBrokenRows)
    // tmux in VTE, and a terminal that is not known.
    #expect(!capabilities(["TERM": "tmux-256color", "VTE_VERSION": "7006"]).traits.findsBrokenRows)
    #expect(!capabilities(["TERM": "something-new"]).traits.findsBrokenRows)
  }

  @Test func footSignalsItsSizeLate() {
    #expect(capabilities(["TERM": "foot"]).traits.signalsSizeLate)
    #expect(!capabilities(["TERM": "xterm-kitty"]).traits.signalsSizeLate)
  }

  @Test func urxvtKeepsItsCursorsColumn() {
    #expect(capabilities(["TERM": "rxvt-unicode-256color"]).traits.keepsCursorColumn)
    #expect(!capabilities(["TERM": "alacritty"]).traits.keepsCursorColumn)
  }

  /// A terminal that is not known keeps its scrollback right, at the price of a copy of the banner.
  @Test func erasedCellsAreTextUnlessTheTerminalIsKnown() {
    for term in ["xterm-256color", "alacritty", "something-new"] {
      #expect(capabilities(["TERM": term]).traits.breaksErasedCells)
    }
    for term in ["xterm-kitty", "foot", "rxvt-unicode-256color", "tmux-256color"] {
      #expect(!capabilities(["TERM": term]).traits.breaksErasedCells)
    }
    // xterm breaks no row.
    #expect(!capabilities(["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"]).traits.breaksErasedCells)
  }

  @Test func accessibleMeansTheCursorStays() {
    #expect(capabilities(["TERM": "xterm"]).movesCursor)
    #expect(!capabilities(["TERM": "xterm"], isTerminal: false).movesCursor)
    #expect(!capabilities(["TERM": "dumb"]).movesCursor)
    let accessible = capabilities(["TERM": "xterm", "ACCESSIBLE": "1"])
    #expect(accessible.isAccessible && !accessible.movesCursor)
    #expect(!capabilities(["TERM": "xterm", "ACCESSIBLE": "0"]).isAccessible)
  }

  @Test func signsBeyondASCIINeedTheLocaleAndTheFont() {
    #expect(!capabilities(["TERM": "xterm", "LANG": "de_DE.UTF-8"]).usesASCII)
    #expect(!capabilities(["TERM": "xterm", "LANG": "C", "LC_ALL": "C.utf8"]).usesASCII)
    #expect(capabilities(["TERM": "xterm", "LANG": "de_DE.UTF-8", "LC_ALL": "C"]).usesASCII)
    #expect(capabilities(["TERM": "xterm"]).usesASCII)
    #expect(capabilities(["TERM": "linux", "LANG": "de_DE.UTF-8"]).usesASCII)
  }
}
