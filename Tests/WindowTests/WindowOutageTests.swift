import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The whole window: an outage, from the cable to the program's size.
@Suite(.ownThread) struct WindowOutageTests {
  /// Prints each signal and the size at that time. For dash: bash 5.2 forgets a signal that comes while its trap runs.
  private static let watcher =
    "trap 'n=$((n+1)); echo W$n:$(stty size).' WINCH; n=0; printf '\\rREADY\\n'; while :; do sleep 0.02; done"

  @Test(arguments: [1, 3])
  func oneSignalWhenItShowsAndOneWhenItGoes(_ height: Int) throws {
    let world = try WindowWorld(height: height)
    let window = try world.window("dash", "-c", Self.watcher)
    try window.wait(for: "READY")
    for round in [0, 2] {
      try world.pullTheCable()
      try window.waitForBanner(height: height)
      try window.wait(for: "W\(round + 1):\(24 - height) 80.")
      try world.plugTheCable()
      try window.waitUntilGone("Back online")
      try window.wait(for: "W\(round + 2):24 80.")
    }
    // A signal too many would come before this one.
    window.resize(rows: 24, columns: 90)
    try window.wait(for: ":24 90.")
    #expect(
      window.text.prefix(6) == [
        "READY", "W1:\(24 - height) 80.", "W2:24 80.", "W3:\(24 - height) 80.", "W4:24 80.", "W5:24 90.",
      ])
  }

  @Test func aWindowThatIsOpenedOfflineShowsItAtOnce() throws {
    let world = try WindowWorld(isOnline: false)
    try world.configure("[banner]\ngrace-delay = \"1m\"\n")
    let window = try world.window("sh", "-c", "echo READY; cat")
    try window.wait(for: "READY")
    #expect(window.text[0].contains("No connection") && window.text[1] == "READY")
  }

  @Test func programsInItAskItsOwnSocket() throws {
    let world = try WindowWorld()
    let status = "\(WindowWorld.executable) status --format env --socket $OVERLINE_SOCKET | grep -E 'STATE|INSET_TOP'"
    let window = try world.window("sh", "-c", "while read x; do \(status); done")
    window.type("\n")
    try window.wait(for: "OVERLINE_INSET_TOP='0'")
    try world.pullTheCable()
    try window.waitForBanner()
    window.type("\n")
    try window.wait(for: "OVERLINE_INSET_TOP='1'")
    try window.wait(for: "OVERLINE_STATE='offline'")
    window.type("\u{4}")
    #expect(try window.end() == 0)
    #expect(try Subprocess.run("ls", ["\(world.folder)/overline"]).outputText == "config.toml\n")
  }

  @Test func theEndLeavesNoTrace() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["sh"], environment: ["PS1=<shell>"])
    try shell.wait(for: "<shell>")
    shell.type("\(WindowWorld.executable) run cat\n")
    shell.type("inside\n")
    try shell.wait("what cat says") { $0.text.filter { $0 == "inside" }.count >= 2 }
    try world.pullTheCable()
    try shell.waitForBanner()
    shell.type("\u{4}")
    try shell.waitUntilGone("No connection")
    shell.type("seq 1 40; stty size\n")
    try shell.wait(for: "24 80")
    #expect(shell.scrollback.last == "18")
    #expect(shell.text.prefix(22) == (19...40).map(String.init)[...])
    #expect(!shell.scrollback.contains { $0.contains("No connection") })
  }

  /// The banner is removed before the shell has the terminal, and returns with the program.
  @Test func aStoppedWindowGivesTheScreenBack() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["bash", "--norc", "--noprofile", "--noediting", "-i"])
    shell.type("\(WindowWorld.executable) run sh -c 'echo I\"\"N; cat; stty size'\n")
    try shell.wait(for: "IN")
    try world.pullTheCable()
    try shell.waitForBanner()
    // A shell that waits in vfork(2) for a child that is stopped before its exec cannot be stopped, in any terminal: cat must run.
    shell.type("zero\n")
    try shell.wait("what cat says") { ($0.scrollbackText + $0.text).count { $0 == "zero" } == 2 }
    for (count, round) in ["one", "two"].enumerated() {
      shell.type("\u{1a}")
      try shell.waitUntilGone("No connection")
      try shell.wait("the shell") { ($0.scrollbackText + $0.text).count { $0.contains("Stopped") } == count + 1 }
      // Ctrl-U: on a busy machine the terminal's answer comes later than the second that the window waits for it, and the shell gets it.
      shell.type("\u{15}stty size; fg\n")
      // A prompt that comes after the echo stands before the size.
      try shell.wait("the shell's size") { ($0.scrollbackText + $0.text).count { $0.hasSuffix("24 80") } == count + 1 }
      try shell.waitForBanner()
      // Continuing the program cancels a stop that came just before.
      shell.type("\(round)\n")
      try shell.wait("what cat says") { ($0.scrollbackText + $0.text).count { $0 == round } == 2 }
    }
    shell.type("\u{4}")
    try shell.wait(for: "23 80")
    try shell.waitUntilGone("No connection")
  }

  /// A burst of changes is one change for the program.
  @Test func aResizeStormIsSettled() throws {
    let world = try WindowWorld()
    let window = try world.window("dash", "-c", Self.watcher)
    try window.wait(for: "READY")
    try world.pullTheCable()
    try window.wait(for: "W1:23 80.")
    let before = window.text.count { $0.hasPrefix("W") }
    let start = BootClock.now
    for size in 25...54 {
      window.resize(rows: 24 + size % 2 * 8, columns: size + 36)
      // As fast as a user drags a corner.
      let answer = try world.ask(window, ["status", "--socket", "\(world.folder)/overline/window-\(window.pid).sock"])
      #expect(answer.text.contains("eth0"), "\(answer)")
    }
    window.resize(rows: 40, columns: 90)
    let most = Int((BootClock.now - start) / .milliseconds(75)) + 3
    try window.wait(for: ":39 90.")
    let signals = window.text.count { $0.hasPrefix("W") } - before
    #expect(signals <= most, "\(window.text)")
    try window.waitForBanner()
    for rows in stride(from: 39, through: 12, by: -3) { window.resize(rows: rows, columns: 70) }
    try window.wait(for: ":11 70.")
    try window.waitForBanner()
    // Too low for any banner: the program has all rows.
    window.resize(rows: 4, columns: 70)
    try window.wait(for: ":4 70.")
    #expect(!window.text.contains { $0.contains("No connection") })
    window.resize(rows: 24, columns: 80)
    try window.wait(for: ":23 80.")
    try window.waitForBanner()
  }
}

