import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A program that starts while the network is offline has its final size from its first moment.
@Suite(.ownThread) struct StartTests {
  @Test("arguments and variables that are not UTF-8 reach the program", arguments: ["", " | cat"])
  func bytesOfAnyEncoding(_ pipe: String) throws {
    let world = try WindowWorld()
    let program = #"sh -c 'printf %s "$1$LATIN" | od -An -tx1' sh $'d\351'"#
    for run in ["run", "run --", "run --quiet"] {
      let terminal = try world.start(
        "bash", ["-c", "export LATIN=$'\\350'; $OVERLINE \(run) \(program)\(pipe); echo END"])
      try terminal.wait(for: "END")
      #expect(terminal.text.contains(" 64 e9 e8\r\n"), "\(terminal.text)")
    }
  }

  @Test("a program that starts offline starts in its final size", arguments: 1...10)
  func theSizeIsFinal(_ round: Int) throws {
    let world = try WindowWorld(isOnline: false)
    // The program reads its size once, and counts the signals.
    let terminal = try world.window(
      "bash", "--norc", "-c", "n=0; trap 'n=$((n+1))' WINCH; stty size; read line; echo changes $n; read line")
    try terminal.wait(for: "23 80")
    try terminal.waitForBanner()
    terminal.type("\n")
    try terminal.wait(for: "changes 0")
  }

  @Test("in a terminal that does not report its cursor, the program starts below a banner too")
  func withoutAnAnswerTheProgramStarts() throws {
    let terminal = try WindowWorld(isOnline: false).script("stty size")
    #expect(terminal.end() == 0)
    #expect(terminal.text.contains("23 80\r\n"))
  }

  @Test("keys typed before the program starts reach it")
  func earlyKeysReachTheProgram() throws {
    let world = try WindowWorld(isOnline: false)
    let terminal = try world.window("sh", "-c", "read line; echo got $line; read line")
    terminal.type("early\n")
    try terminal.wait(for: "got early")
    try terminal.waitForBanner()
  }

  @Test("a command that cannot be run leaves no banner")
  func aFailedStartLeavesNoBanner() throws {
    let world = try WindowWorld(isOnline: false)
    let terminal = try world.scene(["sh", "-c", "\(WindowWorld.executable) run no-such-program; echo status $?; cat"])
    try terminal.wait(for: "status 127")
    #expect(terminal.text.first?.contains("no-such-program: command not found") == true, "\(terminal.text)")
  }

  @Test("a signal ends a window that waits for its terminal's answer")
  func aSignalBeforeTheStartEndsTheWindow() throws {
    let world = try WindowWorld(isOnline: false)
    let terminal = try world.script("trap '' HUP; sleep 1000")
    // The terminal never answers: the window waits a second for it.
    try terminal.wait(for: "\u{1b}[6n")
    Signal.terminate.send(to: terminal.pid)
    #expect(terminal.end() == 128 + Signal.terminate.rawValue)
    #expect(try eventually { try world.processes().isEmpty })
  }
}
