import Glibc
import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The library leaves a program its signals, its end and its terminal.
@Suite(.ownThread) struct SignalTests {
  /// Checks that lines scroll on all rows again, and that nothing of the banner is left.
  private func expectRestored(_ scene: ProgramScene, before: [String]) throws {
    #expect(scene.scene.lines == before)
    scene.scene.look { terminal in
      terminal.write((1...30).map { "after \($0)\r\n" }.joined())
    }
    #expect(scene.scene.text == (22...30).map { "after \($0)" } + [""])
  }

  /// Whether the program's terminal accepts output now.
  private func takesOutput(_ scene: ProgramScene) -> Bool {
    let descriptor = open("/proc/\(scene.scene.pid)/fd/1", O_WRONLY | O_NOCTTY | O_NONBLOCK)
    defer { close(descriptor) }
    var terminal = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&terminal, 1, 0) > 0
  }

  @Test(arguments: [Signal.interrupt, .terminate, .hangUp, .quit])
  func aSignalThatEndsTheProgramLeavesTheTerminalAsItWas(_ signal: Signal) throws {
    let scene = try ProgramScene()
    try scene.tell("lines 12", "present Deploying")
    try scene.wait(forLast: "line 12", "", "Deploying")
    signal.send(to: scene.scene.pid)
    #expect(try scene.scene.end() == 128 + signal.rawValue)
    try expectRestored(scene, before: (1...12).map { "line \($0)" })
  }

  @Test func anExitRestoresTheTerminal() throws {
    let scene = try ProgramScene()
    try scene.tell("lines 12", "present Deploying")
    try scene.wait(forLast: "line 12", "", "Deploying")
    try scene.tell("part unfinished", "exit 3")
    #expect(try scene.scene.end() == 3)
    try expectRestored(scene, before: (1...12).map { "line \($0)" } + ["unfinished"])
  }

  @Test func signalsAreTheProgramsAgainWhenNothingShows() throws {
    let scene = try ProgramScene(rows: 20)
    try scene.tell("handlers", "present Deploying")
    try scene.wait(forLast: "Deploying")
    try scene.tell("handlers", "dismiss")
    try scene.scene.waitUntilGone("Deploying")
    let names = ["INT", "TERM", "TSTP", "WINCH"]
    // SIGWINCH is always the program's.
    let expected = ["default", "handled"].flatMap { state in
      names.map { "\($0): \($0 == "WINCH" ? "default" : state)" }
    }
    #expect(scene.scene.lines.prefix(8) == expected[...])
    // The window gives the signals back one after the other, once the banner is gone.
    var count = 8
    #expect(
      try eventually {
        count += names.count
        try scene.tell("handlers")
        guard eventually({ scene.scene.lines.count == count }) else { return false }
        return scene.scene.lines.suffix(names.count) == names.map { "\($0): default" }[...]
      })
  }

  @Test func whatTheProgramHandlesItselfIsItsOwn() throws {
    let scene = try ProgramScene()
    try scene.tell("ignore", "present Deploying")
    try scene.wait(forLast: "Deploying")
    Signal.interrupt.send(to: scene.scene.pid)
    try scene.settle("alive")
    try scene.tell("handle")
    try scene.settle("armed")
    Signal.interrupt.send(to: scene.scene.pid)
    #expect(try scene.scene.end() == 7)
  }

  @Test func aHandlerOfResizesIsTheProgramsOwn() throws {
    let scene = try ProgramScene()
    try scene.tell("count", "present Deploying")
    try scene.wait(forLast: "Deploying")
    for (rows, count) in [(14, 1), (16, 2)] {
      scene.scene.resize(rows: rows, columns: 60)
      try scene.wait("the banner in the last of \(rows) rows") {
        $0.text.count == rows && $0.text.last!.contains("Deploying")
      }
      try scene.tell("resizes")
      try scene.wait(for: "resizes: \(count)")
    }
  }

  /// sleep(3), usleep(3), poll(2), select(2) and recv(2) with a time limit return early for each handler, whatever its flags (signal(7)).
  @Test func aResizeInterruptsNoCallThatBlocks() throws {
    let scene = try ProgramScene()
    try scene.tell("present Deploying")
    try scene.wait(forLast: "Deploying")
    try scene.tell("block")
    for rows in stride(from: 12, through: 28, by: 2) {
      scene.scene.resize(rows: rows, columns: 60)
      try scene.wait("the banner in the last of \(rows) rows") {
        $0.text.count == rows && $0.text.last!.contains("Deploying")
      }
    }
    try scene.wait(for: "interrupted: []")
  }

  /// Swift's backtracer does not work in a process that a sanitizer watches: there only the crashes without it are tested.
  private static let backtraces =
    ["enable=no"] + (Sanitizer.isWatching ? [] : ["enable=yes,color=no,interactive=no,threads=crashed,limit=3"])

  @Test(arguments: backtraces, ["fatalError", "trap", "abort", "quit"])
  func aCrashFindsTheTerminalRestored(_ backtrace: String, _ kind: String) throws {
    let scene = try ProgramScene(rows: 20, environment: ["SWIFT_BACKTRACE=\(backtrace)"])
    try scene.tell("lines 3", "present Deploying")
    try scene.wait(forLast: "Deploying")
    let before = scene.scene.output.count
    try scene.tell("crash \(kind)")
    if kind == "quit", backtrace.hasPrefix("enable=yes") {
      // Swift's runtime prints the backtrace, and the program goes on.
      try scene.wait("the banner again") { terminal in
        terminal.text.last!.contains("Deploying") && terminal.text.contains { $0.contains("Backtrace took") }
      }
      try scene.tell("exit 0")
      #expect(try scene.scene.end() == 0)
      return
    }
    #expect(try scene.scene.end() > 128)
    #expect(!scene.scene.lines.contains { $0.contains("Deploying") })
    let after = String(decoding: scene.scene.output.dropFirst(before), as: UTF8.self)
    let parts = after.split(separator: "\u{1b}[r", omittingEmptySubsequences: false)
    // A frame that was being written while the handler restored the terminal is removed again.
    #expect(parts.count >= 2, "\(parts.count)")
    if backtrace.hasPrefix("enable=yes") {
      #expect(parts[0].split(separator: "Thread 0").count <= 1)
      #expect(after.split(separator: "Thread 0").count > 1, "no backtrace")
    }
  }

  /// Ctrl-S: output to the terminal waits, and Ctrl-Q may never come.
  @Test func aStoppedTerminalDoesNotKeepTheProgram() throws {
    let scene = try ProgramScene()
    try scene.tell("present Deploying")
    try scene.wait(forLast: "Deploying")
    scene.scene.type("\u{13}")
    // Wait until the terminal has handled the Ctrl-S and accepts no more output.
    #expect(eventually { !takesOutput(scene) })
    Signal.terminate.send(to: scene.scene.pid)
    #expect(try scene.scene.end() == 128 + Signal.terminate.rawValue)
  }

  @Test func aShellGetsTheTerminalWithoutTheBannerAndTheProgramGetsItBack() throws {
    // A shell with jobs: Ctrl-Z stops the program, and the shell goes on.
    let scene = try ProgramScene(wrapping: "set -m; \"$0\" \"$@\"; echo stopped; read line; fg >/dev/null; echo ended")
    try scene.tell("lines 12", "present Deploying")
    try scene.wait(forLast: "line 12", "", "Deploying")
    scene.scene.type("\u{1a}")
    try scene.wait("the shell, and no banner") {
      $0.text.contains { $0.hasSuffix("stopped") } && !$0.text.contains { $0.contains("Deploying") }
    }
    scene.scene.type("\r")
    try scene.wait(forLast: "Deploying")
    try scene.settle("on it goes")
    try scene.tell("exit 0")
    try scene.wait(for: "ended")
    #expect(!scene.scene.text.contains { $0.contains("Deploying") })
    let printed = scene.scene.lines.filter { $0.hasPrefix("line ") }
    #expect(printed == (1...12).map { "line \($0)" })
  }

  /// Another program is in the foreground: restoring the terminal would reset its margins and move its cursor.
  @Test func aSignalInTheBackgroundWritesNothing() throws {
    let scene = try ProgramScene(
      wrapping:
        "set -m; \"$0\" \"$@\"; bg >/dev/null; printf '\\033[2J\\033[H'; seq 1 9; printf '\\033[3;1H'; read line;"
        + " kill %1; wait %1; echo ended")
    try scene.tell("present Deploying")
    try scene.wait(forLast: "Deploying")
    scene.scene.type("\u{1a}")
    try scene.wait("another's screen") { $0.text == (1...9).map { "\($0)" } + [""] && $0.cursor.row == 2 }
    scene.scene.type("\r")
    try scene.wait(for: "ended")
    #expect(scene.scene.text.suffix(5) == ["6", "7", "8", "9", ""], "\(scene.scene.text)")
  }

  /// What is typed for the program in front is readable for the one with the alert, which gets an error for each attempt.
  @Test func anAlertInTheBackgroundDoesNotReadInALoop() throws {
    let scene = try ProgramScene(
      wrapping: "set -m; \"$0\" \"$@\"; bg >/dev/null; echo program $(pgrep -P $$ -x OverlineWindowP).; sleep 1000")
    try scene.tell("ask Overwrite?")
    try scene.wait(for: "Overwrite?")
    scene.scene.type("\u{1a}")
    try scene.wait(for: "program ")
    let line = try #require(scene.scene.text.first { $0.contains("program ") })
    let figures = ProcessFigures(pid: try #require(Int32(line.filter(\.isNumber))))
    // It is continued, and has looked at its terminal.
    try scene.tell("print on it goes")
    scene.scene.type("typed ahead\r")
    try scene.wait(for: "typed ahead")
    let before = try figures.processorTime()
    let spins = try eventually(within: .milliseconds(700)) {
      try figures.processorTime() - before > .milliseconds(200)
    }
    #expect(!spins)
  }

  /// As in a container: a signal with its default action does not end the first process of a PID namespace.
  @Test func aProgramThatASignalDoesNotEndGetsItsBannerBack() throws {
    let scene = try ProgramScene(wrapping: "exec unshare --pid --fork --kill-child \"$0\" \"$@\"")
    try scene.tell("lines 3", "present Deploying")
    try scene.wait(forLast: "Deploying")
    for count in 1...2 {
      let before = scene.scene.output.count
      scene.scene.type("\u{3}")
      #expect(eventually { scene.scene.output.count > before })
      try scene.settle("still here \(count)")
      try scene.wait(forLast: "Deploying")
    }
    // End it by a command: the hang-up of its terminal would not end it either.
    try scene.tell("exit 0")
    #expect(try scene.scene.end() == 0)
  }

  /// Ctrl-S on one of a program's terminals does not affect the others.
  @Test func aTerminalThatIsStoppedHoldsUpNoOtherWindow() throws {
    // Without colours there is no fade: the next frame of a fade would find the new size by itself.
    let scene = try ProgramScene(environment: ["NO_COLOR=1"])
    let other = try TerminalScene(["sleep", "600"], environment: LibraryWorld.environment, rows: 10, columns: 60)
    let path = try #require(Files.linkTarget("/proc/\(other.pid)/fd/0"))
    let terminal = Glibc.open("/proc/\(scene.scene.pid)/fd/0", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    #expect(tcflow(terminal, TCOOFF) == 0)
    try scene.tell("present Deploying", "other \(path)")
    try other.wait(for: "Elsewhere")
    for rows in [12, 14, 16, 18] {
      other.resize(rows: rows, columns: 60)
      try other.wait("the banner in the last of \(rows) rows") { $0.text.last!.contains("Elsewhere") }
    }
    #expect(!scene.scene.text.contains { $0.contains("Deploying") })
    #expect(tcflow(terminal, TCOON) == 0)
    try scene.wait(forLast: "Deploying")
  }
}
