import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// foot moves its rows at once, and signals the new size 100 ms after the dragged edge rests, or later on a busy machine.
@Suite(.ownThread) struct WindowMachineFootTests {
  /// The answers of a terminal of this size.
  private func answer(rows: Int, columns: Int = 80, cursor row: Int? = nil) -> String {
    "\u{1b}[8;\(rows);\(columns)t\u{1b}[\(row ?? rows);6R\u{1b}[?62c"
  }

  /// An offline window whose first output scrolls below the banner, and waits for the terminal's answer.
  private func asking() -> MachineScript {
    let script = MachineScript.started(term: "foot")
    script.lose()
    script.type(answer(rows: 24, cursor: 1))
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    return script
  }

  /// Rows that are printed for the size of the last signal would overwrite others.
  @Test(arguments: [[22, 20, 18], [25, 27, 30], [18, 21, 24]])
  func outputWaitsForTheSignalOfALaterSize(rows: [Int]) {
    let script = asking()
    #expect(script.written.hasSuffix("\u{1b}[18t\u{1b}[6n\u{1b}[c"))
    script.forget()
    for row in rows where row != 24 {
      script.type(answer(rows: row))
      #expect(!script.written.contains("last"))
      script.pass(.milliseconds(300))
    }
    // The edge rests, and the signal comes before the answer to the last question.
    script.resize(rows: rows.last!, columns: 80)
    for _ in 1...2 {
      script.type(answer(rows: rows.last!))
      script.pass(.milliseconds(300))
    }
    #expect(script.written.contains("No connection"))
    #expect(script.programSize.rows == rows.last! - 1)
  }

  @Test func outputWaitsForALateSignalOfANewWidth() {
    let script = asking()
    script.forget()
    for columns in [70, 60] {
      script.type(answer(rows: 24, columns: columns))
      #expect(!script.written.contains("one") && !script.written.contains("last"))
      script.pass(.milliseconds(300))
    }
    script.resize(rows: 24, columns: 60)
    for _ in 1...2 {
      script.type(answer(rows: 24, columns: 60))
      script.pass(.milliseconds(300))
    }
    #expect(script.written.contains("No connection") && script.programSize.columns == 60)
  }

  /// foot lost rows before the last output and has them again: no signal comes, and the banner is in the scrollback.
  @Test func rowsThatFootLostAndGotBack() {
    let script = MachineScript.startedOnFullScreen(term: "foot")
    script.print("\r\none")
    script.type(answer(rows: 24))
    script.type(answer(rows: 22))
    script.print("\r\ntwo")
    script.pass(.milliseconds(50))
    for row in [20, 24, 24] {
      script.type(answer(rows: row))
      script.pass(.milliseconds(300))
    }
    script.forget()
    for _ in 1...2 { script.type(answer(rows: 24)) }
    #expect(script.written.contains("\u{1b}[24;1H\n") && script.written.contains("No connection"))
  }

  /// A size that the kernel never learns, as behind a serial line, does not stop the program for ever, and delays it only once.
  @Test func aSizeWithoutASignalDelaysOutputOnce() {
    let script = asking()
    script.forget()
    for _ in 1...8 where !script.readsOutput {
      script.type(answer(rows: 40, cursor: 24))
      script.pass(.milliseconds(300))
    }
    #expect(script.readsOutput && script.written.contains("one"))
    script.pass(.seconds(1))
    script.print("\r\ntwo")
    for _ in 1...3 { script.type(answer(rows: 40, cursor: 24)) }
    #expect(script.readsOutput && script.written.contains("two"))
  }

  /// The edge is dragged for seconds before the first banner. The window knows the rows' places only when foot has the size that the kernel knows.
  @Test func theFirstBannerWaitsForTheEndOfADrag() {
    let script = MachineScript.started(term: "foot")
    script.lose()
    for row in 25...33 {
      script.type(answer(rows: row, cursor: 1))
      #expect(!script.showsBanner)
      script.pass(.milliseconds(300))
    }
    script.resize(rows: 33, columns: 80)
    for _ in 1...2 {
      script.pass(.milliseconds(300))
      script.type(answer(rows: 33, cursor: 1))
    }
    #expect(script.showsBanner && script.programSize.rows == 32)
  }

  /// The banner leaves at fixed places.
  @Test func theBannerLeavesOnceTheSizeIsConfirmed() {
    let script = MachineScript.startedOnFullScreen(term: "foot")
    script.restore()
    script.type(answer(rows: 24))
    script.forget()
    script.pass(.seconds(2))
    #expect(script.isAnswerAwaited && script.written == "\u{1b}[18t\u{1b}[6n\u{1b}[c")
    script.type(answer(rows: 26, cursor: 26))
    script.pass(.milliseconds(100))
    #expect(script.showsBanner && script.written.ranges(of: "[18t").count == 1)
    script.resize(rows: 26, columns: 80)
    script.pass(.milliseconds(300))
    script.type(answer(rows: 26, cursor: 26))
    script.type(answer(rows: 26, cursor: script.cursorRow))
    #expect(!script.showsBanner)
  }

  /// Without an answer it leaves too.
  @Test func theBannerLeavesWithoutAnAnswer() {
    let script = MachineScript.startedOnFullScreen(term: "foot")
    script.restore()
    script.type(answer(rows: 24))
    script.pass(.seconds(4))
    #expect(!script.showsBanner)
  }

  /// Below a lifted banner the cursor is in another row. A frame of the banner asks nothing then.
  @Test func aFrameDuringAFloodDelaysNothing() {
    let script = MachineScript.startedOnFullScreen(term: "foot")
    script.print((1...200).map { "\r\nline \($0) \(String(repeating: "x", count: 60))" }.joined())
    script.type(answer(rows: 24))
    #expect(script.isBannerLifted && !script.isAnswerAwaited)
    script.restore()
    #expect(script.isBannerLifted && !script.isAnswerAwaited && script.readsOutput)
  }
}
