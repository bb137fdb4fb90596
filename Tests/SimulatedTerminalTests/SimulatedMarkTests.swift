import OverlineSimulatedTerminal
import OverlineTestThread
import Testing

/// The marks of shell integration, measured in kitty and foot.
@Suite(.ownThread) struct SimulatedMarkTests {
  private func terminal(_ family: TerminalFamily, _ text: String) -> SimulatedTerminal {
    var terminal = SimulatedTerminal(rows: 6, columns: 20, family: family)
    terminal.write(text)
    return terminal
  }

  private func marks(_ terminal: SimulatedTerminal) -> [String] {
    (0..<terminal.rows).map { row in terminal.mark(row: row).map { String(Unicode.Scalar($0)) } ?? "" }
  }

  private let both = [TerminalFamily.kitty, .foot]

  @Test func whichAreKept() {
    let text = "\u{1b}]133;A\u{7}$ ls\r\n\u{1b}]133;C\u{7}out\r\n"
    #expect(marks(terminal(.kitty, text)).prefix(2) == ["A", "C"])
    #expect(marks(terminal(.foot, text)).prefix(2) == ["A", ""])
    for family in [TerminalFamily.xterm, .tmux, .screen, .alacritty] {
      #expect(marks(terminal(family, text)) == Array(repeating: "", count: 6))
    }
    #expect(marks(terminal(.kitty, "\u{1b}]133;A;k=s\u{7}"))[0] == "C")
    #expect(marks(terminal(.kitty, "\u{1b}]133;B\u{7}\u{1b}]133;D\u{7}"))[0] == "")
  }

  @Test(arguments: ["\r\u{1b}[K", "\r\u{1b}[2K", "\r\u{1b}[9X", "\rother", "\u{1b}[?1049h\u{1b}[?1049l"])
  func operationsThatKeep(_ operation: String) {
    for family in both {
      #expect(marks(terminal(family, "one\r\n\u{1b}]133;A\u{7}$ " + operation))[1] == "A", "\(family.name)")
    }
  }

  @Test(arguments: ["\u{1b}[H\u{1b}[L", "\u{1b}[H\u{1b}M", "\u{1b}[T"]) func operationsThatMove(_ operation: String) {
    for family in both {
      #expect(marks(terminal(family, "one\r\n\u{1b}]133;A\u{7}$ " + operation))[2] == "A", "\(family.name)")
    }
  }

  @Test func erasingBelow() {
    for family in both {
      let text = "one\r\n\u{1b}]133;A\u{7}$ \r\n\u{1b}]133;A\u{7}$ "
      #expect(marks(terminal(family, text + "\u{1b}[2;1H\u{1b}[J"))[1...2] == ["A", ""], "\(family.name)")
      #expect(marks(terminal(family, text + "\u{1b}[1;1H\u{1b}[J"))[1...2] == ["", ""], "\(family.name)")
      #expect(marks(terminal(family, text + "\u{1b}[1;20H\u{1b}[J"))[1...2] == ["", ""], "\(family.name)")
    }
  }

  @Test func kittyBlanksThePromptAtAResize() {
    let output = "\u{1b}]133;A\u{7}$ make\r\n\u{1b}]133;C\u{7}building\r\n"
    var running = terminal(.kitty, output)
    running.resize(rows: 6, columns: 18)
    #expect(running.text() == ["$ make", "building"])
    var prompt = terminal(.kitty, output + "\u{1b}]133;A\u{7}$ prompt")
    prompt.resize(rows: 6, columns: 18)
    #expect(prompt.text() == ["$ make", "building"])
    var spared = terminal(.kitty, output + "\u{1b}]133;A;redraw=0\u{7}$ prompt")
    spared.resize(rows: 6, columns: 18)
    #expect(spared.text() == ["$ make", "building", "$ prompt"])
  }
}
