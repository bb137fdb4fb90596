import OverlineSystem
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A window that is stopped returns its terminal to the shell unchanged.
@Suite(.ownThread) struct StopTests {
  /// The terminal's old text is unknown, and only the terminal can report the cursor: the window asks it, and waits.
  @Test func aStopTakesTheBannerAwayAmidOldText() throws {
    let world = try WindowWorld()
    let terminal = try world.scene(
      ["bash", "--norc", "--noprofile", "--noediting", "-i"], rows: 12, environment: ["PS1=<$?>"])
    try terminal.wait(for: "<0>")
    terminal.type("seq 1 20; \(WindowWorld.executable) run vim.basic -u NONE -n\n")
    try terminal.wait(for: "~")
    try world.pullTheCable()
    try terminal.waitForBanner()
    terminal.type("\u{1a}")
    try terminal.wait(for: "<148>")
    #expect(!terminal.text.contains { $0.contains("No connection") })
    // All rows scroll again.
    terminal.type("seq 1 40\n")
    try terminal.wait("the rows") { $0.text.prefix(11) == (30...40).map { "\($0)" }[...] }
    terminal.type("fg\n")
    try terminal.waitForBanner()
    try terminal.wait(for: "~")
    terminal.type(":q\n")
    try terminal.wait(for: "<0>")
  }

  /// A stopped program will not finish its open sequence.
  @Test(arguments: ["\\033]0;half a title", "\\033[3", "\\033Phalf"])
  func aSequenceThatIsLeftOpenDoesNotKeepTheBanner(_ half: String) throws {
    let world = try WindowWorld()
    let terminal = try world.scene(
      ["bash", "--norc", "--noprofile", "--noediting", "-i"], rows: 12, environment: ["PS1=<$?>"])
    try terminal.wait(for: "<0>")
    let program = "read a; printf \"\(half)\"; kill -TSTP $$"
    terminal.type("clear; \(WindowWorld.executable) run sh -c '\(program)'\n")
    try world.pullTheCable()
    try terminal.waitForBanner()
    terminal.type("\n")
    try terminal.wait(for: "<148>")
    #expect(!terminal.text.contains { $0.contains("No connection") })
    terminal.type("fg\n")
    try terminal.wait(for: "<0>")
    #expect(!terminal.text.contains { $0.contains("No connection") })
  }
}
