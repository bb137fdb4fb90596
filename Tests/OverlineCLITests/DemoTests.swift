import Overline
import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

@testable import OverlineCLI

@Suite(.ownThread) struct DemoTests {
  @Test func theDemoPlaysInATerminalAndGivesItBack() throws {
    let server = try TmuxTestServer(command: "sh", rows: 24)
    let screen = try server.attachedScreen()
    try screen.type("echo before\n")
    #expect(try eventually { try screen.rows().contains { $0.hasPrefix("before") } })
    let before = try server.tmux("capture-pane", "-p")
    try screen.type("clear; \(World.executable) demo; clear; echo before\n")
    #expect(try eventually { try screen.rows()[0].contains("No connection · eth0 has no carrier") })
    // A whole screen of output, which scrolls, and the keys in the last row.
    #expect(try screen.rows()[1...21].allSatisfy { $0.contains("Compiling") || $0.hasPrefix("#") })
    let first = try screen.rows()[1]
    #expect(try eventually { try screen.rows()[1] != first })
    #expect(try screen.rows().contains { $0.contains("space pauses   ← → step   q quits") })
    #expect(try eventually { try screen.rows()[0].contains("Back online") })
    #expect(try eventually(within: .seconds(20)) { try server.tmux("capture-pane", "-p").hasPrefix("before\n") })
    #expect(try server.tmux("display-message", "-p", "#{alternate_on}#{cursor_flag}") == "01\n")
    #expect(before.contains("before"))
  }

  @Test func theShellGetsItsScreenFromADemoThatIsStopped() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["bash", "--norc", "--noprofile", "--noediting", "-i"])
    shell.type("clear; echo before; \(World.executable) demo --all\n")
    try shell.wait("the demo") { $0.text.contains { $0.contains("q quits") } }
    shell.type("\u{1a}")
    try shell.wait("the shell") { $0.text.contains("before") && $0.text.contains { $0.contains("Stopped") } }
    #expect(shell.look { $0.cursor.isVisible })
    // Until frames are due that must not be drawn over the shell's screen.
    let moment = BootClock.now + .seconds(2)
    _ = eventually { BootClock.now >= moment }
    shell.type("fg; echo RC=$?\n")
    try shell.wait("the demo again") { $0.text.contains { $0.contains("q quits") } && !$0.text.contains("before") }
    #expect(shell.look { !$0.cursor.isVisible })
    // A banner must not disturb the cursor that the terminal saved for the shell.
    try shell.wait(for: "No connection")
    shell.type("\u{3}")
    try shell.wait(for: "RC=130")
    #expect(shell.text.contains("before") && shell.look { $0.cursor.isVisible }, "\(shell.text)")
  }

  @Test("space pauses, the arrows step, and q quits") func theKeysAreObeyed() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["bash", "--norc", "--noprofile", "--noediting", "-i"])
    shell.type("clear; \(World.executable) demo --all; echo RC=$?; stty -a | grep -o -w -- -*icanon\n")
    try shell.wait(for: "space pauses")
    shell.type(" ")
    try shell.wait(for: "space goes on")
    shell.type("\u{1b}[C")
    try shell.wait(for: "# the cable is pulled")
    shell.type("\u{1b}OC")
    try shell.wait(for: "# the cable is back")
    try shell.wait(for: "Back online")
    shell.type("\u{1b}[D")
    try shell.wait("the outage again") {
      $0.text.contains { $0.contains("No connection") } && !$0.text.contains { $0.contains("cable is back") }
    }
    shell.type("q")
    try shell.wait(for: "RC=0")
    // The shell's modes are back.
    try shell.wait("the modes") { $0.text.contains("icanon") }
  }

  @Test("the script is a function of its own clock, which pauses and jumps") func theClock() {
    let script = DemoScript.all(BannerSettings())
    let window = WindowTraits(rows: 24, columns: 80)
    func machine() -> DemoMachine {
      DemoMachine(script, settings: BannerSettings(), toasts: ToastSettings(), window: window, at: .seconds(100))
    }
    var played = machine()
    var count = 0
    while !played.isFinished, let next = played.nextDeadline {
      played.advance(at: next)
      count += 1
    }
    #expect(played.isFinished && count < 20_000)
    var jumped = machine()
    jumped.handle(.pause, at: .milliseconds(100_500))
    #expect(jumped.nextDeadline == nil)
    let before = jumped.lines
    jumped.advance(at: .seconds(900))
    #expect(jumped.lines == before && jumped.overlays.presentation.isEmpty)
    jumped.handle(.next, at: .seconds(901))
    jumped.handle(.next, at: .seconds(902))
    #expect(jumped.lines.contains("# the cable is back") && !jumped.lines.contains { $0.contains("gone again") })
    // Back to the event before, as if it had been played.
    jumped.handle(.previous, at: .seconds(903))
    #expect(!jumped.lines.contains("# the cable is back"))
    #expect(jumped.overlays.presentation.banner?.appearance.title == "No connection")
    while !jumped.isFinished { jumped.handle(.next, at: .seconds(904)) }
    #expect(jumped.lines.suffix(20) == played.lines.suffix(20))
  }

  @Test("each line of the script fits 60 columns") func theLinesFit() {
    // The demo leaves the last column empty.
    for step in DemoScript.all(BannerSettings()).steps { #expect(step.line.count < 60, "\(step.line)") }
  }

  @Test func keysAreFoundAmongOtherBytes() {
    #expect(
      DemoKey.keys(in: Array("x\u{1b}[1;5C\u{1b}[D\u{1b}OA q\u{1b}[".utf8)) == [
        .machine(.next), .machine(.previous), .machine(.previous), .machine(.pause), .quit,
      ])
  }

  @Test func theDemoInAPipeIsWords() throws {
    let result = try Subprocess.run(World.executable, ["demo"], environment: TmuxTestServer.environment)
    #expect(result.outputText.contains("⚠ No connection · eth0 has no carrier\n"))
    #expect(!result.outputText.contains("\u{1b}"))
    #expect(result.status == 0)
  }
}
