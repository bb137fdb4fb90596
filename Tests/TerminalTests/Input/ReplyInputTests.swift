@testable import Overline
import OverlineTestThread
import Testing

/// Hazard 11: rows in the terminal's answers count from below the banner; other input is unchanged.
@Suite(.ownThread) struct ReplyInputTests {
  private func scene(offset: Int = 2, _ queries: TerminalQuery...) -> InputScene {
    var scene = InputScene(offset: offset)
    for query in queries { scene.rewriter.expect(query) }
    return scene
  }

  @Test func answersAreMovedUp() {
    var scene = scene(
      .cursorPosition(offset: 2), .extendedCursorPosition(offset: 2), .textAreaSize(offset: 2),
      .textAreaPixels(offset: 2), .margins(offset: 2), .deviceAttributes)
    #expect(scene.read("␛[7;9R␛[?8;9;1R␛[8;24;80t") == "␛[5;9R␛[?6;9;1R␛[8;22;80t")
    #expect(scene.read("␛[4;480;800t␛P1$r3;24r␛\\␛[?62;4c") == "␛[4;440;800t␛P1$r1;22r␛\\␛[?62;4c")
    #expect(scene.rewriter.expected.isEmpty)
    let second = "␛[7;9R␛[?8;9R␛[8;24;80t␛[4;480;800t␛P1$r3;24r␛\\␛[?62;4c"
    #expect(scene.read(second) == second, "each is an answer once")
  }

  /// The terminal reports to the program the rows that the program set (DECSLPP, DECSNLS).
  @Test func theNumberOfRowsIsTheProgramsOwn() {
    var scene = scene(.rowCount(offset: 2), .margins(offset: 2), .rowCount(offset: 2))
    #expect(scene.read("␛P1$r26*|␛\\␛P1$r3;24r␛\\␛P1$r26t␛\\") == "␛P1$r24*|␛\\␛P1$r1;22r␛\\␛P1$r24t␛\\")
    #expect(scene.rewriter.expected.isEmpty)
    #expect(scene.read("␛P1$r26t␛\\") == "␛P1$r26t␛\\", "the program did not ask")
    scene.rewriter.expect(.rowCount(offset: 2))
    for other in ["␛P1$r1;2*|␛\\", "␛P1$r3;24r␛\\", "␛P1$r*|␛\\", "␛P1$r2**|␛\\", "␛P1$r2t2t␛\\", "␛P1$r0m␛\\"] {
      #expect(scene.read(other) == other)
    }
    #expect(scene.read("␛P1$r26t␛\\") == "␛P1$r24t␛\\")
  }

  /// F3 with Shift, Control or Alt in some terminals.
  @Test func aFunctionKeyIsNoReport() {
    var scene = scene()
    #expect(scene.read("␛[1;2R␛[1;5R␛[13;2R␛[?1;2R") == "␛[1;2R␛[1;5R␛[13;2R␛[?1;2R")
  }

  @Test func anAnswerGoesByTheBannerThatWasThereWhenItWasAsked() {
    var scene = scene(offset: 0, .cursorPosition(offset: 2), .cursorPosition(offset: 0), .textAreaSize(offset: 1))
    #expect(scene.read("␛[7;9R␛[7;9R␛[8;24;80t␛[1;2R") == "␛[5;9R␛[7;9R␛[8;23;80t␛[1;2R")
  }

  @Test func rowsStayOnTheScreen() {
    var scene = scene(offset: 3, .cursorPosition(offset: 3), .margins(offset: 3), .textAreaSize(offset: 3))
    #expect(scene.read("␛[2;9R␛P1$r1;2r␛\\␛[8;2;80t") == "␛[1;9R␛P1$r1;1r␛\\␛[8;1;80t")
  }

  /// tmux 3.3a reports the columns first.
  @Test func theSizeWithTheColumnsFirst() {
    var scene = scene(.textAreaSize(offset: 2), .textAreaSize(offset: 2))
    #expect(scene.read("␛[8;80;24t␛[8;24;80t") == "␛[8;80;22t␛[8;22;80t")
  }

  @Test func otherAnswersPass() {
    var scene = scene(.margins(offset: 2), .textAreaSize(offset: 2), .cursorPosition(offset: 2))
    let others =
      "␛P1$r0m␛\\␛P0$r␛\\␛P1+r544e=787465726d␛\\␛[9;24;80t␛[3;1;2t␛[0n␛]10;rgb:ff/ff/ff␛\\␛[>0;1;0c␛[?2026;1$y"
    #expect(scene.read(others) == others)
    #expect(scene.read("␛P1$r3;24r␛\\␛[8;24;80t␛[3;1R") == "␛P1$r1;22r␛\\␛[8;22;80t␛[1;1R")
  }

  @Test func theSizeThatIsReportedByItself() {
    var scene = scene(offset: 1)
    let report = "␛[48;24;80;480;800t"
    #expect(scene.read(report) == report, "not in mode 2048: no report of a size")
    scene.context.reportsResize = true
    #expect(scene.read(report) == "␛[48;23;80;460;800t")
    #expect(scene.read("␛[48;24;80;0;0t") == "␛[48;23;80;0;0t")
    let other = "␛[48;30;100;600;1000t"
    #expect(scene.read(other + "x") == "x", "the window reports a new size when the program gets it")
    scene.context.offset = 0
    #expect(scene.read(other) == other, "nothing shows: the terminal's own report passes")
  }

  @Test func aTerminalThatNeverAnswersCostsNothing() {
    var scene = InputScene(offset: 1)
    for _ in 0..<100_000 { scene.rewriter.expect(.cursorPosition(offset: 1)) }
    for number in 0..<100_000 {
      scene.rewriter.expect(number.isMultiple(of: 2) ? .textAreaSize(offset: 1) : .margins(offset: number & 7))
    }
    #expect(scene.rewriter.expected.runCount <= 64)
    // A terminal that answers device attributes has answered, or will never answer, all earlier requests.
    scene.rewriter.expect(.deviceAttributes)
    #expect(scene.read("␛[?1c") == "␛[?1c")
    #expect(scene.rewriter.expected.isEmpty)
    // The window's own requests are not stored either.
    for _ in 0..<1000 {
      scene.rewriter.ask()
      _ = scene.stopWaiting()
    }
    #expect(scene.rewriter.expected.runCount <= 64)
    #expect(scene.read("␛[200;1Rx") == "x")
  }

  @Test func manyAnswersOnTheirWay() {
    var scene = InputScene(offset: 1)
    for _ in 0..<1000 { scene.rewriter.expect(.cursorPosition(offset: 1)) }
    for row in 2..<1002 { #expect(scene.read("␛[\(row);1R") == "␛[\(row - 1);1R") }
    #expect(scene.rewriter.expected.isEmpty)
  }
}
