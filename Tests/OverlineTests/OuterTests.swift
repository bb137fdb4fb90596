import OverlineReferenceTerminal
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// A program with a window, in a window or tmux server that has the banner.
@Suite(.ownThread) struct OuterTests {
  /// Cell for cell one banner: that of `overline run`.
  @Test func insideAWindowThereIsNoSecondBanner() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let scene = try ProgramScene(
      rows: 12, environment: ["XDG_RUNTIME_DIR=\(folder)", "HOME=\(folder)"],
      wrapping: "exec \(BuiltProgram.path("overline")) run -- \"$0\" \"$@\"")
    try scene.tell("monitor", "print ready", "rect")
    try scene.wait(for: "ready")
    try scene.wait(for: "rect: TerminalRect(row: 1, column: 1, rows: 12, columns: 60)")
    try scene.world.pullTheCable()
    try scene.wait("the window's banner") { $0.text[0].contains("No connection") }
    try scene.settle("printed below")
    // One of the program's own would follow within its grace delay.
    let hasTwo = eventually(within: .milliseconds(700)) {
      scene.scene.text.count { $0.contains("No connection") } != 1
    }
    #expect(!hasTwo)
    try scene.tell("toast Saved")
    try scene.wait("the window's toast") { $0.text.contains { $0.contains("Saved") } }
    try scene.world.plugTheCable()
    try scene.wait("no banner") { !$0.text[0].contains("No connection") && !$0.text[0].contains("Back online") }
    try scene.tell("present Deploying")
    try scene.wait("the window's own banner") { $0.text[0].contains("Deploying") }
    try scene.tell("dismiss")
    try scene.wait("no banner") { !$0.text[0].contains("Deploying") }
  }

  /// The outer window knows neither the levels nor the content of the library's alerts, so they show in the program's rows.
  @Test func insideAWindowTheProgramAsksInItsOwnRows() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let scene = try ProgramScene(
      rows: 20, environment: ["XDG_RUNTIME_DIR=\(folder)", "HOME=\(folder)"],
      wrapping: "exec \(BuiltProgram.path("overline")) run -- \"$0\" \"$@\"")
    try scene.tell("monitor", "print ready")
    try scene.wait(for: "ready")
    try scene.world.pullTheCable()
    try scene.wait("the window's banner") { $0.text[0].contains("No connection") }
    try scene.tell("present Deploying", "ask Overwrite?")
    try scene.wait(for: "[ Yes ]")
    // Keys of the first half second are dropped.
    #expect(
      eventually {
        scene.scene.type("2")
        return eventually(within: .milliseconds(700)) { scene.scene.text.contains { $0.contains("answer: 1") } }
      })
    try scene.scene.waitUntilGone("Overwrite?")
    // No banner of the program's own.
    #expect(scene.scene.text.count { $0.contains("No connection") || $0.contains("Deploying") } == 1)
  }

  /// The variables outlive a window and a change of the user. The pid is another program's then, perhaps another user's.
  @Test(arguments: [false, true]) func theVariablesOfNoWindowStartNothing(_ isOfAnotherUser: Bool) throws {
    if isOfAnotherUser, !TestUser.canBeOthers {
      Issue.record("COULD NOT RUN: only root can be another user")
      return
    }
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    _ = try Subprocess.run("chmod", ["777", folder])
    let script = """
      use IO::Socket::UNIX; $| = 1; my $s = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 9) or die "listen: $!";
      chmod 0666, $ARGV[0]; print "ready\\n"; sleep 60
      """
    let user = isOfAnotherUser ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]
    // The user's own listener has another pid than the variable's.
    let other = try TestProgram(
      user[0], user.dropFirst() + ["perl", "-e", script, "\(folder)/s"], environment: ["PATH=/usr/bin:/bin"])
    try other.lines.wait("the socket") { $0 == ["ready"] }
    let pid = isOfAnotherUser ? other.pid : ProcessEnvironment.processID
    let scene = try ProgramScene(environment: ["OVERLINE_SOCKET=\(folder)/s", "OVERLINE_WINDOW=\(pid)"])
    try scene.tell("present Deploying", "print printed")
    try scene.wait("the program's own banner") { $0.text.last!.contains("Deploying") }
    withExtendedLifetime(other) {}
  }

  /// A real monitor and a real tmux server.
  @Test func insideTmuxTheMonitorsBannerIsTheOnlyOne() throws {
    let world = try LibraryWorld()
    let commands = try WindowCommands(in: world.folder)
    let overline = BuiltProgram.path("overline")
    let variables = ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"].map { "\($0)=\(world.folder)" }
    let environment = TmuxTestServer.environment + variables
    let (monitor, server) = try world.machine.inside {
      (
        try TestProgram(overline, ["monitor"], environment: environment),
        try TmuxTestServer(configuration: ["set -g status-interval 0"])
      )
    }
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    let screen = try server.attachedScreen()
    let attachment = try world.machine.inside {
      try Subprocess.run(overline, ["tmux", "attach", "--server", server.socket], environment: environment)
    }
    #expect(attachment.status == 0, "\(attachment.errorText)")
    func wait(_ what: String, _ fits: ([String]) -> Bool) throws {
      var rows: [String] = []
      let isThere = try eventually {
        rows = try screen.rows()
        return fits(rows)
      }
      #expect(isThere, "\(what) in \(rows)")
    }
    func count(_ text: String, _ rows: [String]) -> Int { rows.count { $0.contains(text) } }
    let path = "PATH=\(BuiltProgram.path("")):\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")"
    let program = "\(BuiltProgram.path("OverlineWindowProgram")) \(commands.path) inline"
    try server.tmux("respawn-pane", "-k", "exec env '\(path)' \(variables.joined(separator: " ")) \(program)")
    try commands.send(["monitor", "print ready"])
    try wait("the program") { count("ready", $0) == 1 }
    try world.pullTheCable()
    try wait("the server's banner") { count("No connection", $0) == 1 }
    // One of the program's own would be there by now: it follows each outage, and the next command is obeyed later.
    try commands.send(["rect", "present Deploying"])
    try wait("the whole pane") { count("rect: TerminalRect(row: 1, column: 1, rows: 22, columns: 80)", $0) == 1 }
    try commands.send(["print below"])
    try wait("output") { count("below", $0) == 1 }
    #expect(try count("No connection", screen.rows()) == 1 && count("Deploying", screen.rows()) == 0)
    try world.plugTheCable()
    try wait("the program's banner, in the server's line") {
      count("Deploying", $0) == 1 && count("No connection", $0) == 0
    }
    try commands.send(["toast Saved"])
    try wait("the toast, once") { count("Saved", $0) == 1 && count("Deploying", $0) == 1 }
    try commands.send(["dismiss"])
    try wait("no banner") { count("Deploying", $0) == 0 }
    withExtendedLifetime(monitor) {}
  }

  /// A stand-in for `overline` says whether the monitor drives the server, and records what it is asked.
  /// The program may ask for a banner of its own.
  @Test(arguments: [(true, "inline"), (false, "inline"), (true, "own")])
  func insideTmuxTheServerShowsTheBanner(_ isDriven: Bool, _ style: String) throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let script = """
      #!/bin/sh
      if [ "$1" = tmux ]; then echo "\(isDriven ? folder : "/elsewhere")/tmux  tmux 3.4, 1 session, 1 client, no banner"
      else echo "$@" >> \(folder)/asked; fi
      """
    _ = try Subprocess.run("tee", ["\(folder)/overline"], input: Array(script.utf8))
    _ = try Subprocess.run("chmod", ["+x", "\(folder)/overline"])
    let path = ProcessEnvironment["PATH"] ?? "/usr/bin:/bin"
    let scene = try ProgramScene(style, environment: ["TMUX=\(folder)/tmux,1,0", "PATH=\(folder):\(path)"])
    try scene.tell("present Deploying", "toast Saved", "print printed")
    try scene.wait(for: "printed")
    if isDriven, style == "inline" {
      let asked = { (try? Files.read("\(folder)/asked")).map { String(decoding: $0, as: UTF8.self) } ?? "" }
      #expect(eventually { asked().split(separator: "\n").count == 2 }, "\(asked())")
      #expect(asked().hasPrefix("banner present --background #"))
      #expect(asked().contains("toast --style success --edge top --duration 3000ms "))
      #expect(asked().contains("--message with a message -- Saved\n"))
      // Not 0, which means no limit.
      try scene.tell("brief Sent")
      #expect(eventually { asked().contains("--duration 500ms ") }, "\(asked())")
      #expect(!scene.scene.text.contains { $0.contains("Deploying") || $0.contains("Saved") })
    } else {
      try scene.wait("both here") { $0.text.last!.contains("Deploying") && $0.text[8].contains("Saved") }
      #expect(!Files.exists("\(folder)/asked"))
    }
  }
}
