import OverlineSystem
import OverlineTestKit
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

@Suite(.ownThread) struct DemoTests {
  @Test func theDemoPlaysInATerminalAndGivesItBack() throws {
    let server = try TmuxTestServer(command: "sh", rows: 24)
    let screen = try server.attachedScreen()
    try screen.type("echo before\n")
    #expect(try eventually { try screen.rows().contains { $0.hasPrefix("before") } })
    let before = try server.tmux("capture-pane", "-p")
    try screen.type("clear; \(World.executable) demo; clear; echo before\n")
    #expect(try eventually { try screen.rows()[0].contains("No connection · eth0 has no carrier") })
    #expect(try screen.rows()[1].hasPrefix("$ make test"))
    #expect(try eventually { try screen.rows()[0].contains("Back online") })
    #expect(try eventually(within: .seconds(20)) { try server.tmux("capture-pane", "-p").hasPrefix("before\n") })
    #expect(try server.tmux("display-message", "-p", "#{alternate_on}#{cursor_flag}") == "01\n")
    #expect(before.contains("before"))
  }

  @Test func theShellGetsItsScreenFromADemoThatIsStopped() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["bash", "--norc", "--noprofile", "--noediting", "-i"])
    shell.type("clear; echo before; \(World.executable) demo --all\n")
    try shell.wait("the demo") { $0.text.contains { $0.hasPrefix("$ make test") } }
    shell.type("\u{1a}")
    try shell.wait("the shell") { $0.text.contains("before") && $0.text.contains { $0.contains("Stopped") } }
    #expect(shell.look { $0.cursor.isVisible })
    // Until frames are due that must not be drawn over the shell's screen.
    let moment = BootClock.now + .seconds(2)
    _ = eventually { BootClock.now >= moment }
    shell.type("fg; echo RC=$?\n")
    try shell.wait("the demo again") { $0.text.contains { $0.hasPrefix("$ make test") } && !$0.text.contains("before") }
    #expect(shell.look { !$0.cursor.isVisible })
    // A banner must not disturb the cursor that the terminal saved for the shell.
    try shell.wait(for: "No connection")
    shell.type("\u{3}")
    try shell.wait(for: "RC=130")
    #expect(shell.text.contains("before") && shell.look { $0.cursor.isVisible }, "\(shell.text)")
  }

  @Test func theDemoInAPipeIsWords() throws {
    let result = try Subprocess.run(World.executable, ["demo"], environment: TmuxTestServer.environment)
    #expect(result.outputText.contains("⚠ No connection · eth0 has no carrier\n"))
    #expect(!result.outputText.contains("\u{1b}"))
    #expect(result.status == 0)
  }
}
