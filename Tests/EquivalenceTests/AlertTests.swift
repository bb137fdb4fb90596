import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A visible alert has the keyboard; otherwise the program has it.
@Suite(.ownThread) struct AlertKeyboardTests {
  private static let question = ["alert", "Deploy?", "--button", "Deploy", "--button", "Cancel"]

  /// On a terminal with old text the window does not know what an alert would cover. The alert shows even in the lowest window.
  @Test(arguments: [5, 6, 8, 12])
  func aLowWindowWithOldText(_ rows: Int) throws {
    let world = try WindowWorld()
    let window = try world.scene(
      ["sh", "-c", "seq 1 10; exec $RUN sh -c 'echo typed; exec cat -v'"], rows: rows,
      environment: ["RUN=\(WindowWorld.executable) run --"])
    try window.wait(for: "typed")
    let asker = try world.begin(window, Self.question)
    try window.wait("the alert") { terminal in
      ["Deploy?", "[ Deploy ]"].allSatisfy { text in terminal.text.contains { $0.contains(text) } }
    }
    try answer(window, with: "2")
    #expect(endStatus(of: asker) == 1)
    try window.wait("the program's rows") { $0.text.contains("typed") }
    window.type("after\n")
    try window.wait("what was typed after it") { $0.text.filter { $0 == "after" }.count == 2 }
  }

  /// An alert that is too large for the window is invisible: its client gets an error, and the program has the keyboard.
  @Test func aWindowThatGetsTooSmall() throws {
    let world = try WindowWorld()
    let window = try world.window("sh", "-c", "clear; exec cat -v")
    try window.wait("the program") { $0.isClear }
    let asker = try world.begin(window, Self.question)
    try window.wait(for: "[ Deploy ]")
    window.resize(rows: 24, columns: 11)
    // The client has no other terminal to ask on.
    #expect(endStatus(of: asker) == 69)
    window.type("x\n")
    try window.wait("the program's line") { $0.text.contains("x") }
    window.resize(rows: 24, columns: 80)
    // Toasts show again in the larger window, and the alert does not come back.
    #expect(try world.ask(window, ["toast", "Saved", "--duration", "0"]).status == 0)
    try window.wait(for: "Saved")
    #expect(!window.text.contains { $0.contains("Deploy?") })
  }

  /// If the client runs in that window, it asks again in plain lines on its own terminal.
  @Test func aWindowThatGetsTooSmallAsksInLines() throws {
    let world = try WindowWorld()
    let script = "clear; \(WindowWorld.executable) alert 'Deploy?' --button Deploy --button Cancel; echo RC=$?; cat"
    let window = try world.window("sh", "-c", script)
    try window.wait(for: "[ Deploy ]")
    window.resize(rows: 24, columns: 11)
    try window.wait("the question in lines") {
      $0.text.joined().contains("1: Deploy") && $0.text.joined().contains("dismiss:")
    }
    window.type("2\n")
    try window.wait(for: "RC=1")
  }

  /// A window that never learns where its cursor is cannot place an alert.
  @Test func aTerminalThatDoesNotAnswer() throws {
    let world = try WindowWorld()
    let terminal = try world.namespace.inside {
      try TestTerminal(
        WindowWorld.executable, ["run", "sh", "-c", "echo READY $OVERLINE_SOCKET; cat"], environment: world.environment,
        isControlling: true)
    }
    try terminal.wait(for: "READY")
    let socket = "\(world.folder)/overline/window-\(terminal.pid).sock"
    #expect(eventually { Files.exists(socket) })
    // In a session of its own: it has no other terminal either.
    let asker = try TestProgram(
      WindowWorld.executable, Self.question, environment: world.environment + ["OVERLINE_SOCKET=\(socket)"])
    #expect(endStatus(of: asker.pid) == 69)
    try asker.errors.first("why") {
      $0.hasPrefix(
        "overline: this window's terminal does not report its cursor's place; there is no terminal to ask on")
    }
  }

  /// The program left a control string open, into which the window may not write: the answer counts all the same.
  @Test func anAnswerInTheMiddleOfAControlString() throws {
    let world = try WindowWorld()
    let script = "clear; echo IN; read x; printf 'OPEN\\033]0;open'; read y; printf '\\033\\\\'; echo $y.; read z"
    let window = try world.window("sh", "-c", script)
    try window.wait(for: "IN")
    window.type("\n")
    try window.wait(for: "OPEN")
    let asker = try world.begin(window, Self.question)
    // Keys reach the program while there is no alert; the first line ends the string.
    window.type("one\n")
    try window.wait(for: "one.")
    try window.wait(for: "[ Deploy ]")
    try answer(window, with: "\u{1b}")
    #expect(endStatus(of: asker) == 130)
  }

  /// The program turns off the mouse that holds a toast: the toast still times out.
  @Test func aToastThatWasHeld() throws {
    let world = try WindowWorld()
    let script = "clear; printf '\\033[?1002h\\033[?1006hIN'; read x; printf '\\033[?1002lOUT'; read x"
    let window = try world.window("sh", "-c", script)
    try window.wait(for: "IN")
    #expect(try world.ask(window, ["toast", "Saved", "--duration", "3"]).status == 0)
    try window.wait("the toast") { $0.text[1].contains("Saved") }
    window.type("\u{1b}[<0;40;1M\n")
    try window.wait(for: "OUT")
    try window.waitUntilGone("Saved")
  }

  /// Keys in an alert's first moment, and right after it, are dropped: types until the alert disappears.
  private func answer(_ window: TerminalScene, with key: String) throws {
    let isGone = eventually {
      window.type(key)
      return eventually(within: .milliseconds(700)) { !window.text.contains { $0.contains("[ Deploy ]") } }
    }
    if !isGone { throw TestKitError("the alert stays:\n\(window.text.joined(separator: "\n"))") }
  }
}

extension ReferenceTerminal {
  fileprivate var isClear: Bool { text.allSatisfy { $0.isEmpty } && cursor.row == 0 }
}
