import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A program that draws on the whole screen.
@Suite(.ownThread) struct FullScreenTests {
  @Test func theBannerHasTheFirstRowsAndGivesThemBackBlank() throws {
    let scene = try ProgramScene("full-screen", rows: 20)
    try scene.tell("part \u{1b}[5;1H", "insets")
    try scene.wait(for: "inset: 0 0")
    try scene.tell("rect", "high Deploying")
    try scene.wait("the banner's middle row") { $0.text[1].contains("Deploying") }
    try scene.wait(for: "inset: 3 0")
    try scene.tell("rect", "dismiss")
    try scene.wait(for: "rect: TerminalRect(row: 4, column: 1, rows: 17, columns: 60)")
    try scene.wait("blank rows") { $0.text.prefix(3) == ["", "", ""] }
    try scene.wait("both ends told") { $0.text.count { $0 == "inset: 0 0" } == 2 }
    // No margins: a full-screen program's terminal is its own.
    #expect(!String(decoding: scene.scene.output, as: UTF8.self).contains(";20r"))
  }

  @Test func toastsHaveRowsAtTheirEdge() throws {
    let scene = try ProgramScene("full-screen")
    try scene.tell("part \u{1b}[4;1H", "present Deploying", "toast Saved")
    try scene.wait("the toast below the banner") {
      $0.text[0].contains("Deploying") && $0.text[1].contains("✓ Saved · with a message")
    }
    try scene.tell("untoast", "bottom Failed")
    try scene.wait("a toast at the bottom") { $0.text[1].isEmpty && $0.text[9].contains("✗ Failed") }
    try scene.tell("rect")
    try scene.wait(for: "rect: TerminalRect(row: 2, column: 1, rows: 8, columns: 60)")
    try scene.tell("close", "exit 0")
    #expect(try scene.scene.end() == 0)
    #expect(scene.scene.text[0].isEmpty && scene.scene.text[9].isEmpty)
  }

  @Test func aProgramGetsTheTerminalAndGivesItBack() throws {
    let scene = try ProgramScene("full-screen", rows: 20)
    try scene.tell("part \u{1b}[5;1H", "insets", "high Deploying")
    try scene.wait("the banner") { $0.text[1].contains("Deploying") && $0.text.contains("inset: 3 0") }
    try scene.tell("suspend done")
    try scene.wait(for: "suspended")
    #expect(scene.scene.text.prefix(3) == ["", "", ""])
    // Changes meanwhile are not painted.
    try scene.tell("high Changed", "rect")
    try scene.wait(for: "rect: TerminalRect(row: 1, column: 1, rows: 20, columns: 60)")
    #expect(scene.scene.text.prefix(3) == ["", "", ""])
    try scene.tell("resume")
    try scene.wait("the banner as it is now") {
      $0.text[1].contains("Changed") && $0.text.contains("resumed: done") && $0.text.count { $0 == "inset: 3 0" } == 2
    }
  }

  @Test func aClosedWindowShowsNothingAnyMore() throws {
    let scene = try ProgramScene("full-screen", rows: 20)
    try scene.tell("part \u{1b}[5;1H", "insets", "monitor", "high Deploying", "bottom Failed")
    try scene.wait("a banner and a toast") { $0.text[1].contains("Deploying") && $0.text[19].contains("✗ Failed") }
    try scene.tell("close", "rect")
    try scene.wait(for: "rect: TerminalRect(row: 1, column: 1, rows: 20, columns: 60)")
    #expect(scene.scene.text[0...2] == ["", "", ""] && scene.scene.text[19].isEmpty)
    try scene.tell("toasted", "present again", "presented", "toast Saved")
    // A banner requested now has no effect.
    try scene.wait(for: "gone")
    try scene.world.pullTheCable()
    try scene.tell("monitor", "toasted", "close", "print end", "exit 0")
    #expect(try scene.scene.end() == 0)
    let lines = scene.scene.lines.filter { !$0.isEmpty && !$0.hasPrefix("inset") && !$0.hasPrefix("rect") }
    #expect(lines == ["toasted: false", "presented: false", "gone", "toasted: false", "end"])
  }

  /// The program has left the screen that showed the banner.
  @Test func anExitPaintsNothing() throws {
    let scene = try ProgramScene("full-screen")
    let shell = (1...9).map { "row \($0) of the shell" } + ["$ program"]
    try scene.tell("part \(shell.joined(separator: "\u{1b}E"))\u{1b}[?1049h", "flush", "present Deploying")
    try scene.wait("the banner on the other screen") { $0.isAlternate && $0.text[0].contains("Deploying") }
    try scene.tell("part \u{1b}[?1049l", "exit 0")
    #expect(try scene.scene.end() == 0)
    #expect(scene.scene.text == shell)
  }
}
