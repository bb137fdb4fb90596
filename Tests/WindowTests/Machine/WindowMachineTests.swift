import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The decisions of a window, as timelines without a pseudoterminal.
@Suite(.ownThread) struct WindowMachineTests {
  @Test func withoutOverlaysBytesPassUnchanged() {
    let script = MachineScript.started()
    script.print("\u{1b}[5;5Htext\n")
    script.type("\u{1b}[Akey")
    #expect(script.written == "\u{1b}[5;5Htext\n")
    #expect(script.typed == "\u{1b}[Akey")
    script.pass(.seconds(1))
    #expect(script.nextDeadline == nil)
  }

  @Test func theScreenMakesRoomBeforeTheProgramIsSmaller() {
    let script = MachineScript.started()
    script.acceptsBytes = false
    script.lose()
    #expect(script.written.contains("No connection"))
    #expect(!script.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
    script.acceptsBytes = true
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
  }

  @Test func aTerminalThatAcceptsNothingGetsOnlyTheNewestFrame() {
    let script = MachineScript.started(motion: .on)
    script.acceptsBytes = false
    script.lose()
    let first = script.written
    script.pass(.seconds(2))
    #expect(script.written == first)
    script.acceptsBytes = true
    let rest = script.written.dropFirst(first.count)
    #expect(rest.ranges(of: "No connection").count == 1)
  }

  // MARK: - The cursor's place

