import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The terminal changes its size at a bad moment.
@Suite(.ownThread) struct WindowResizeTests {
  /// A banner shows, the program has printed half a sequence, and the terminal gets another size.
  private func resizedAmid(_ half: String, in world: WindowWorld, then rest: String) throws -> TerminalScene {
    let window = try world.window("sh", "-c", "stty -echo; echo READY; read x; printf 'GO\(half)'; \(rest)")
    try window.wait(for: "READY")
    try world.pullTheCable()
    try window.waitForBanner()
    window.type("\n")
    try window.wait(for: "GO")
    window.resize(rows: 30, columns: 80)
    return window
  }

  /// A new size waits for the program to finish its sequence, which never happens.
  @Test(arguments: ["\\033]0;half", "\\033P$q", "\\033[3", "\\342\\224"])
  func aProgramThatEndsAmidASequenceEndsTheWindow(_ half: String) throws {
    let world = try WindowWorld()
    let window = try resizedAmid(half, in: world, then: "read x; exit 7")
    window.type("\n")
    #expect(try window.end() == 7)
    #expect(!window.text.contains { $0.contains("No connection") })
    #expect(window.text.contains("READY"))
  }

  @Test func aSizeThatGoesAndComesBackAmidASequenceLeavesTheBannerAlive() throws {
    let world = try WindowWorld()
    let script = "for word in one two; do read x; printf $word; done; read x; printf '\\aDONE'; cat"
    let window = try resizedAmid("\\033]0;half", in: world, then: script)
    // A window reads no output before a new size has settled.
    window.type("\n")
    try window.wait(forOutput: "one")
    window.resize(rows: 24, columns: 80)
    window.type("\n")
    try window.wait(forOutput: "two")
    window.type("\n")
    try window.wait(for: "DONE")
    try world.plugTheCable()
    try window.waitForBanner("Back online")
    try window.waitUntilGone("Back online")
  }

  /// The terminal has pushed the banner out meanwhile, and reset its margins.
  @Test(arguments: ["", "\\033[?1049h\\033[24;1H"])
  func aSizeThatGoesAndComesBackIsNoticed(_ screen: String) throws {
    let world = try WindowWorld()
    let watcher = "while :; do [ $w ] && { w=; n=$((n+1)); echo W$n:$(stty size).; }; sleep 0.02; done"
    let window = try world.window("bash", "-c", "trap w=1 WINCH; seq 1 40; printf '\(screen)READY\\n'; \(watcher)")
    try window.wait(for: "READY")
    try world.pullTheCable()
    try window.waitForBanner()
    try window.wait(for: "W1:23 80.")
    window.resize(rows: 12, columns: 80)
    window.look { $0.write("\u{1b}7\u{1b}[r\u{1b}[H\u{1b}[2K\u{1b}8") }
    window.resize(rows: 24, columns: 80)
    try window.waitForBanner()
    // The program gets the signal, as it would without a window: it may have lost rows.
    try window.wait("the second signal") { $0.text.contains { $0.hasSuffix(":23 80.") && $0 != "W1:23 80." } }
    #expect(window.text.count { $0.contains("No connection") } == 1)
  }

  /// The cursor's earlier place is outdated.
  @Test func anAnswerFromBeforeAResizeIsNotBelieved() throws {
    let question = "\u{1b}[6n\u{1b}[c"
    let world = try WindowWorld()
    let terminal = try world.namespace.inside {
      try TestTerminal(
        WindowWorld.executable, ["run", "sh", "-c", "stty -echo; echo READY; cat"], environment: world.environment,
        isControlling: true)
    }
    try terminal.wait(for: "READY")
    try world.pullTheCable()
    try terminal.wait(for: question)
    terminal.resize(columns: 80, rows: 30)
    try terminal.type("\u{1b}[2;1R\u{1b}[?1;2c")
    try terminal.wait(for: question, times: 2)
    #expect(!terminal.text.contains("No connection"))
    try terminal.type("\u{1b}[8;1R\u{1b}[?1;2c")
    try terminal.wait(for: "No connection")
    try terminal.type("\u{4}")
    #expect(terminal.end() == 0)
  }

  /// A full-screen program that prints its size at each signal but the first.
  @Test func aProgramThatIgnoresOneSignalIsSignalledAgain() throws {
    let world = try WindowWorld()
    let program = try world.file(
      "deaf.py",
      """
      import os, signal
      count = 0
      def draw(*_):
          global count
          count += 1
          if count > 1: print("has", os.get_terminal_size().lines, end="\\r\\n", flush=True)
      signal.signal(signal.SIGWINCH, draw)
      print("\\x1b[?1049hREADY", end="\\r\\n", flush=True)
      while True: signal.pause()
      """)
    let window = try world.window("python3", program)
    try window.wait(for: "READY")
    try world.pullTheCable()
    try window.waitForBanner()
    try window.wait(for: "has 23")
  }

  @Test func refreshMakesTheProgramDrawItselfAgain() throws {
    let world = try WindowWorld()
    let watcher = "while :; do [ $w ] && { w=; echo $(stty size).; }; sleep 0.01; done"
    let window = try world.window(
      "bash", "-c", "trap w=1 WINCH; \(WindowWorld.executable) refresh; echo is $?; \(watcher)")
    try window.wait(for: "is 0")
    try window.wait(for: "24 80.")
  }

  @Test func refreshOutsideAWindowSaysHowToStartOne() throws {
    let world = try WindowWorld()
    let scene = try world.scene([WindowWorld.executable, "refresh"])
    #expect(try scene.end() == 69)
    #expect(scene.text.contains { $0.contains("not inside a window; start one with: overline run") })
  }
}
