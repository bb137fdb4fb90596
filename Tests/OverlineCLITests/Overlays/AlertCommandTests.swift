import Overline
import OverlineCore
import OverlineReferenceTerminal
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing
@testable import OverlineCLI

private let overline = WindowWorld.executable

@Suite(.ownThread) struct AlertCommandTests {
  private static let question = "alert 'Deploy to production?' --button Deploy --button Cancel"

  /// A window's keys, and the command's exit status.
  @Test(arguments: [("\r", 0), ("\t\r", 1), ("2", 1), ("\u{1b}", 130)])
  func aWindowAsks(_ keys: String, _ status: Int) throws {
    let scene = try Scene()
    let window = try scene.world.window("sh", "-c", "echo READY; \(overline) \(Self.question); echo RC=$?; cat")
    try window.wait(for: "[ Deploy ]")
    // Keys typed at once answer nothing: they were meant for another program.
    #expect(
      eventually {
        window.type(keys)
        _ = eventually(within: .milliseconds(700)) { !window.text.contains { $0.contains("[ Deploy ]") } }
        return !window.text.contains { $0.contains("[ Deploy ]") }
      })
    try window.wait(for: "RC=\(status)")
    try window.wait(for: "READY")
  }

  @Test func aWindowThatEndsIsAnErrorAndNoAnswer() throws {
    let scene = try Scene()
    let window = try scene.window()
    let alert = try scene.start("alert", "Really?", environment: ["OVERLINE_SOCKET=\(try scene.socket())"])
    try window.wait(for: "Really?")
    Signal.kill.send(to: window.pid)
    #expect(endStatus(of: alert.pid) >= 64)
  }

  @Test(arguments: [
    ("1\n", 0), ("2\n", 1), (" 2 \n", 1), ("\n", 130), ("\u{4}", 130), ("\u{3}", 130), ("\u{1b}\n", 130),
    ("7\nCancel\n0\n-1\n2\n", 1),
  ])
  func aTerminalAsksInLines(_ typed: String, _ status: Int) throws {
    let scene = try Scene()
    let script = """
      trap : INT; stty -echo -icanon min 7; before=$(stty -g); \(overline) \(Self.question) --message 'Now'; echo RC=$?
      after=$(stty -g); [ "$before" = "$after" ] && echo SAME || echo "$before" is now "$after"
      """
    let terminal = try scene.world.bare("sh", "-c", script, environment: ["TERM=dumb"])
    try terminal.wait(for: "Enter to dismiss:")
    #expect(
      terminal.text.prefix(5) == [
        "Alert: Deploy to production?", "Now", "1: Deploy", "2: Cancel",
        "Type 1 to 2 and Enter, or only Enter to dismiss:",
      ])
    for line in typed.split(separator: "\n", omittingEmptySubsequences: false).dropLast(typed.hasSuffix("\n") ? 1 : 0) {
      terminal.type(String(line) + (typed.hasSuffix("\n") ? "\n" : ""))
    }
    try terminal.wait(for: "RC=\(status)")
    try terminal.wait(for: "SAME")
    #expect(!terminal.output.contains(0x1b))
  }

  /// Enter, the second button by its number, by an arrow and by Tab, Escape, and Ctrl-C.
  @Test(arguments: [("\r", 0), ("2", 1), ("\u{1b}[C\r", 1), ("\t\r", 1), ("\u{1b}", 130), ("\u{3}", 130)])
  func aTerminalShowsTheDialog(_ keys: String, _ status: Int) throws {
    let scene = try Scene()
    let script = """
      trap : INT; stty -echo -icanon min 7; before=$(stty -g); printf plan; \(overline) \(Self.question) --message 'Now'; echo RC=$?
      after=$(stty -g); [ "$before" = "$after" ] && echo SAME || echo "$before" is now "$after"
      """
    let terminal = try scene.world.bare("sh", "-c", script)
    try terminal.wait(for: "[ Deploy ]  [ Cancel ]")
    #expect(terminal.text[0] == "plan")
    #expect(terminal.text[1].contains("╭"))
    try answer(terminal, keys) { terminal.text.contains("RC=\(status)") }
    try terminal.wait(for: "SAME")
    let word = [0: "Deploy", 1: "Cancel"][status] ?? "(dismissed)"
    #expect(terminal.text.prefix(4) == ["plan", "Deploy to production? \(word)", "RC=\(status)", "SAME"])
    #expect(terminal.look { $0.cursor.isVisible })
  }

  @Test func aStoppedDialogGivesTheTerminalToTheShell() throws {
    let scene = try Scene()
    let terminal = try scene.world.bare(
      "bash", "--norc", "--noprofile", "--noediting", "-i", environment: ["PS1=<$?>"])
    try terminal.wait(for: "<0>")
    terminal.type("\(overline) \(Self.question)\n")
    try terminal.wait(for: "[ Deploy ]")
    terminal.type("\u{1a}")
    try terminal.wait(for: "<148>")
    try terminal.waitUntilGone("[ Deploy ]")
    terminal.type("stty -a | grep -ow -- icanon; fg\n")
    try terminal.wait(for: "[ Deploy ]")
    #expect(terminal.text.contains("icanon"))
    #expect(terminal.text.count { $0.contains("╭") } == 1)
    try answer(terminal, "2") { terminal.text.contains { $0.hasPrefix("<1>") } }
  }

  /// Types the keys until the question is answered: keys of its first half second do not count.
  private func answer(_ terminal: TerminalScene, _ keys: String, until isDone: () throws -> Bool) throws {
    let isAnswered = try eventually {
      terminal.type(keys)
      return try eventually(within: .milliseconds(700), isDone)
    }
    #expect(isAnswered, "\(keys.debugDescription): \(terminal.text)")
  }

  @Test(arguments: [Signal.terminate, .hangUp])
  func aSignalGivesTheTerminalBack(_ signal: Signal) throws {
    let scene = try Scene()
    let script = """
      stty -echo -icanon min 7; before=$(stty -g)
      \(overline) \(Self.question) </dev/null & echo PID=$!.; wait $!; echo RC=$?
      after=$(stty -g); [ "$before" = "$after" ] && echo SAME || echo "$before" is now "$after"
      """
    // Without job control the shell's children are in the foreground, and ignore SIGINT.
    let terminal = try scene.world.bare("sh", "-c", script)
    try terminal.wait(for: "[ Deploy ]")
    let line = try #require(terminal.text.first { $0.contains("PID=") })
    let pid = try #require(Int32(line.drop { $0 != "=" }.dropFirst().prefix { $0.isNumber }))
    signal.send(to: pid)
    try terminal.wait(for: "RC=130")
    try terminal.wait(for: "SAME")
  }

  @Test func withoutATerminalItIs69AndSaysWhatToDo() throws {
    let scene = try Scene()
    // In a session of its own.
    let alert = try scene.start("alert", "Really?")
    #expect(endStatus(of: alert.pid) == 69)
    try alert.errors.first("what to do") { $0.hasPrefix("overline: there is no terminal to ask on; call this") }
  }

  @Test func theMonitorShowsNoAlert() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let result = try scene.overline("alert", "Really?", "--socket", scene.runtime.socket)
    #expect(result.status == 70)
    #expect(result.errorText.hasPrefix("overline: the monitor has no screen to ask on"))
    #expect(monitor.end(.terminate) == 0)
  }

  @Test(arguments: [
    ("1\n", TypedAnswer.button(0)), ("2", .button(1)), ("\n", .dismissal), ("", .dismissal), ("\u{1b}\n", .dismissal),
    ("  1\t\n", .button(0)), ("0\n", nil), ("3\n", nil), ("-1\n", nil), ("Cancel\n", nil), ("1 2\n", nil),
    ("99999999999999999999\n", nil), ("١\n", nil),
  ])
  func answers(_ line: String, _ answer: TypedAnswer?) {
    #expect(TypedAnswer(line, to: .init(title: "x", buttons: ["Deploy", "2"])) == answer)
  }
}

