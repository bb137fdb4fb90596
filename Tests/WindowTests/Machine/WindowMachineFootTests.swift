import Overline
@testable import OverlineRun
import OverlineTestThread
import Testing

/// foot moves its rows at once, and signals the new size 100 ms after the dragged edge rests.
@Suite(.ownThread) struct WindowMachineFootTests {
  /// foot signals its new size once the edge rests. Until then rows that are printed at fixed places would overwrite others.
  @Test(arguments: [[22, 20, 18], [25, 27, 30]])
  func aCursorThatMovesOnIsASizeThatIsBeingChanged(rows: [Int]) {
    let script = MachineScript.started(term: "foot")
    script.lose()
    script.type("\u{1b}[1;6R\u{1b}[?62c")
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    script.forget()
    for row in rows {
      script.type("\u{1b}[\(row);80R\u{1b}[?62c")
      #expect(!script.written.contains("last"))
      script.pass(.milliseconds(300))
    }
    // The edge rests, and the signal comes before the answer to the last question.
    script.resize(rows: rows.last!, columns: 80)
    for _ in 1...2 {
      script.type("\u{1b}[\(rows.last!);80R\u{1b}[?62c")
      script.pass(.milliseconds(300))
    }
    #expect(script.written.contains("No connection"))
    #expect(script.programSize.rows == rows.last! - 1)
  }

  /// foot: the last column shows that the terminal is narrower, though no signal has come.
  @Test func outputWaitsForALateSignalOfANewWidth() {
    let script = MachineScript.started(term: "foot")
    script.lose()
    script.type("\u{1b}[1;6R\u{1b}[?62c")
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    #expect(script.written.hasSuffix("\u{1b}[999C\u{1b}[6n\u{1b}[5G\u{1b}[c"))
    script.forget()
    for columns in [70, 60] {
      script.type("\u{1b}[24;\(columns)R\u{1b}[?62c")
      #expect(!script.written.contains("one") && !script.written.contains("last"))
      script.pass(.milliseconds(300))
    }
    script.resize(rows: 24, columns: 60)
    for _ in 1...2 {
      script.type("\u{1b}[24;60R\u{1b}[?62c")
      script.pass(.milliseconds(300))
    }
    #expect(script.written.contains("No connection") && script.programSize.columns == 60)
  }

  /// foot lost rows before the last output and has them again: no signal comes, and the banner is in the scrollback.
  @Test func rowsThatFootLostAndGotBack() {
    let script = MachineScript.startedOnFullScreen(term: "foot")
    script.print("\r\none")
    script.type("\u{1b}[24;80R\u{1b}[?62c")
    script.type("\u{1b}[22;80R\u{1b}[?62c")
    script.print("\r\ntwo")
    script.pass(.milliseconds(50))
    for row in [20, 24, 24] {
      script.type("\u{1b}[\(row);80R\u{1b}[?62c")
      script.pass(.milliseconds(300))
    }
    script.forget()
    for _ in 1...2 { script.type("\u{1b}[24;80R\u{1b}[?62c") }
    #expect(script.written.contains("\u{1b}[24;1H\n") && script.written.contains("No connection"))
  }

  /// foot has grown on when it answers, and signals that later: nothing is printed for the old size. A terminal that always answers so must not
  /// stop the program for ever.
  @Test func aCursorBelowTheLastRowIsALaterSize() {
    let script = MachineScript.startedOnFullScreen(term: "foot")
    script.resize(rows: 28, columns: 80)
    script.pass(.milliseconds(300))
    script.forget()
    script.type("\u{1b}[31;8R\u{1b}[?62c")
    #expect(script.written.isEmpty)
    script.resize(rows: 31, columns: 80)
    for _ in 1...2 {
      script.pass(.milliseconds(300))
      script.type("\u{1b}[31;8R\u{1b}[?62c")
    }
    #expect(script.written.contains("No connection") && script.programSize.rows == 30)
    script.resize(rows: 28, columns: 80)
    for _ in 1...6 where !script.readsOutput {
      script.pass(.milliseconds(300))
      script.type("\u{1b}[31;8R\u{1b}[?62c")
    }
    #expect(script.readsOutput)
  }
}