/// A terminal that does not report its cursor, or reports it late.
@Suite(.ownThread) struct CursorTests {
  private static let question = "\u{1b}[6n\u{1b}[c"

  private func world() throws -> WindowWorld { try WindowWorld() }

  private func start(_ world: WindowWorld, _ script: String) throws -> TestTerminal {
    try world.namespace.inside {
      try TestTerminal(
        WindowWorld.executable, ["run", "sh", "-c", script], environment: world.environment,
        isControlling: true)
    }
  }

  /// A window around a program that echoes its input, while the network is offline.
  private func offline() throws -> (WindowWorld, TestTerminal) {
    let world = try world()
    let terminal = try start(world, "stty raw -echo; printf READY; exec cat -v")
    try terminal.wait(for: "READY")
    try world.pullTheCable()
    return (world, terminal)
  }

  @Test func withoutAnAnswerTheBannerWaitsForACertainPlace() throws {
    let world = try world()
    let terminal = try start(world, "echo READY; i=0; while read x; do printf \"$x\"; done")
    try terminal.wait(for: "READY")
    try world.pullTheCable()
    try terminal.wait(for: Self.question)
    try terminal.type("more\n")
    try terminal.wait(for: "more\r\nmore")
    #expect(!terminal.text.contains("No connection"))
    try terminal.type("\\\\033[H\\\\033[2Jclear\n")
    try terminal.wait(for: "No connection")
    #expect(terminal.text.ranges(of: Self.question).count == 1)
    Signal.terminate.send(to: terminal.pid)
    #expect(terminal.end() == 143)
  }

