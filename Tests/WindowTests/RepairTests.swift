import Overline
import OverlineCore
import OverlineReferenceTerminal
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// `overline reset`, after a window was killed while its banner showed.
@Suite(.ownThread) struct RepairTests {
  @Test func aTerminalWhoseWindowWasKilledIsAsItWas() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["sh"])
    shell.type(
      "\(WindowWorld.executable) run sh -c 'printf \"\\033[?1003h\\033[?2004h\\033[?25l\\033(0\"; echo PID; cat'\n"
    )
    try shell.wait("the program") { $0.text.contains { $0.hasSuffix("PID") } }
    try world.pullTheCable()
    try shell.waitForBanner()
    let found = try Subprocess.run("pgrep", ["-P", "\(shell.pid)"])
    Signal.kill.send(to: try #require(Int32(found.outputText.dropLast())))
    try shell.wait("the shell") { $0.text.contains { $0.hasPrefix("K") } }
    // "Killed", in line drawing. The terminal is raw: Enter is a carriage return, and nothing is echoed.
    shell.type("\(WindowWorld.executable) reset\n")
    shell.type(
      "case \"$(stty -a | tr '\\n' ' ')\" in *' icrnl '*' opost '*'isig icanon iexten echo '*) echo SA''ME;; esac; seq 1 30\n"
    )
    try shell.wait("the last number") { $0.text.contains("30") }
    let lines = shell.scrollback + shell.text
    #expect(lines.contains { $0.hasSuffix("SAME") }, "\(lines)")
    let (mouse, isCursorVisible, isAlternate) = shell.look { ($0.mouse, $0.cursor.isVisible, $0.isAlternate) }
    #expect(mouse == .none)
    #expect(isCursorVisible)
    #expect(!isAlternate)
    // No margins: lines scroll off at the top.
    #expect(shell.scrollback.contains("1"))
  }

  /// A program that was killed may have left any mode set or reset.
  @Test("overline reset ends each mode that a program can set", arguments: PrivateMode.allCases)
  func eachModeIsReset(_ mode: PrivateMode) {
    let sequence = String(decoding: TerminalRepair.sequence, as: UTF8.self)
    let isReset = mode.facts.rest != .kept
    #expect(isReset == ["h", "l"].contains { sequence.contains("\u{1b}[?\(mode.rawValue)\($0)") })
    for letter in ["h", "l"] {
      var screen = Screen(rows: 5, columns: 20)
      for bytes in [Array("\u{1b}[?\(mode.rawValue)\(letter)".utf8), TerminalRepair.sequence] {
        var parser = VTParser()
        _ = parser.parse(bytes.span, from: 0, &screen)
      }
      let (modes, isAlternate) = (screen.modes, screen.isAlternate)
      #expect(!isAlternate)
      if isReset { #expect(modes == Modes(), "after \(letter)") }
    }
  }

  @Test func itGoesBackFromTheAlternateScreen() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["sh"])
    shell.type("echo BEFORE; printf '\\033[?1049h\\033[3;7r\\033[?6h'; \(WindowWorld.executable) reset; echo AF''TER\n")
    try shell.wait(for: "AFTER")
    let isAlternate = shell.look { $0.isAlternate }
    #expect(!isAlternate)
    #expect(shell.text.contains { $0.contains("BEFORE") })
  }

  /// As users run it from another terminal, where the file is open only for reading.
  @Test func itRepairsATerminalThatItIsGiven() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["sh", "-c", "stty raw -echo; printf '\\033[?1003h\\033[2;5rREADY'; exec cat"])
    try shell.wait(for: "READY")
    let terminal = try #require(Files.linkTarget("/proc/\(shell.pid)/fd/0"))
    let result = try Subprocess.run(
      "sh", ["-c", "\(WindowWorld.executable) reset <\(terminal)"], environment: world.environment)
    #expect(result.status == 0, "\(result.errorText)")
    try shell.wait("the mouse off") { $0.mouse == .none }
    #expect(try Subprocess.run("stty", ["-F", terminal, "-a"]).outputText.contains(" icanon"))
  }

  @Test func withoutATerminalItSaysSo() throws {
    let result = try Subprocess.run(WindowWorld.executable, ["reset"], environment: TmuxTestServer.environment)
    #expect(result.status == 2)
    #expect(result.errorText == "overline: standard input is not a terminal; run it in the terminal to repair\n")
  }
}
