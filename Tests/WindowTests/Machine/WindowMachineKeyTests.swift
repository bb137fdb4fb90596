import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// Keys and mouse reports, for the program or for an overlay.
@Suite(.ownThread) struct WindowMachineKeyTests {
  @Test func aTornSequenceIsPassedOnAfterAPause() {
    let script = MachineScript.started()
    script.lose()
    script.type("\u{1b}[<0;3")
    #expect(script.typed.isEmpty)
    script.pass(.milliseconds(25))
    #expect(script.typed == "\u{1b}[<0;3")
  }

  @Test func anAlertThatCannotShowIsRefused() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
    let alert = Alert(title: "Deploy?", buttons: ["Deploy"])
    script.send(.requested(.overlay(.alert(.alertPosted(alert, id: AlertID(rawValue: 7))))))
    script.pass(.milliseconds(200))
    #expect(script.effects.contains(.complete(.alertRefused(AlertID(rawValue: 7), .noCursor))))
  }

  @Test func anAlertTakesTheKeysOnceItShows() {
    let script = MachineScript.started()
    let alert = Alert(title: "Deploy?", buttons: ["Deploy", "Cancel"])
    script.send(.requested(.overlay(.alert(.alertPosted(alert, id: AlertID(rawValue: 7))))))
    script.pass(.seconds(1))
    script.type("2")
    #expect(script.typed.isEmpty)
    #expect(script.effects.contains(.complete(.alertAnswered(AlertID(rawValue: 7), button: 1))))
    script.type("x")
    #expect(script.typed == "x")
  }

  @Test func theMouseIsOnWhileAToastShows() {
    let script = MachineScript.started(toastInput: ToastInputSettings(mouse: true))
    script.send(.requested(.overlay(.toast(.toastPosted(ToastContent(title: "Saved"), id: ToastID(rawValue: 1))))))
    #expect(script.written.contains("\u{1b}[?1002h\u{1b}[?1006h"))
    // A click.
    script.type("\u{1b}[<0;40;1M\u{1b}[<0;40;1m")
    script.pass(.seconds(1))
    #expect(script.effects.contains(.complete(.toastEnded(ToastID(rawValue: 1)))))
    #expect(script.written.hasSuffix("\u{1b}[?1002l\u{1b}[?1006l"))
  }

  @Test func aDragEndsWhenTheProgramTurnsTheMouseOff() {
    let script = MachineScript.started()
    script.print("\u{1b}[?1002h\u{1b}[?1006h")
    script.send(.requested(.overlay(.toast(.toastPosted(ToastContent(title: "Saved"), id: ToastID(rawValue: 1))))))
    script.pass(.milliseconds(30))
    script.type("\u{1b}[<0;40;1M")
    #expect(script.isToastHeld)
    script.print("\u{1b}[?1002l")
    #expect(!script.isToastHeld)
  }
}