  private func questions(_ terminal: TestTerminal) -> Int { terminal.text.ranges(of: Self.question).count }

  /// Answers as a terminal does until the banner shows: on a busy machine, even an immediate answer may be late.
  private func answer(_ terminal: TestTerminal, from first: Int) throws {
    var answered = first
    let isThere = try eventually {
      if questions(terminal) > answered {
        answered += 1
        try terminal.type("\u{1b}[1;6R\u{1b}[?1;2c")
      }
      return terminal.text.contains("No connection")
    }
    #expect(isThere, "\(terminal.text.debugDescription)")
  }

  @Test func anAnswerShowsItAndIsNotTyped() throws {
    let (world, terminal) = try offline()
    defer { withExtendedLifetime(world) {} }
    try terminal.wait(for: Self.question)
    try terminal.type("ab\u{1b}[1;6R\u{1b}[?1;2ccd")
    try answer(terminal, from: 1)
    try terminal.wait(for: "abcd")
    #expect(!terminal.text.contains("^["))
    Signal.terminate.send(to: terminal.pid)
    #expect(terminal.end() == 143)
  }

  @Test func aLateAnswerIsNotTypedEither() throws {
    let (world, terminal) = try offline()
    defer { withExtendedLifetime(world) {} }
    try terminal.wait(for: Self.question)
    try terminal.type("x")
    // Output waits until the window stops waiting for the terminal.
    try terminal.wait(for: "x")
    #expect(questions(terminal) == 1)
    try terminal.type("\u{1b}[1;6R\u{1b}[?1;2cyz")
    try terminal.wait(for: "yz")
    // The late answer shows that the terminal reports its cursor: the next inquiry waits longer.
    try answer(terminal, from: 1)
    #expect(!terminal.text.contains("^["))
    Signal.terminate.send(to: terminal.pid)
    #expect(terminal.end() == 143)
  }

  /// After several late answers the window no longer delays the program's output.
  @Test func aTerminalThatIsAlwaysLateIsLeftAlone() throws {
    let (world, terminal) = try offline()
    defer { withExtendedLifetime(world) {} }
    for (count, key) in ["w", "x", "y", "z"].enumerated() {
      #expect(eventually { questions(terminal) == count + 1 })
      // Shown once the window stops waiting.
      try terminal.type(key)
      try terminal.wait(for: key)
      try terminal.type("\u{1b}[1;6R\u{1b}[?1;2c")
    }
    try terminal.type("the end")
    try terminal.wait(for: "the end")
    #expect(questions(terminal) == 4)
    #expect(!terminal.text.contains("^["))
    Signal.terminate.send(to: terminal.pid)
    #expect(terminal.end() == 143)
  }

  /// At its end the window waits for a late answer: otherwise the shell would read it as keys.
  @Test func anAnswerThatIsOwedIsWaitedForAtTheEnd() throws {
    let world = try world()
    let terminal = try world.namespace.inside {
      try TestTerminal(
        "sh",
        [
          "-c",
          "\(WindowWorld.executable) run sh -c 'echo PID $$.; read x'; stty -echo; read y; echo got=$y.",
        ],
        environment: world.environment, isControlling: true)
    }
    try terminal.wait(for: ".\r\n")
    let program = terminal.text.dropFirst("PID ".count).prefix { $0 != "." }
    try world.pullTheCable()
    try terminal.wait(for: Self.question)
    try terminal.type("\n")
    // The program has ended, and the window waits only for the answer.
    #expect(eventually { Files.linkTarget("/proc/\(program)/exe") == nil })
    pause(for: .milliseconds(100))
    try terminal.type("\u{1b}[1;6R\u{1b}[?1;2c")
    // Wait until the shell has its terminal back and has turned echo off.
    #expect(
      try eventually {
        let modes = try Subprocess.run("stty", ["-F", "/proc/\(terminal.pid)/fd/0", "-a"]).outputText
        return modes.contains(" icanon") && modes.contains(" -echo ")
      })
    try terminal.type("keys\n")
    try terminal.wait(for: "got=keys.")
  }
}