/// In tmux: on the client, over the pane.
@Suite(.ownThread) struct PopupTests {
  private func scene(
    _ arguments: String, in folder: String
  ) throws -> (server: TmuxTestServer, screen: TmuxTestScreen) {
    let server = try TmuxTestServer(configuration: ["set -g status off"])
    let screen = try server.attachedScreen()
    try screen.type("clear; \(overline) alert \(arguments); echo RC=$?\n")
    return (server, screen)
  }

  private func wait(_ screen: TmuxTestScreen, for text: String) throws {
    guard try eventually({ try screen.rows().contains { $0.contains(text) } }) else {
      throw TestKitError("waited in vain for \(text); there was: \(try screen.rows())")
    }
  }

  /// Enter, the second button by its number, by an arrow and by Tab, and Escape.
  @Test(arguments: [("\r", 0), ("2", 1), ("\u{1b}[C\r", 1), ("\t ", 1), ("\u{1b}", 130)])
  func aPopupAsks(_ answer: String, _ status: Int) throws {
    let folder = try TemporaryFolder.make()
    let (server, screen) = try scene(
      "'Deploy #(touch \(folder)/x) #{pane_id}?' --message ';' --button 'Deploy\\;' --button '#[bg=red]No'", in: folder)
    try wait(screen, for: "[ #[bg=red]No ]")
    try wait(screen, for: "│  Deploy #(touch \(folder)/x)")
    // In a box of its own, and not in the pane; with one frame.
    #expect(try !server.tmux("capture-pane", "-p").contains("[ #["))
    #expect(try screen.rows().count { $0.contains("╭") || $0.contains("┌") } == 1)
    // Keys typed at once answer nothing: they were meant for the program.
    #expect(
      try eventually {
        try screen.type(answer)
        return try eventually(within: .milliseconds(700)) { try screen.rows().contains { $0.contains("RC=\(status)") } }
      })
    #expect(try !screen.rows().contains { $0.contains("╭") })
    #expect(!Files.exists("\(folder)/x"))
    TemporaryFolder.remove(folder)
  }

  @Test func aPopupIsNoLargerThanItsClient() throws {
    let server = try TmuxTestServer(configuration: ["set -g status off"])
    let screen = try server.attachedScreen(columns: 40, rows: 10)
    try screen.type(
      "clear; \(overline) alert '\(String(repeating: "long ", count: 20))' --message '\(String(repeating: "text ", count: 60))'\n"
    )
    try wait(screen, for: "[ OK ]")
    #expect(try !server.tmux("capture-pane", "-p").contains("[ OK ]"))
  }

  /// The popup's process has the environment of tmux.
  @Test func aPopupAsksInLinesToo() throws {
    let server = try TmuxTestServer(configuration: ["set -g status off"])
    let screen = try server.attachedScreen()
    try screen.type("clear; ACCESSIBLE=1 \(overline) alert Really?\n")
    try wait(screen, for: "Enter to dismiss:")
    #expect(try !server.tmux("capture-pane", "-p").contains("Enter to dismiss:"))
  }

  @Test func aPopupGoesWithTheProcessThatAsked() throws {
    let (server, screen) = try scene("Really? & echo PID=$!.; wait", in: "")
    try wait(screen, for: "[ OK ]")
    let pane = try server.tmux("capture-pane", "-p")
    let pid = try #require(pane.split(separator: "PID=").last.flatMap { Int32($0.prefix { $0.isNumber }) })
    Signal.kill.send(to: pid)
    guard try eventually({ try !screen.rows().contains { $0.contains("[ OK ]") } }) else {
      throw TestKitError("the popup stays")
    }
  }

  /// As after su: tmux's client would write files for the other user's server.
  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a socket away"))
  func inATmuxOfAnotherUserThePaneItselfAsks() throws {
    let server = try TmuxTestServer(configuration: ["set -g status off"])
    let screen = try server.attachedScreen()
    #expect(try Subprocess.run("chown", ["65534", server.socket]).status == 0)
    try screen.type("clear; \(overline) alert Really?; echo RC=$?\n")
    #expect(try eventually { try server.tmux("capture-pane", "-p").contains("[ OK ]") })
    #expect(
      try eventually {
        try screen.type("\r")
        return try eventually(within: .milliseconds(700)) { try server.tmux("capture-pane", "-p").contains("RC=0") }
      })
  }

  @Test func withoutAClientThePaneItselfAsks() throws {
    let server = try TmuxTestServer()
    try server.tmux("send-keys", "clear; \(overline) alert Really?; echo RC=$?", "Enter")
    #expect(try eventually { try server.tmux("capture-pane", "-p").contains("[ OK ]") })
    #expect(
      try eventually {
        try server.tmux("send-keys", "Enter")
        return try eventually(within: .milliseconds(700)) { try server.tmux("capture-pane", "-p").contains("RC=0") }
      })
  }
}
