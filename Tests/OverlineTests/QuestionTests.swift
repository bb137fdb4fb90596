import OverlineReferenceTerminal
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// A program that asks in its window.
@Suite(.ownThread) struct QuestionTests {
  /// Keys of the first half second are dropped, and each dropped key begins it again.
  private func press(_ keys: String, _ scene: ProgramScene, until text: String) throws {
    for _ in 0..<20 {
      if eventually(within: .milliseconds(700), { scene.scene.text.contains { $0.contains(text) } }) { return }
      scene.scene.type(keys)
    }
    try scene.wait(for: text)
  }

  @Test(arguments: [("\r", "0"), ("2", "1"), ("\u{1b}", "dismissed")])
  func aKeyAnswers(_ key: String, _ answer: String) throws {
    let scene = try ProgramScene(rows: 16)
    try scene.tell("lines 20", "present Deploying", "ask Overwrite?")
    try scene.wait("the question above the banner") { terminal in
      terminal.text.contains { $0.contains("Overwrite?") } && terminal.text.contains { $0.contains("[ Yes ]  [ No ]") }
        && terminal.text.last!.contains("Deploying")
    }
    try press(key, scene, until: "answer: \(answer)")
    try scene.scene.waitUntilGone("Overwrite?")
    // Neither echo nor keys are the window's any longer.
    scene.scene.type("typed")
    try scene.wait(for: "typed")
    #expect(!scene.scene.lines.contains { $0.contains("^[") })
  }

  @Test func inAFullScreenProgramTheQuestionHasRowsBelowTheBanner() throws {
    let scene = try ProgramScene("full-screen", rows: 20)
    try scene.tell("part \u{1b}[15;1H", "present Deploying", "ask Overwrite?")
    try scene.wait("the question") { $0.text[0].contains("Deploying") && $0.text[3].contains("Overwrite?") }
    try press("\r", scene, until: "answer: 0")
    try scene.scene.waitUntilGone("Overwrite?")
  }

  /// The default level of a toast is above an alert's.
  @Test func aToastShowsAboveTheQuestionOrWaitsByItsLevel() throws {
    let scene = try ProgramScene(rows: 20)
    try scene.tell("ask Overwrite?", "low Behind")
    try scene.wait(for: "Overwrite?")
    try scene.settle("asked")
    #expect(!scene.scene.text.contains { $0.contains("Behind") })
    try scene.tell("untoast", "toast Saved")
    try scene.wait("the toast above") { terminal in
      let toast = terminal.text.firstIndex { $0.contains("Saved") }
      let question = terminal.text.firstIndex { $0.contains("Overwrite?") }
      return toast.flatMap { toast in question.map { toast < $0 } } ?? false
    }
  }

  @Test func aToastOfTheAlertsLevelShowsAboveIt() throws {
    let scene = try ProgramScene(rows: 20)
    try scene.tell("weak Overwrite?", "low Saved")
    try scene.wait("both") { terminal in
      ["Overwrite?", "Saved"].allSatisfy { word in terminal.text.contains { $0.contains(word) } }
    }
  }

  @Test func aCustomOverlayHasAButtonThatWorks() throws {
    let scene = try ProgramScene(rows: 20)
    try scene.tell("custom Ready")
    try scene.wait("all rows") { terminal in
      ["Ready", "an overlay", "of its own", "[ Done ]"].allSatisfy { word in
        terminal.text.contains { $0.contains(word) }
      }
    }
    try press("\r", scene, until: "answer: 0")
    try scene.scene.waitUntilGone("of its own")
  }

  @Test func withoutRoomOrWithACancelledTaskThereIsNoAnswer() throws {
    let scene = try ProgramScene(rows: 6)
    try scene.tell("ask Too low?")
    try scene.wait(for: "answer: impossible")
    scene.scene.resize(rows: 20, columns: 60)
    try scene.tell("ask Never answered?")
    try scene.wait(for: "Never answered?")
    try scene.tell("cancel")
    try scene.wait(for: "answer: dismissed")
    try scene.scene.waitUntilGone("Never answered?")
  }

  /// Ctrl-C ends the program while it asks: the terminal echoes again.
  @Test func aSignalRestoresTheModes() throws {
    let scene = try ProgramScene(rows: 20, wrapping: "trap : INT; \"$0\" \"$@\"; stty -a; echo ended")
    try scene.tell("ask Overwrite?")
    try scene.wait(for: "[ Yes ]")
    scene.scene.type("\u{3}")
    try scene.wait(for: "ended")
    let modes = scene.scene.lines.joined(separator: " ")
    #expect(modes.contains(" echo ") && modes.contains(" icanon "), "\(modes)")
  }
}
