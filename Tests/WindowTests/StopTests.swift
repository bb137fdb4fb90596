import OverlineSystem
import OverlineReferenceTerminal
import Testing
import OverlineWindowTestKit

/// A window that is stopped gives its terminal to the shell as it found it.
@Suite struct StopTests {
  /// What stood on the terminal before is not known, and where the cursor is only the terminal can tell: it is asked, and waited for.
  @Test func aStopTakesTheBannerAwayAmidOldText() throws {
    let world = try WindowWorld()
    let terminal = try world.scene(
      ["bash", "--norc", "--noprofile", "--noediting", "-i"], rows: 12, environment: ["PS1=<$?>"])
    try terminal.wait(for: "<0>")
    terminal.type("seq 1 20; \(WindowWorld.executable) run vim -u NONE -n\n")
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

  /// Nothing will end what a program that was stopped left open.
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
