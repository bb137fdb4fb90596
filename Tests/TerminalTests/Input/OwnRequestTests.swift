@testable import Overline
import OverlineTestThread
import Testing

/// Hazard 12: the window's own request. No answer to it reaches the program, and no answer to the program's requests is consumed.
@Suite(.ownThread) struct OwnRequestTests {
  private func asking(after queries: TerminalQuery...) -> InputScene {
    var scene = InputScene(offset: 0)
    for query in queries { scene.rewriter.expect(query) }
    scene.rewriter.ask()
    return scene
  }

  @Test func theAnswerIsTheWindows() {
    var scene = asking()
    #expect(scene.rewriter.answer == .awaited)
    #expect(scene.rewriter.isAnswerOwed)
    #expect(scene.read("a␛[12;40Rb") == "ab")
    #expect(scene.rewriter.answer == .awaited, "until it is certain that it is")
    #expect(scene.read("c␛[?62;22cd") == "cd")
    #expect(scene.rewriter.answer == .position(row: 12, column: 40))
    #expect(!scene.rewriter.isAnswerOwed)
    #expect(scene.read("␛[1;2R␛[?62;22c") == "␛[1;2R␛[?62;22c")
  }

  @Test func theProgramsOwnAnswersComeFirst() {
    var scene = asking(after: .cursorPosition(offset: 0), .deviceAttributes, .cursorPosition(offset: 1))
    #expect(scene.read("␛[3;3R") == "")
    #expect(scene.read("␛[?1c") == "␛[3;3R␛[?1c")
    #expect(scene.read("␛[4;4R␛[5;5R␛[?1c") == "␛[3;4R")
    #expect(scene.rewriter.answer == .position(row: 5, column: 5))
  }

  /// While no banner shows the window does not parse the program's requests.
  @Test func answersToRequestsFromBeforeTheBannerAreTheProgramsToo() {
    var scene = asking()
    #expect(scene.read("␛[3;3R␛[4;4R␛[5;5R␛[?1c") == "␛[3;3R␛[4;4R")
    #expect(scene.rewriter.answer == .position(row: 5, column: 5))
    // All answers to device attributes are equal. So count them: the program must get one for each of its requests.
    scene = asking()
    #expect(scene.read("␛[?1c") == "")
    #expect(scene.rewriter.answer == InputRewriter.Answer.none)
    #expect(scene.read("␛[5;5R␛[?1c") == "␛[?1c")
  }

  /// A request that was never answered does not shift the others.
  @Test func aRequestWithoutAnAnswerDoesNotShiftTheOthers() {
    var scene = asking(after: .cursorPosition(offset: 0), .textAreaPixels(offset: 0))
    #expect(scene.read("␛[5;5R␛[?1c") == "")
    #expect(scene.rewriter.answer == .position(row: 5, column: 5))
    #expect(scene.rewriter.expected.isEmpty)
  }

  @Test func aTerminalThatDoesNotSay() {
    var scene = asking()
    #expect(scene.read("x␛[?1cy") == "xy")
    #expect(scene.rewriter.answer == InputRewriter.Answer.none)
    #expect(scene.read("␛[1;2R") == "␛[1;2R")
    scene.rewriter.ask()
    #expect(scene.read("␛[5;5R␛[?1c") == "")
    #expect(scene.rewriter.answer == .position(row: 5, column: 5))
  }

  @Test func aLateAnswerDoesNotReachTheProgram() {
    var scene = asking()
    #expect(scene.stopWaiting() == "")
    #expect(scene.rewriter.answer == InputRewriter.Answer.none)
    #expect(scene.rewriter.isAnswerOwed)
    scene.rewriter.expect(.cursorPosition(offset: 0))
    scene.rewriter.expect(.deviceAttributes)
    #expect(scene.read("␛[5;5Ra␛[?1cb␛[6;6R␛[?1c") == "ab␛[6;6R␛[?1c")
    #expect(scene.rewriter.answer == InputRewriter.Answer.none)
  }

  @Test func aReportWithoutItsEndIsAnAnswerWhenNoMoreComes() {
    var scene = asking()
    #expect(scene.read("␛[5;5R") == "")
    #expect(scene.stopWaiting() == "")
    #expect(scene.rewriter.answer == .position(row: 5, column: 5))
    #expect(scene.read("␛[?1c") == "")
    // The terminal answers the first of two requests.
    scene = asking(after: .cursorPosition(offset: 0))
    #expect(scene.read("␛[5;5R") == "")
    #expect(scene.stopWaiting() == "␛[5;5R")
    #expect(scene.rewriter.answer == InputRewriter.Answer.none)
    #expect(scene.read("␛[6;6R␛[?1c") == "")
  }

