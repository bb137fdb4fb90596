import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The window as a shell's job, and the program in it as part of that job.
@Suite(.ownThread) struct JobTests {
  /// A shell for typed commands. It prints `>` when it waits.
  private static func shell(_ world: WindowWorld) throws -> TestTerminal {
    let terminal = try world.start(
      "bash", ["--norc", "--noprofile", "--noediting", "-i"], environment: ["PS1=<$?>"])
    try terminal.wait(for: "<0>")
    return terminal
  }

  @Test func controlZAndForeground() throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    try terminal.type("stty -g; $OVERLINE run sh -c 'echo IN; cat; echo OUT'\n")
    try terminal.wait(for: "IN\r\n")
    try terminal.type("one\n")
    try terminal.wait(for: "one\r\none\r\n")
    for round in 1...3 {
      try terminal.type("\u{1a}")
      try terminal.wait(for: "<148>", times: round)
      // The shell's terminal is as it was, and the program is stopped.
      try terminal.type("stty -g\n")
      try terminal.wait(for: "<0>", times: round + 1)
      try terminal.type("fg\n")
      try terminal.wait(for: "cat; echo OUT'\r\n", times: 2 * round + 1)
      try terminal.type("round \(round)\n")
      try terminal.wait(for: "round \(round)\r\nround \(round)\r\n")
    }
    try terminal.type("\u{4}")
    try terminal.wait(for: "OUT\r\n<0>")
    let modes = terminal.text.split(separator: "\r\n").filter { $0.contains(":1c") || $0.contains(":7f:") }
    #expect(modes.count == 4 && Set(modes).count == 1, "\(modes)")
    #expect(try world.processes().count == 1)
  }

  /// The program is stopped with its window: it gets the hang-up, and is continued so that it can handle it.
  @Test func aStoppedWindowThatIsKilledLeavesNothing() throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    try terminal.type("$OVERLINE run sh -c 'echo IN; cat'\n")
    try terminal.wait(for: "IN\r\n")
    // A shell that waits in vfork(2) for a child that is stopped before its exec cannot be stopped, in any terminal.
    try terminal.type("one\n")
    try terminal.wait(for: "one\r\none\r\n")
    try terminal.type("\u{1a}")
    try terminal.wait(for: "<148>")
    try terminal.type("kill -9 %1\n")
    #expect(try eventually { try world.processes() == [terminal.pid] })
  }

  @Test("a time limit ends a window in the background of a script", arguments: ["INT", "QUIT", "TERM"])
  func timeoutEndsAWindow(_ signal: String) throws {
    let world = try WindowWorld()
    let terminal = try world.start("bash", ["-c", "timeout -s \(signal) 0.5 $OVERLINE run cat; echo STATUS $?"])
    try terminal.wait(for: "STATUS 124")
    #expect(try eventually { try world.processes().allSatisfy { $0 == terminal.pid } })
  }

  @Test("a window that waits for its terminal's answer stops like any job")
  func aWindowThatStartsIsStopped() throws {
    let world = try WindowWorld()
    try world.pullTheCable()
    let terminal = try Self.shell(world)
    try terminal.type("$OVERLINE run sh -c 'echo IN; cat'\n")
    // The terminal does not answer.
    try terminal.wait(for: "\u{1b}[6n")
    let window = try #require(
      try world.processes().first { try $0 != terminal.pid && world.parent(of: $0) == terminal.pid })
    Signal.terminalStop.send(to: window)
    try terminal.wait(for: "<148>")
    try terminal.type("fg\n")
    try terminal.wait(for: "IN\r\n")
  }

  @Test(
    "kill %1 ends a window that is stopped or in the background", arguments: ["\u{1a}", "\u{1a}bg"],
    ["TERM", "HUP", "USR1", "PIPE", "RTMIN"])
  func killEndsAStoppedWindow(_ keys: String, _ signal: String) throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    try terminal.type("$OVERLINE run sh -c 'echo IN; cat'\n")
    try terminal.wait(for: "IN\r\n")
    try terminal.type("one\n")
    try terminal.wait(for: "one\r\none\r\n")
    try terminal.type("\u{1a}")
    try terminal.wait(for: "<148>")
    if keys.hasSuffix("bg") {
      try terminal.type("bg\n")
      try terminal.wait(for: "<0>", times: 2)
    }
    // The shell continues a job only after SIGTERM and SIGHUP.
    try terminal.type("kill -\(signal) %1; kill -CONT %1\n")
    #expect(try eventually { try world.processes() == [terminal.pid] })
    // The shell's terminal is as it was.
    try terminal.type("stty -a | grep -o -- ' icanon'\n")
    try terminal.wait(for: " icanon\r\n")
  }

  /// The window may get the signal after it is continued and before it stops again in the background.
  @Test func killEndsAWindowThatIsJustContinued() throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    for round in 1...10 {
      try terminal.type("$OVERLINE run sh -c 'echo IN; cat'\n")
      try terminal.wait(for: "IN\r\n", times: round)
      try terminal.type("one\n")
      try terminal.wait(for: "one\r\none\r\n", times: round)
      try terminal.type("\u{1a}")
      try terminal.wait(for: "<148>", times: round)
      try terminal.type("bg; kill -RTMIN %%; kill -CONT %%\n")
      #expect(try eventually { try world.processes() == [terminal.pid] })
    }
  }

  @Test("a window that was started in the background is ended by kill %1")
  func killEndsAWindowInTheBackground() throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    try terminal.type("$OVERLINE run cat &\n")
    try terminal.wait(for: "<0>", times: 2)
    try terminal.type("kill %1\n")
    #expect(try eventually { try world.processes() == [terminal.pid] })
  }

  /// timeout(1) runs its command in a process group of its own, which is in the background of the script's terminal.
  @Test("timeout ends a window in a script")
  func timeoutEndsAWindow() throws {
    let world = try WindowWorld()
    let terminal = try world.start("sh", ["-c", "timeout 0.3 $OVERLINE run cat; echo \"<$?>\""])
    try terminal.wait(for: "<124>")
    #expect(try eventually { try world.processes().isEmpty })
  }

  /// Continued in the background, a window waits until it is in front; only then the program continues.
  @Test func inTheBackgroundItWaits() throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    try terminal.type("$OVERLINE run sh -c 'echo IN; read line; echo got $line'\n")
    try terminal.wait(for: "IN\r\n")
    try terminal.type("\u{1a}")
    try terminal.wait(for: "<148>")
    try terminal.type("bg\n")
    try terminal.wait(for: "<0>", times: 2)
    let window = try #require(try world.processes().first { try world.parent(of: $0) == terminal.pid })
    #expect(try eventually { try world.state(of: window) == "T" })
    // The shell hears of the stop a moment after the kernel shows it, and its fg continues only a job that it knows to be stopped.
    var prompts = 2
    repeat {
      try terminal.type("jobs\n")
      prompts += 1
      try terminal.wait(for: "<0>", times: prompts)
    } while terminal.text.ranges(of: "Stopped").count < 2
    try terminal.type("fg\n")
    try terminal.type("more\n")
    try terminal.wait(for: "got more\r\n<0>")
  }

  @Test func startedInTheBackgroundItWaitsForItsTurn() throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    try terminal.type("$OVERLINE run sh -c 'stty -a | grep -o -- -icanon; read line; echo got $line' &\n")
    try terminal.wait(for: "<0>", times: 2)
    let window = try #require(try world.processes().first { try world.parent(of: $0) == terminal.pid })
    #expect(try eventually { try world.state(of: window) == "T" })
    try terminal.type("fg\n")
    try terminal.type("more\n")
    try terminal.wait(for: "got more\r\n<0>")
    #expect(!terminal.text.contains("-icanon\r\n"))
  }

  /// The kernel does not stop an orphaned process group, which no shell could continue: the program continues at once.
  @Test(arguments: [true, false])
  func aProgramInAnOrphanedGroupIsNotStopped(_ isControlling: Bool) throws {
    let terminal = try WindowWorld().run(
      "sh", "-c", "echo IN; kill -TSTP $$; kill -STOP $$; echo OUT", isControlling: isControlling)
    #expect(terminal.end() == 0)
    #expect(terminal.textAfterTitle == "IN\r\nOUT\r\n")
  }

  /// A shell in the window controls its own jobs.
  @Test func aShellInsideHasItsOwnJobs() throws {
    let world = try WindowWorld()
    let terminal = try world.run(
      "bash", "--norc", "--noprofile", "--noediting", "-i", environment: ["PS1=<$?>"])
    try terminal.wait(for: "<0>")
    try terminal.type("cat\n")
    try terminal.wait(for: "cat\r\n")
    try terminal.type("one\n")
    try terminal.wait(for: "one\r\none\r\n")
    try terminal.type("\u{1a}")
    try terminal.wait(for: "<148>")
    try terminal.type("fg\n")
    try terminal.wait(for: "fg\r\ncat\r\n")
    try terminal.type("two\n\u{4}")
    try terminal.wait(for: "two\r\ntwo\r\n<0>")
    try terminal.type("exit 5\n")
    #expect(terminal.end() == 5)
  }

  /// The size may change while the shell has the terminal; then the kernel signals only the shell.
  @Test func aSizeThatChangedMeanwhileIsTaken() throws {
    let world = try WindowWorld()
    let terminal = try Self.shell(world)
    try terminal.type("$OVERLINE run sh -c 'echo IN; kill -TSTP $$; stty size'\n")
    try terminal.wait(for: "<148>")
    terminal.resize(columns: 70, rows: 33)
    try terminal.type("fg\n")
    try terminal.wait(for: "33 70\r\n<0>")
  }

  enum Step: CustomStringConvertible {
    /// Starts a program that marks its lines, and waits until it runs.
    case start(String)
    /// Typed text after which the shell prints its prompt.
    case type(String)
    /// Waits until the kernel has stopped the job that reads or writes from the background. A `fg` before that would come too early, also
    /// for a program without a window.
    case stopped
    /// Waits until only the shell is left.
    case gone

    var description: String {
      switch self {
      case .start(let text), .type(let text): text
      case .stopped: "stopped"
      case .gone: "gone"
      }
    }
  }

  /// The shell reports the same exit status after each step, with and without a window. `PREFIX` is `overline run` or nothing. A window stops
  /// itself with SIGTSTP, whatever stopped its program: stops count as equal.
  @Test(
    arguments: [
      [.start("PREFIX sed -u s/^/got-/"), .type("\u{1a}"), .type("kill %1"), .gone],
      [.start("PREFIX sed -u s/^/got-/"), .type("\u{1a}"), .type("kill -KILL %1"), .gone],
      [
        .start("PREFIX sed -u s/^/got-/"), .type("\u{1a}"), .type("p=$(jobs -p); disown %1"),
        .type("kill -KILL $p; jobs"), .gone,
      ],
      [
        .start("PREFIX sed -u s/^/got-/"), .type("\u{1a}"), .start("fg"), .type("\u{1a}"), .start("fg"), .type("\u{4}"),
      ],
      [.start("PREFIX sed -u s/^/got-/"), .type("\u{3}")],
      [.start("PREFIX sed -u s/^/got-/"), .type("\u{1c}")],
      [.type("PREFIX sed -u s/^/got-/ &"), .stopped, .start("fg"), .type("\u{4}")],
      [.type("PREFIX sed -u s/^/got-/ &"), .type("kill %1"), .gone],
      // A stopped process handles the first signal only after SIGCONT. One that is not stopped yet may be gone before it.
      [.type("PREFIX sed -u s/^/got-/ &"), .stopped, .type("kill -HUP $!; kill -CONT $!"), .gone],
      [.type("PREFIX sed -u s/^/got-/ &"), .stopped, .type("disown; kill $!; kill -CONT $!"), .gone],
      [.type("PREFIX sh -c 'kill -STOP $$; exit 4'"), .type("fg")],
      [.type("PREFIX sh -c 'kill -TSTP $$; exit 4'"), .type("fg")],
      [.type("PREFIX sh -c 'kill -TTIN $$; exit 4'"), .type("fg")],
      [.type("PREFIX sh -c 'kill -STOP $$; exit 4'"), .type("bg"), .type("fg; jobs")],
      [.type("PREFIX sh -c 'kill -TERM $$'")],
      [.type("PREFIX sh -c 'kill -PIPE $$'")],
      [.type("timeout 0.3 PREFIX cat")],
      [.type("timeout -s INT 0.3 PREFIX sed -u s/^/got-/")],
      [.type("timeout -s KILL 0.3 PREFIX sed -u s/^/got-/")],
      [.type("timeout --foreground 0.3 PREFIX sed -u s/^/got-/")],
      [.type("nohup PREFIX sh -c 'kill -HUP $$; exit 5' < /dev/null > /dev/null 2>&1")],
      [.type("trap '' HUP; PREFIX sh -c 'kill -HUP $$; exit 6'")],
      [.type("(exec PREFIX sh -c 'exit 9')")],
      [.type("PREFIX nonexistent-program")],
    ] as [[Step]])
  func jobsEndAsWithoutAWindow(_ steps: [Step]) throws {
    func statuses(_ prefix: String) throws -> [Substring] {
      let world = try WindowWorld()
      let terminal = try Self.shell(world)
      var prompts = 1
      var copies = 0
      for step in steps {
        let text = step.description.replacing("PREFIX ", with: prefix)
        let typed = text.count == 1 ? text : text + "\n"
        switch step {
        case .gone:
          #expect(try eventually { try world.processes() == [terminal.pid] }, "\(prefix)\(steps)")
        case .stopped:
          let jobs = { try world.processes().filter { try world.parent(of: $0) == terminal.pid } }
          #expect(try eventually { try jobs().contains { try world.state(of: $0) == "T" } }, "\(prefix)\(steps)")
        case .start:
          copies += 1
          try terminal.type(typed + "\(copies)\n")
          try terminal.wait(for: "got-\(copies)\r\n")
        case .type:
          prompts += 1
          try terminal.type(typed)
          #expect(eventually { terminal.text.matches(of: /<\d+>/).count >= prompts }, "\(text): \(terminal.text)")
        }
      }
      return terminal.text.matches(of: /<(\d+)>/).map { (147...150).contains(Int($0.1)!) ? "stopped" : $0.1 }
    }
    let window = try statuses("$OVERLINE run ")
    let bare = try statuses("")
    #expect(window == bare)
  }
}
