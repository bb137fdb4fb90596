@testable import Overline
import OverlineTestThread
import Testing

/// An open alert receives every key; the terminal's answers to the program still reach the program.
@Suite(.ownThread) struct CaptureTests {
  private static func capturing() -> InputScene {
    var scene = InputScene(offset: 0)
    scene.context.isCapturing = true
    return scene
  }

  @Test(arguments: [
    ("\r", AlertKey.confirm), (" ", .confirm), ("\t", .nextButton), ("\u{3}", .dismiss), ("3", .button(2)),
    ("␛[C", .nextButton), ("␛[D", .previousButton), ("␛[Z", .previousButton), ("␛OA", .previousButton),
    ("␛OM", .confirm),
    // kitty's keyboard protocol: Enter, Escape, Tab with Shift, Control-C, a digit.
    ("␛[13u", .confirm), ("␛[27u", .dismiss), ("␛[9;2u", .previousButton), ("␛[99;5u", .dismiss),
    ("␛[49;1:1u", .button(0)),
    // xterm's modifyOtherKeys: Control-C.
    ("␛[27;5;99~", .dismiss),
  ])
  func keys(typed: String, key: AlertKey) {
    var scene = Self.capturing()
    #expect(scene.read(typed) == "")
    #expect(scene.rewriter.takeOverlayInput() == [.alertKey(key)])
  }

  @Test(arguments: ["x", "ü", "␛[H", "␛[3~", "␛[13;1:3u", "␛x", "␛[200~1\r␛[201~", "␛[1;2R", "␛[200~a␛[A\r␛[201~"])
  func allOtherKeysAreDropped(typed: String) {
    var scene = Self.capturing()
    #expect(scene.read(typed) == "")
    #expect(scene.rewriter.takeOverlayInput().allSatisfy { $0 == .alertKey(.other) })
    #expect(scene.read("\r") == "")
    #expect(scene.rewriter.takeOverlayInput() == [.alertKey(.confirm)])
  }

  @Test func escapeAloneDismisses() {
    var scene = Self.capturing()
    #expect(scene.read("␛") == "")
    #expect(scene.rewriter.isHolding)
    #expect(scene.release() == "")
    #expect(scene.rewriter.takeOverlayInput() == [.alertKey(.dismiss)])
    // ESC may be the first byte of another key.
    #expect(scene.read("␛", "[C") == "")
    #expect(scene.rewriter.takeOverlayInput() == [.alertKey(.nextButton)])
  }

  /// These keys, typed with Alt, have the first bytes of a terminal's answer.
  @Test(arguments: ["␛]", "␛P", "␛_", "␛^"])
  func keysThatLookLikeAnswers(typed: String) {
    var scene = Self.capturing()
    #expect(scene.read(typed) == "")
    #expect(scene.release() == "")
    #expect(scene.read("secret") == "")
    #expect(scene.read(typed + "\r") == "")
    #expect(scene.rewriter.takeOverlayInput().last == .alertKey(.confirm))
  }

  @Test(arguments: [
    "␛[?62;c", "␛]11;rgb:0/0/0␛\\", "␛P1+r544e=78␛\\", "␛[I", "␛[?997;1n", "␛[?1u", "␛[48;24;80;0;0t", "␛[12;40R",
  ])
  func answersReachTheProgram(report: String) {
    var scene = Self.capturing()
    #expect(scene.read("y" + report + "n") == report)
    #expect(scene.rewriter.takeOverlayInput() == [.alertKey(.other), .alertKey(.other)])
    // Also in pieces.
    let half = report.index(report.startIndex, offsetBy: 3)
    #expect(scene.read(String(report[..<half]), String(report[half...])) == report)
  }

