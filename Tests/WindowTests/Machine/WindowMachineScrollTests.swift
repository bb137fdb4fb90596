import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// A window whose program prints lines: when they pass, and what the window asks the terminal before and after them.
@Suite(.ownThread) struct WindowMachineScrollTests {
  @Test func outputThatScrollsLiftsTheBannerTwentyTimesPerSecond() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.pass(.milliseconds(100))
    script.forget()
    script.print("\r\none")
    // The terminal reports where its cursor is, and the output passes.
    #expect(script.questions == 1)
    #expect(!script.readsOutput)
    script.type("\u{1b}[24;5R\u{1b}[?62c")
    #expect(script.written.contains("one"))
    // The banner is back in the same write, and the terminal reports its cursor again: it may have lost rows before that write.
    #expect(script.questions == 2 && !script.isBannerLifted)
    script.type("\u{1b}[24;80R\u{1b}[?62c")
    script.pass(.zero)
    script.forget()
    script.print(" more")
    #expect(script.written.contains("more"))
    script.print("\r\ntwo")
    #expect(!script.readsOutput)
    #expect(script.questions == 0)
    script.pass(.milliseconds(50))
    script.type("\u{1b}[24;9R\u{1b}[?62c")
    #expect(script.written.contains("two"))
  }

  /// The terminal had another size when it handled the last lines, and the signal has not come yet.
  @Test func aCursorInAnotherRowIsAChangeOfSize() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    script.type("\u{1b}[27;5R\u{1b}[?62c")
    #expect(!script.readsOutput)
    script.resize(rows: 27, columns: 80)
    script.forget()
    script.pass(.milliseconds(300))
    #expect(script.questions == 1)
  }

  /// The terminal has answered for its old size, and its rows have moved since. The cursor may still be in the expected row.
  @Test(arguments: [57, 80]) func aNewSizeBeforeTheAnswer(columns: Int) {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    script.forget()
    script.resize(rows: 24, columns: columns)
    script.type("\u{1b}[24;5R\u{1b}[?62c")
    #expect(!script.written.contains("one") && !script.readsOutput)
    script.pass(.milliseconds(300))
    for _ in 1...2 {
      script.type("\u{1b}[24;5R\u{1b}[?62c")
      script.pass(.milliseconds(100))
    }
    #expect(script.written.contains("one"))
  }

  /// kitty was already narrower when it handled the last lines, and the signal came after them. If a row was cut off, all rows are printed
  /// again, from the first.
  @Test(arguments: [(57, 70), (57, 20), (80, 70), (78, 70)])
  func rowsThatWerePrintedAtAnotherWidth(reported: Int, length: Int) {
    let script = MachineScript.startedOnFullScreen()
    script.print(String(repeating: "\u{8}", count: 7) + String(repeating: "x", count: length) + "\r\none")
    script.type("\u{1b}[24;7R\u{1b}[?62c")
    #expect(script.written.hasSuffix("\u{1b}[999C\u{1b}[6n\u{1b}[4G\u{1b}[c"))
    script.type("\u{1b}[24;\(reported)R\u{1b}[?62c")
    // The signal may be late. Meanwhile the output waits.
    #expect(script.readsOutput == (length <= reported))
    script.resize(rows: 24, columns: 57)
    script.pass(.milliseconds(300))
    script.forget()
    script.type("\u{1b}[24;4R\u{1b}[?62c")
    let isPrintedFlowing = script.written.contains("line 3\u{1b}[K\r\nline 4\u{1b}[K\r\n")
    #expect(isPrintedFlowing == (length > reported))
    #expect(script.written.contains("No connection") && script.cursorRow == 24)
  }

  /// The terminal lost rows before it handled the last lines, and got them back: it has saved the banner, and a new one takes a row again.
  @Test func rowsThatWereLostBeforeTheLastOutput() {
    let script = MachineScript.startedOnFullScreen()
    script.print("\r\none")
    script.type("\u{1b}[24;5R\u{1b}[?62c")
    script.type("\u{1b}[20;80R\u{1b}[?62c")
    script.resize(rows: 20, columns: 80)
    script.resize(rows: 24, columns: 80)
    script.pass(.milliseconds(300))
    script.forget()
    // The answers for the new size and for the banner.
    for _ in 1...2 { script.type("\u{1b}[24;4R\u{1b}[?62c") }
    // The terminal's first row is the program's: it is saved before the banner takes its place.
    #expect(script.written.contains("\u{1b}[24;1H\n"))
    #expect(script.written.contains("No connection") && script.cursorRow == 24)
    #expect(script.programSize == TerminalSize(rows: 23, columns: 80))
  }

  /// A wider terminal joins the rows of long lines, and its cursor moves up. The banner is still there.
  @Test func rowsThatAWiderTerminalJoinedAreNotLost() {
    let script = MachineScript.startedOnFullScreen()
    script.print("\r\none")
    script.type("\u{1b}[24;5R\u{1b}[?62c")
    script.type("\u{1b}[20;80R\u{1b}[?62c")
    script.resize(rows: 24, columns: 100)
    script.pass(.milliseconds(300))
    script.forget()
    script.type("\u{1b}[24;4R\u{1b}[?62c")
    #expect(!script.written.contains("\n"))
    #expect(script.written.contains("No connection") && script.cursorRow == 24)
  }

  /// A shell erases below its prompt after the line feed, which ends the scrolling in the middle of the batch.
  @Test(arguments: ["\r\none", "\r\n\u{1b}[J$ "])
  func afterOutputThatScrolledTheTerminalReportsItsCursor(text: String) {
    let script = MachineScript.startedOnFullScreen()
    script.print(text)
    script.type("\u{1b}[24;8R\u{1b}[?62c")
    script.pass(.zero)
    #expect(script.questions == 2 && script.isAnswerAwaited)
  }

  /// In origin mode a terminal reports its cursor's row from its top margin.
  @Test func aRowInOriginModeIsNoChangeOfSize() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[5;10r\u{1b}[?6h")
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    script.pass(.milliseconds(100))
    script.print("\u{1b}[2;3Hx")
    script.type("\u{1b}[1;1R\u{1b}[?62c")
    #expect(script.written.contains("x"))
    #expect(script.readsOutput)
  }

  /// A terminal that reports another row again, after the rows were printed, has no other size: the program must not wait for ever.
  @Test func aSecondWrongRowLetsTheOutputPass() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    script.type("\u{1b}[22;5R\u{1b}[?62c")
    for _ in 1...4 where !script.written.contains("one") {
      script.pass(.milliseconds(300))
      script.type("\u{1b}[22;5R\u{1b}[?62c")
    }
    #expect(script.written.contains("one"))
    script.pass(.seconds(2))
    #expect(script.readsOutput)
  }

  /// A second drag after a repair is a new size too.
  @Test func afterASignalledSizeAWrongRowIsANewSizeAgain() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    script.type("\u{1b}[20;5R\u{1b}[?62c")
    script.resize(rows: 20, columns: 80)
    script.pass(.milliseconds(300))
    script.type("\u{1b}[20;5R\u{1b}[?62c")
    script.pass(.milliseconds(100))
    script.forget()
    script.type("\u{1b}[18;5R\u{1b}[?62c")
    #expect(!script.written.contains("one"))
  }

  /// Another process has written to the terminal: no rows have moved, and no line leaves the screen.
  @Test(arguments: [21, 23])
  func aWrongRowWithoutANewSizeMovesNothing(row: Int) {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[21;1Hlast")
    script.print("\r\n\n\n\none")
    script.type("\u{1b}[\(row);5R\u{1b}[?62c")
    script.pass(.milliseconds(300))
    script.forget()
    script.type("\u{1b}[\(row);5R\u{1b}[?62c")
    // The cursor returns first: the rows are printed with motions relative to it.
    #expect(script.written.hasPrefix("\u{1b}[22;5H"))
    #expect(script.written.contains("last") && script.written.contains("No connection"))
    #expect(!script.written.contains("\n"))
    #expect(script.cursorRow == 22)
  }

  /// kitty reports a cursor behind the last column as the first column of the next row.
  @Test func aFullRowIsNoChangeOfSize() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[12;1H" + String(repeating: "x", count: 80))
    script.pass(.milliseconds(100))
    script.print(String(repeating: "\r\n", count: 12) + "one")
    script.type("\u{1b}[14;1R\u{1b}[?62c")
    #expect(script.written.contains("one"))
  }

  /// The program of a whole screen prints a lot, but scrolls nothing: its output waits for no answer of the terminal.
  @Test func outputAtPositionsWaitsForNothing() {
    let script = MachineScript.started()
    script.lose()
    script.pass(.milliseconds(100))
    script.forget()
    let words = String(repeating: "word ", count: 15)
    let frame = (1...22).map { "\u{1b}[\($0);1H\u{1b}[3\($0 % 8)m\(words)\u{1b}[K" }
    // Reads end in the middle of a sequence.
    let bytes = Array(String(repeating: frame.joined(), count: 20).utf8)
    for start in stride(from: 0, to: bytes.count, by: 1003) {
      script.send(.printed(Array(bytes[start..<min(start + 1003, bytes.count)])))
      script.pass(.milliseconds(1))
    }
    #expect(script.questions == 0)
  }

  /// After DECCOLM the terminal wraps text at its new width before it reports that width.
  @Test func outputBehindAColumnChangeWaitsForTheNewWidth() {
    let script = MachineScript.started()
    script.lose()
    script.pass(.milliseconds(100))
    script.print("\u{1b}[?40h\u{1b}[?3h\u{1b}[1;1Hwide")
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    #expect(script.written.contains("\u{1b}[?3h"))
    #expect(!script.written.contains("wide"))
    #expect(!script.readsOutput)
    script.pass(.milliseconds(200))
    script.resize(rows: 24, columns: 132)
    script.pass(.milliseconds(300))
    script.type("\u{1b}[2;1R\u{1b}[?62c")
    script.pass(.milliseconds(100))
    script.type("\u{1b}[2;1R\u{1b}[?62c")
    #expect(script.written.contains("wide"))
    #expect(script.programSize == TerminalSize(rows: 23, columns: 132))
    // A terminal that ignores DECCOLM keeps its size.
    script.print("\u{1b}[?3lnarrow")
    script.pass(.seconds(1))
    script.type("\u{1b}[2;5R\u{1b}[?62c")
    script.pass(.seconds(1))
    script.type("\u{1b}[2;1R\u{1b}[?62c")
    script.pass(.seconds(2))
    #expect(script.written.contains("narrow"))
    #expect(script.readsOutput)
  }

  @Test func aStopReleasesOutputBehindAColumnChange() {
    let script = MachineScript.started()
    script.lose()
    script.pass(.milliseconds(100))
    script.print("\u{1b}[?40h\u{1b}[?3h\u{1b}[1;1Hwide")
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    script.send(.programStopped)
    // The terminal may already have its new width.
    for _ in 1...2 { script.type("\u{1b}[2;1R\u{1b}[?62c") }
    #expect(script.written.contains("wide"))
  }

  /// A terminal would drop the string and print its rest.
  @Test(arguments: [["\u{1b}]52;c;AAAA", "AAAA\u{7}\r\none"], ["\r\none\u{1b}[J\u{1b}]0;ti"]])
  func theWindowAsksNothingInsideAControlString(parts: [String]) {
    let script = MachineScript.startedOnFullScreen()
    script.forget()
    if parts.count == 1 {
      script.print(parts[0])
      script.type("\u{1b}[24;8R\u{1b}[?62c")
      script.forget()
      script.pass(.milliseconds(20))
      #expect(script.written.isEmpty)
      script.print("tle\u{7}")
      script.pass(.milliseconds(60))
      #expect(script.written.hasPrefix("tle\u{7}") && !script.isBannerLifted)
    } else {
      for part in parts { script.print(part) }
      #expect(script.written.contains("AAAAAAAA\u{7}") && script.written.contains("one"))
    }
  }

  /// Another process prints below the program's screen all the time. That is no size which is being changed.
  @Test func aCursorThatAnotherProcessMovesHoldsNoOutput() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.print("\r\none")
    for column in 1...5 where !script.written.contains("one") {
      script.type("\u{1b}[22;\(column)R\u{1b}[?62c")
      script.pass(.milliseconds(300))
    }
    #expect(script.written.contains("one"))
  }

  /// The window asks again in the next outage.
  @Test func aTerminalThatWasSilentOnceIsAskedAgain() {
    let script = MachineScript.startedOnFullScreen()
    script.print("\r\none")
    script.pass(.seconds(1))
    #expect(script.written.contains("one"))
    script.forget()
    script.print("\r\ntwo")
    #expect(script.written.contains("two") && script.questions == 0)
    script.restore()
    script.pass(.seconds(10))
    #expect(!script.showsBanner)
    script.lose()
    script.pass(.seconds(1))
    script.forget()
    script.print("\r\nthree")
    #expect(script.questions == 1)
  }

  /// The window reads faster than the program prints. If each short pause ended the lift, a flood would wait most of the time.
  @Test func aFloodIsLiftedUntilItPauses() {
    let script = MachineScript.started()
    script.lose()
    let lines = String(repeating: "line\r\n", count: 3000)
    script.print(lines)
    script.type("\u{1b}[\(script.cursorRow);6R\u{1b}[?62c")
    for part in 1...4 {
      script.pass(.milliseconds(9))
      #expect(script.isBannerLifted)
      script.print("part \(part)\r\n")
      #expect(script.written.contains("part \(part)"))
    }
    script.pass(.milliseconds(10))
    #expect(!script.isBannerLifted && script.questions == 1)
    // After a flood the next lift comes at once, without the usual interval.
    script.print(lines)
    #expect(script.questions == 2)
  }

  // MARK: - The terminal's pace

  private static let lines = String(repeating: "line\r\n", count: 3000)

  /// How long the banner is away in a flood.
  private func batchTime(_ script: MachineScript, answerAfter delay: Int) -> Int {
    script.print(Self.lines)
    script.pass(.milliseconds(delay))
    script.type("\u{1b}[\(script.cursorRow);6R\u{1b}[?62c")
    var time = 0
    while script.isBannerLifted, time < 1000 {
      script.print("more\r\n")
      script.pass(.milliseconds(5))
      time += 5
    }
    return time
  }

  /// Each return of the banner costs an answer: in a flood a slow terminal has it less often.
  @Test(arguments: [(0, 50), (10, 50), (40, 160), (100, 380), (190, 380)])
  func aTerminalThatAnswersLateGetsLongBatches(delay: Int, time: Int) {
    let script = MachineScript.startedOnFullScreen()
    #expect(batchTime(script, answerAfter: delay) == time)
    // The pace is that of the last answer.
    #expect(batchTime(script, answerAfter: 0) == 50)
  }

  @Test func aTerminalThatDrawsSlowlyGetsLongBatches() {
    let script = MachineScript.startedOnFullScreen()
    script.print(Self.lines)
    script.type("\u{1b}[\(script.cursorRow);6R\u{1b}[?62c")
    script.acceptsBytes = false
    script.pass(.milliseconds(10))
    #expect(!script.isBannerLifted)
    script.pass(.milliseconds(60))
    script.acceptsBytes = true
    #expect(batchTime(script, answerAfter: 0) == 240)
    #expect(batchTime(script, answerAfter: 0) == 50)
  }
}