  @Test func theTerminalIsAskedOnceAndTheProgramWaits() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
    script.lose()
    #expect(script.questions == 1)
    #expect(!script.readsOutput)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.readsOutput)
    // The answer is neither the program's nor the user's.
    #expect(script.typed.isEmpty)
    script.pass(.seconds(1))
    #expect(!script.effects.contains(.noteInput))
  }

  /// Over ssh several terminals have the `TERM` of xterm. The first question asks for the name too.
  @Test(
    arguments: [
      ("\u{1b}[5;1R\u{1b}[>65;7006;1c\u{1b}[?65;1;9c", TerminalFamily.vte), ("\u{1b}[5;1R\u{1b}[?62c", nil),
      ("\u{1b}[5;1R\u{1b}[>99;1;1c\u{1b}[?62c", nil),
    ] as [(String, TerminalFamily?)])
  func aTerminalThatIsNotNamedIsAskedOnce(answer: String, family: TerminalFamily?) {
    let script = MachineScript(term: "xterm-256color")
    script.send(.programStarted(title: nil))
    script.lose()
    #expect(script.written.hasSuffix("\u{1b}[6n\u{1b}[>c\u{1b}[c"))
    script.type(answer)
    #expect(script.showsBanner && script.family == family && script.knowsTheMargin == (family != nil))
    #expect(script.typed.isEmpty)
    // The program asks itself, and has its own answer.
    script.print("\u{1b}[>c")
    script.type("\u{1b}[>65;7006;1c")
    #expect(script.typed == "\u{1b}[>65;7006;1c")
    #expect(script.written.ranges(of: "\u{1b}[>c").count == 2)
  }

  /// A terminal that answers this question, but not the one for its cursor, and another that answers too late.
  @Test func noPartOfALateNameReachesTheProgram() {
    let script = MachineScript(term: "xterm-256color")
    script.send(.programStarted(title: nil))
    script.lose()
    script.type("\u{1b}[>65;7006;1c\u{1b}[?62c")
    #expect(script.family == .vte && script.typed.isEmpty)
    let late = MachineScript(term: "xterm-256color")
    late.send(.programStarted(title: nil))
    late.lose()
    late.type("\u{1b}[5;1R")
    late.pass(.milliseconds(300))
    late.print("line\r\n")
    late.pass(.seconds(2))
    late.type("\u{1b}[>65;7006;1c\u{1b}[?62c")
    #expect(late.family == .vte && late.typed.isEmpty)
  }

  @Test("typed letters are noted four times a second, and cost no wake-up", arguments: [true, false])
  func letters(_ echoes: Bool) {
    let script = MachineScript.started()
    let before = script.looksAtDirectory
    for index in 0..<20 {
      script.type("a")
      if echoes { script.print("a") }
      // At 0, 300, 600 and 900 ms: a key each 60 ms.
      #expect(script.effects.count == index / 5 + 1)
      script.pass(.milliseconds(60))
    }
    #expect(script.effects.allSatisfy { $0 == .noteInput })
    #expect(script.looksAtDirectory == before)
    #expect(script.nextDeadline == (echoes ? script.now + .milliseconds(940) : nil))
  }

  @Test("a program that never rests for a second leaves its screen known") func spinner() {
    let script = MachineScript.started()
    script.print("\u{1b}[5;1Hkept\u{1b}[1;1H")
    let frame = String(repeating: "\r|\r/\r-", count: 512)
    for _ in 0..<500 {
      script.print(frame)
      script.pass(.milliseconds(100))
    }
    script.pass(.seconds(1))
    #expect(script.text(ofRow: 4) == "kept")
  }

  @Test("slices are short for keys, and usual from a flood to the next key") func slices() {
    let script = MachineScript.started()
    let megabyte = String(repeating: "x", count: 1 << 20)
    script.print(megabyte)
    #expect(script.slices == [])
    for _ in 0..<3 { script.type("a") }
    script.print("a")
    #expect(script.slices == [true])
    script.print(megabyte)
    script.print(megabyte)
    #expect(script.slices == [true, false])
    script.type("b")
    #expect(script.slices == [true, false, true])
  }

  @Test("the directory is looked at once, at the pause after Enter", arguments: [true, false])
  func directory(_ echoes: Bool) {
    let script = MachineScript.started()
    let before = script.looksAtDirectory
    for key in ["a", "\r", "b"] {
      script.type(key)
      if echoes { script.print(key) }
    }
    #expect(script.looksAtDirectory == before)
    script.pass(.milliseconds(25))
    #expect(script.looksAtDirectory == before + 1)
    // What the command prints later is no echo.
    script.pass(.milliseconds(200))
    script.print("done")
    script.pass(.milliseconds(19))
    #expect(script.looksAtDirectory == before + 1)
    script.pass(.milliseconds(1))
    #expect(script.looksAtDirectory == before + 2)
  }

  @Test func aTerminalThatDoesNotAnswerIsNotAskedAgain() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
    script.lose()
    script.pass(.milliseconds(199))
    #expect(!script.readsOutput)
    script.pass(.milliseconds(1))
    #expect(script.readsOutput)
    script.print("more")
    script.pass(.milliseconds(1399))
    #expect(!script.showsBanner)
    script.pass(.milliseconds(1))
    #expect(script.showsBanner)
    script.pass(.seconds(5))
    #expect(script.questions == 1)
  }

  @Test func aLateAnswerAllowsAnotherQuestionWithTwiceTheTime() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
    script.lose()
    script.pass(.milliseconds(300))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.questions == 2)
    #expect(!script.showsBanner)
    script.pass(.milliseconds(399))
    #expect(!script.readsOutput)
    script.type("\u{1b}[6;1R\u{1b}[?62c")
    #expect(script.showsBanner)
  }

  /// A busy terminal has a new size, and has taken a line back from its scrollback. The line stays above the program's rows.
  @Test func aTerminalThatHasAnsweredBeforeMayAnswerASizeLater() {
    let script = MachineScript.startedOnFullScreen()
    script.resize(rows: 23, columns: 80)
    script.pass(.milliseconds(300))
    script.type("\u{1b}[23;8R\u{1b}[?62c")
    script.resize(rows: 24, columns: 80)
    script.pass(.milliseconds(300))
    script.forget()
    script.pass(.milliseconds(1599))
    #expect(script.isAnswerAwaited && script.written.isEmpty)
    script.type("\u{1b}[24;8R\u{1b}[?62c")
    #expect(script.cursorRow == 24 && script.written.contains("No connection"))
  }

  @Test func aResizeMakesAnAwaitedPlaceWorthless() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
    script.lose()
    script.resize(rows: 30, columns: 100)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    // The place is from before the change: the terminal is asked again.
    #expect(!script.showsBanner)
    script.pass(.milliseconds(300))
    #expect(script.questions == 2)
    #expect(!script.showsBanner)
    script.type("\u{1b}[7;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 29, columns: 100))))
  }
}