  /// However a report is torn, and for however long: no part of it answers the alert, and the program gets all of it or nothing.
  @Test(arguments: [
    "␛[1;5R", "␛[?1;2c", "␛[48;24;80;0;0t", "␛]11;rgb:1111/2222/3333␛\\", "␛]11;rgb:1/2/3\u{7}", "␛P1+r436f=323536␛\\",
    "␛P1$r0;1m␛\\",
  ])
  func noPartOfATornReportIsAKey(report: String) {
    for place in 2..<report.count {
      var scene = Self.capturing()
      scene.rewriter.expect(.cursorPosition(offset: 0))
      var passed = scene.read(String(report.prefix(place)))
      if scene.rewriter.isHolding { passed += scene.release() }
      passed += scene.read(String(report.dropFirst(place)))
      #expect(passed == (place > 2 || report.hasPrefix("␛[") ? report : ""), "\(place)")
      #expect(scene.rewriter.takeOverlayInput().allSatisfy { $0 == .alertKey(.other) }, "\(place)")
      #expect(scene.read("\r") == "")
      #expect(scene.rewriter.takeOverlayInput() == [.alertKey(.confirm)])
    }
  }

  /// Alone, a space counts as Enter, and so does `M` after `ESC O`.
  @Test(arguments: [("␛[M", "  !"), ("␛[M ", " !"), ("␛O", "M")])
  func noPartOfATornReportOfTheMouseIsAKey(first: String, rest: String) {
    var scene = InputScene(offset: 0, mouse: .normal)
    scene.context.isCapturing = true
    #expect(scene.read(first) == "")
    #expect(scene.release() == "")
    #expect(scene.read(rest) == "")
    #expect(scene.rewriter.takeOverlayInput().allSatisfy { $0 == .alertKey(.other) })
  }

  /// Escape after a key with Alt that looks like the beginning of an answer.
  @Test func escapeDismissesAfterAnAltKey() {
    var scene = Self.capturing()
    _ = scene.read("␛]")
    _ = scene.release()
    _ = scene.read("␛")
    #expect(scene.rewriter.isHolding)
    _ = scene.release()
    #expect(scene.rewriter.takeOverlayInput() == [.alertKey(.other), .alertKey(.dismiss)])
  }

  /// The key that breaks off a sequence is no answer to an alert that was not read yet.
  @Test(arguments: ["␛[1\r", "␛[1;2\r", "␛]1\r"]) func whatBreaksOffIsOnlyAKeyLater(typed: String) {
    var scene = Self.capturing()
    #expect(scene.read(typed) == "")
    #expect(scene.rewriter.takeOverlayInput() == [.alertKey(.other), .alertKey(.confirm)])
  }

  @Test func theMouseAnswersAndTheProgramGetsNothing() {
    var scene = InputScene(offset: 1, mouse: .button, encoding: .sgr)
    scene.context.isCapturing = true
    #expect(scene.read("␛[<0;10;7M␛[<0;10;7m␛[<64;1;9M") == "")
    #expect(scene.rewriter.takeOverlayInput() == [.alertPressed(row: 6, column: 9)])
    // The release of a button that was pressed before the alert came goes to the program.
    var early = InputScene(offset: 0, mouse: .button, encoding: .sgr)
    #expect(early.read("␛[<0;10;7M") == "␛[<0;10;7M")
    early.context.isCapturing = true
    #expect(early.read("␛[<0;10;7m") == "␛[<0;10;7m")
  }
}

/// A toast consumes only its own input.
@Suite(.ownThread) struct ToastInputTests {
  private static func scene(mouse: Modes.MouseTracking = .off) -> InputScene {
    var scene = InputScene(offset: 0, mouse: mouse, encoding: .sgr)
    scene.context.toast = CellArea(rows: 0..<2, columns: 30..<50)
    return scene
  }

  @Test func everyKeyIsTheProgramsWithoutAChord() {
    var scene = Self.scene()
    #expect(scene.read("a\u{14}␛", "[A\r␛") == "a\u{14}␛[A\r")
    #expect(scene.release() == "␛")
    #expect(scene.rewriter.takeOverlayInput() == [])
  }