  @Test func ofTwoRequestsTheSecondCounts() {
    var scene = asking()
    _ = scene.stopWaiting()
    scene.rewriter.ask()
    #expect(scene.read("␛[5;5R␛[?1c") == "")
    #expect(scene.rewriter.answer == .awaited)
    #expect(scene.read("␛[6;6R␛[?1c") == "")
    #expect(scene.rewriter.answer == .position(row: 6, column: 6))
  }

  @Test func aTornAnswerIsHeldForAsLongAsItsRestIsOwed() {
    var scene = asking()
    #expect(scene.read("␛") == "")
    #expect(scene.read("[") == "")
    #expect(scene.read("5;") == "")
    #expect(scene.release() == "" && scene.rewriter.isHolding)
    #expect(scene.read("5R␛[?") == "")
    #expect(scene.release() == "")
    #expect(scene.read("1c") == "")
    #expect(scene.rewriter.answer == .position(row: 5, column: 5))
    // The wait is over, the answer is not.
    scene = asking()
    #expect(scene.stopWaiting() == "")
    #expect(scene.read("␛[") == "")
    #expect(scene.release() == "")
    #expect(scene.read("5;") == "")
    #expect(scene.release() == "")
    #expect(scene.read("5R␛[?") == "")
    #expect(scene.release() == "")
    #expect(scene.read("1cx") == "x")
    #expect(!scene.rewriter.isAnswerOwed)
  }

  /// While an answer is owed, a single ESC may be its first byte. After the pause it is the Esc key.
  @Test func aSingleEscapeWaitsForThePauseWhileAnAnswerIsOwed() {
    var scene = asking()
    #expect(scene.stopWaiting() == "")
    #expect(scene.read("␛") == "")
    #expect(scene.read("[5;5R") == "")
    #expect(scene.read("␛") == "" && scene.rewriter.isHolding)
    #expect(scene.release() == "␛")
    // The rest of the answer comes after all.
    #expect(scene.read("[?1c") == "")
    #expect(scene.read("␛") == "␛")
  }

  @Test func keysBetweenTheAnswersPass() {
    var scene = asking()
    #expect(scene.read("␛[A␛[5;5R␛[B␛OP␛x") == "␛[A␛[B␛OP␛x")
    #expect(scene.read("␛[200~␛[9;9R␛[?1c␛[201~␛[?1c") == "␛[200~␛[9;9R␛[?1c␛[201~")
    #expect(scene.rewriter.answer == .position(row: 5, column: 5))
  }

  /// The terminal answered the program in 8-bit controls: the window missed the answer, and does not wait for it.
  @Test func whatTheProgramAskedBeforeIsAnsweredBefore() {
    var scene = InputScene(offset: 1)
    scene.rewriter.expect(.deviceAttributes)
    scene.rewriter.ask()
    #expect(scene.read("␛[5;7R␛[?62;4c") == "")
    #expect(scene.rewriter.answer == .position(row: 5, column: 7))
    #expect(!scene.rewriter.isAnswerOwed)
  }

  /// XTWINOPS 18, which the window sends before its question for the cursor.
  @Test func theSizeIsTheWindows() {
    var scene = InputScene(offset: 1)
    scene.rewriter.expect(.textAreaSize(offset: 1))
    scene.rewriter.ask(withSize: true)
    scene.rewriter.expect(.textAreaSize(offset: 1))
    #expect(scene.read("␛[8;24;80t") == "␛[8;23;80t", "the program asked first")
    #expect(scene.rewriter.reportedSize == nil)
    #expect(scene.read("␛[8;22") == "")
    #expect(scene.read(";80t␛[12;40R␛[?62c") == "")
    #expect(scene.rewriter.reportedSize! == (22, 80) && scene.rewriter.answer == .position(row: 12, column: 40))
    #expect(scene.read("␛[8;22;80t") == "␛[8;21;80t")
  }

  @Test func aSizeForAnAbandonedQuestionDoesNotCount() {
    var scene = InputScene(offset: 1)
    var rest: [UInt8] = []
    scene.rewriter.ask(withSize: true)
    scene.rewriter.stopWaiting(into: &rest)
    scene.rewriter.ask(withSize: true)
    #expect(scene.read("␛[8;22;80t␛[12;40R␛[?62c") == "" && rest.isEmpty)
    #expect(scene.rewriter.reportedSize == nil && scene.rewriter.answer == .awaited)
    #expect(scene.read("␛[13;40R␛[?62c") == "")
    #expect(scene.rewriter.reportedSize == nil && scene.rewriter.answer == .position(row: 13, column: 40))
  }
}
