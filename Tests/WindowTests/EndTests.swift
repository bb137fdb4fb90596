import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A window's end, whichever process ends first.
@Suite(.ownThread) struct EndTests {
  @Test(arguments: [0, 1, 7, 126, 255])
  func theProgramsStatusIsTheWindows(_ status: Int32) throws {
    #expect(try WindowWorld().script("exit \(status)").end() == status)
  }

  @Test(arguments: [("HUP", 1), ("INT", 2), ("QUIT", 3), ("KILL", 9), ("SEGV", 11), ("PIPE", 13), ("TERM", 15)])
  func theSignalThatEndsTheProgramEndsTheWindow(_ name: String, _ number: Int32) throws {
    let terminal = try WindowWorld().script("kill -\(name) $$")
    #expect(terminal.end() == 128 + number)
  }

  @Test func aProgramThatCannotRunIsReportedAsShellsDo() throws {
    let world = try WindowWorld()
    for (command, status, text) in [
      ("no-such-program", 127, "overline: no-such-program: command not found\r\n"),
      ("/no/such/program", 127, "overline: /no/such/program: No such file or directory\r\n"),
      ("/etc/passwd", 126, "overline: /etc/passwd: Permission denied\r\n"),
    ] as [(String, Int32, String)] {
      let terminal = try world.run(command)
      #expect(terminal.end() == status)
      #expect(terminal.text == text)
    }
  }

  /// Keys are handled by the inner terminal.
  @Test func controlCEndsTheProgramAsEver() throws {
    let terminal = try WindowWorld().script("trap 'echo caught; exit 3' INT; echo READY; while :; do sleep 0.02; done")
    try terminal.wait(for: "READY")
    try terminal.type("\u{3}")
    #expect(terminal.end() == 3)
    #expect(terminal.text.contains("caught"))
  }

  @Test func interruptFromElsewhereReachesTheProgram() throws {
    let terminal = try WindowWorld().script("trap 'echo caught; exit 3' INT; echo READY; while :; do sleep 0.02; done")
    try terminal.wait(for: "READY")
    Signal.interrupt.send(to: terminal.pid)
    #expect(terminal.end() == 3)
  }

  /// A program that does not reset its terminal at a hang-up, as less and htop, is ended with its window: the window resets it.
  @Test(arguments: [
    ("\\033[?1049h\\033[?1h\\033=", "\u{1b}[?1049l"), ("\\033[?1000h\\033[?1006h", "\u{1b}[?1000l"),
    ("\\033[?25l", "\u{1b}[?25h"), ("plain", nil),
  ])
  func whatAProgramLeftOnIsTurnedOffWhenTheWindowIsEnded(_ modes: String, _ off: String?) throws {
    for signal in [Signal.terminate, .hangUp] {
      let terminal = try WindowWorld().script("printf '\(modes)READY'; exec sleep 600")
      try terminal.wait(for: "READY")
      signal.send(to: terminal.pid)
      #expect(terminal.end() == 128 + signal.rawValue)
      if let off {
        #expect(terminal.text.contains(off) && terminal.text.contains("\u{1b}[?1l\u{1b}>"))
      } else {
        #expect(terminal.textAfterTitle == "plainREADY")
      }
    }
  }

  /// Each ends a process without a handler.
  @Test(
    "a signal that ends the window restores the terminal and ends the program",
    arguments: Signal.ending.filter { $0.rawValue < 32 && $0 != .hangUp } + [Signal.ending.last!])
  func endingSignalsRestoreTheTerminal(_ signal: Signal) throws {
    let world = try WindowWorld()
    let terminal = try world.start(
      "bash",
      [
        "-c",
        "stty -g; $OVERLINE run sh -c 'trap \"echo bye; exit\" HUP; echo PID $$; while :; do sleep 0.02; done' </dev/tty & wait $!; stty -g; echo END",
      ])
    // A background job of a shell without job control is still in the foreground.
    let program = try world.number("PID ", in: terminal)
    let window = try #require(try world.parent(of: world.parent(of: program)))
    // The kernel delivers a signal to any thread that has not blocked it.
    #expect(try eventually { try world.threads(of: window).contains("overline-path") })
    signal.send(to: window)
    try terminal.wait(for: "END")
    let lines = terminal.text.split(separator: "\r\n").filter { !$0.contains("PID") }
    #expect(lines.contains("bye"))
    #expect(lines.first == lines.dropLast().last)
    #expect(try eventually { try world.processes().allSatisfy { $0 == terminal.pid } })
  }

  /// A program that ignores the hang-up is killed after five seconds.
  @Test(arguments: [Signal.terminate, .kill])
  func aProgramThatIgnoresTheEndIsEnded(_ signal: Signal) throws {
    let world = try WindowWorld()
    let terminal = try world.script("trap '' HUP TERM; echo READY; while :; do sleep 0.2; done")
    try terminal.wait(for: "READY")
    #expect(try world.processes().count >= 3)
    let began = BootClock.now
    signal.send(to: terminal.pid)
    #expect(terminal.end() == 128 + signal.rawValue)
    #expect(try eventually { try world.processes().isEmpty })
    #expect(BootClock.now - began < .seconds(30))
    #expect(BootClock.now - began > .seconds(4))
  }

  /// A `kill -9` of any of the three leaves nothing behind: no program that reads, sleeps, or has children.
  @Test(arguments: ["cat", "exec sleep 1000", "sleep 1000 & sleep 1000 & wait"], [0, 1, 2])
  func killingAnyProcessEndsAll(_ program: String, _ victim: Int) throws {
    let world = try WindowWorld()
    let terminal = try world.script("echo PID $$; \(program)")
    let pid = try world.number("PID ", in: terminal)
    let helper = try #require(try world.parent(of: pid))
    Signal.kill.send(to: [terminal.pid, helper, pid][victim])
    let status = terminal.end()
    // The helper's end hangs up the program's terminal.
    #expect(status == [137, 129, 137][victim])
    #expect(try eventually { try world.processes().isEmpty })
  }

  /// With a signal from the kernel, and without one if the terminal is no process's controlling terminal.
  @Test(arguments: [true, false])
  func whenTheTerminalGoesEverythingEnds(_ isControlling: Bool) throws {
    let world = try WindowWorld()
    let script = "trap 'echo x >$HOME/told; exit' HUP; echo READY; while :; do sleep 0.02; done"
    var terminal: TestTerminal? = try world.start(
      "sh", ["-c", "$OVERLINE run sh -c \"$0\"; :", script], isControlling: isControlling)
    try terminal?.wait(for: "READY")
    terminal = nil
    #expect(eventually { Files.exists("\(world.folder)/told") })
    #expect(try eventually { try world.processes().isEmpty })
  }

  /// nohup(1).
  @Test func aHangUpThatIsIgnoredFromTheStartStaysIgnored() throws {
    let terminal = try WindowWorld().start(
      "sh", ["-c", "trap '' HUP; exec $OVERLINE run sh -c 'echo READY; kill -HUP $$; read line; echo got $line'"])
    try terminal.wait(for: "READY")
    Signal.hangUp.send(to: terminal.pid)
    try terminal.type("more\n")
    #expect(terminal.end() == 0)
    #expect(terminal.text.contains("got more"))
  }
}