  @Test func escapeAfterTheChord() {
    var scene = Self.scene()
    scene.context.focusKey = 0x14
    #expect(scene.read("␛") == "␛", "not before it")
    #expect(scene.read("\u{14}", "␛") == "")
    #expect(scene.release() == "")
    #expect(scene.rewriter.takeOverlayInput() == [.toastEscaped])
    // ESC may be the first byte of another key.
    #expect(scene.read("\u{14}", "␛", "[A") == "␛[A")
    // Another key ends the chord, and goes to the program; so does the chord's own key, the second time.
    #expect(scene.read("\u{14}a", "␛") == "a␛")
    #expect(scene.read("\u{14}\u{14}") == "\u{14}")
    #expect(scene.read("\u{14}␛[A") == "␛[A")
    // In kitty's protocol.
    #expect(scene.read("␛[116;5u", "␛[27u") == "")
    #expect(scene.rewriter.takeOverlayInput() == [.toastEscaped])
    // The chord ends with the toast.
    #expect(scene.read("\u{14}") == "")
    scene.context.focusKey = nil
    #expect(scene.read("␛") == "␛")
  }

  /// A terminal's answer to the program is neither the user's Escape nor a click, even in two parts.
  @Test(arguments: [
    "␛[1;5R", "␛[?1;2c", "␛[48;24;80;0;0t", "␛]11;rgb:1111/2222/3333␛\\", "␛]l[<0;31;2M[<0;31;2m␛\\",
    "␛P1+r436f=1b5b3c␛\\", "␛P1$r0;1m␛\\",
  ])
  func noReportDismissesIt(report: String) {
    for place in 2..<report.count {
      var scene = Self.scene(mouse: .button)
      scene.context.focusKey = 0x14
      #expect(scene.read("\u{14}") == "")
      scene.rewriter.expect(.cursorPosition(offset: 0))
      var passed = scene.read(String(report.prefix(place)))
      if scene.rewriter.isHolding { passed += scene.release() }
      passed += scene.read(String(report.dropFirst(place)))
      #expect(passed == report, "\(place)")
      #expect(scene.rewriter.takeOverlayInput() == [], "\(place)")
    }
  }

  @Test func aDragOnItIsItsOwn() {
    var scene = Self.scene(mouse: .button)
    #expect(scene.read("␛[<0;31;2M␛[<32;31;1M␛[<0;60;9m") == "")
    #expect(
      scene.rewriter.takeOverlayInput() == [.toastPressed(row: 1), .toastDragged(row: 0), .toastReleased(row: 8)])
    #expect(scene.read("␛[<0;30;2M␛[<0;30;2m␛[<0;51;1M␛[<0;51;1m") == "␛[<0;30;2M␛[<0;30;2m␛[<0;51;1M␛[<0;51;1m")
    #expect(scene.read("␛[<2;31;2M␛[<2;31;2m␛[<64;31;2M") == "", "other buttons do nothing")
    #expect(scene.rewriter.takeOverlayInput() == [])
  }

  @Test func underModeNineAPressIsAClick() {
    var scene = InputScene(offset: 0, mouse: .press)
    scene.context.toast = CellArea(rows: 0..<2, columns: 30..<50)
    #expect(scene.read("␛[M ?!") == "")
    #expect(scene.rewriter.takeOverlayInput() == [.toastPressed(row: 0), .toastReleased(row: 0)])
  }

  @Test func aMouseThatTheProgramDidNotAskForTellsItNothing() {
    var scene = Self.scene(mouse: .button)
    scene.context.isMouseOwn = true
    #expect(scene.read("a␛[<0;5;9M␛[<0;5;9mb") == "ab")
  }

  @Test func pixelsAreCells() {
    var scene = InputScene(offset: 0, mouse: .button, encoding: .sgrPixels)
    scene.context.toast = CellArea(rows: 0..<2, columns: 30..<50)
    scene.context.cellHeight = 20
    scene.context.cellWidth = 10
    #expect(scene.read("␛[<0;301;40M") == "")
    #expect(scene.rewriter.takeOverlayInput() == [.toastPressed(row: 1)])
    #expect(scene.read("␛[<0;301;40m") == "")
    #expect(scene.read("␛[<0;300;40M") == "␛[<0;300;40M")
  }
}
