import OverlineCore
import OverlineProcess
import OverlineReferenceTerminal
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

@Suite(.ownThread) struct ToastCommandTests {
  @Test func aToastShowsInTheWindowItIsCalledIn() throws {
    let scene = try Scene()
    let overline = WindowWorld.executable
    let other = try scene.window()
    let window = try scene.world.window(
      "sh", "-c", "\(overline) toast 'Saved' --message 'All of it' --style success; echo RC=$?; cat")
    try window.wait(for: "RC=0")
    try window.wait(for: "Saved")
    try window.wait(for: "All of it")
    #expect(!other.text.contains { $0.contains("Saved") })
    // And disappears by itself.
    try window.waitUntilGone("Saved")
  }

  /// A tmux that was started in a window keeps its variable forever, wherever its clients are.
  @Test func insideTmuxAWindowAroundItIsNotTheOneItIsCalledIn() throws {
    let scene = try Scene()
    let around = try scene.window()
    let server = try TmuxTestServer()
    let client = try server.attach()
    let variables = ["OVERLINE_SOCKET=\(try scene.socket())", "TMUX=\(server.socket),\(server.pid),0"]
    let monitor = try scene.startMonitor()
    #expect(try scene.overline("tmux", "attach", "--server", server.socket).status == 0)
    #expect(try scene.overline("toast", "Saved", "--duration", "0", environment: variables).status == 0)
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast?.title == "Saved" })
    #expect(!around.text.contains { $0.contains("Saved") })
    withExtendedLifetime(client) {}
    // Without a terminal an alert has no other place.
    let alert = try scene.start(
      "alert", "Really?", environment: [variables[0], "TMUX=/nonexistent/tmux,1,0"])
    #expect(endStatus(of: alert.pid) == 69)
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func fromElsewhereAToastShowsInTheWindowUsedLast() throws {
    let scene = try Scene()
    let (first, second) = (try scene.window(), try scene.window())
    #expect(try scene.overline("toast", "newest", "--duration", "0").status == 0)
    try second.wait(for: "newest")
    try scene.type("here", in: first)
    #expect(try scene.overline("toast", "last input", "--duration", "0").status == 0)
    try first.wait(for: "last input")
    #expect(!second.text.contains { $0.contains("last input") })
  }

  @Test func theSocketOfAWindowThatWasKilledIsPassedOver() throws {
    let scene = try Scene()
    let living = try scene.window()
    let killed = try scene.window()
    let socket = scene.runtime.windowSocket(of: killed.pid)
    Signal.kill.send(to: killed.pid)
    #expect(eventually { killed.hasEnded })
    #expect(scene.runtime.windowSockets.count == 2)
    #expect(try scene.overline("toast", "still here").status == 0)
    try living.wait(for: "still here")
    // With the inherited variable.
    let inherited = "OVERLINE_SOCKET=\(socket)"
    #expect(try scene.overline("toast", "and here", environment: [inherited]).status == 0)
    try living.wait(for: "and here")
  }

  @Test func theSocketOfAWindowThatWasKilledIsRemoved() throws {
    let scene = try Scene()
    let living = try scene.window()
    let killed = try scene.window()
    // A window that has just started listens a moment later.
    let starting = scene.runtime.windowSocket(of: ProcessEnvironment.processID)
    do { _ = try UnixSocket.listen(at: starting) }
    Signal.kill.send(to: killed.pid)
    #expect(endStatus(of: killed.pid) == 137)
    #expect(scene.runtime.windowSockets.count == 3)
    #expect(try scene.overline("toast", "here").status == 0)
    try living.wait(for: "here")
    #expect(Set(scene.runtime.windowSockets) == [scene.runtime.windowSocket(of: living.pid), starting])
  }

  /// A window that is stopped, as by Ctrl-Z, gets no request. Otherwise it would show the toast again when it continues.
  @Test func aWindowThatIsStoppedIsNotAsked() throws {
    let scene = try Scene()
    let living = try scene.window()
    let stopped = try scene.window()
    _ = try Subprocess.run("kill", ["-STOP", "\(stopped.pid)"])
    let start = BootClock.now
    #expect(try scene.overline("toast", "here", "--duration", "0").status == 0)
    #expect(BootClock.now - start < .seconds(20))
    try living.wait(for: "here")
    _ = try Subprocess.run("kill", ["-CONT", "\(stopped.pid)"])
    stopped.type("again\n")
    try stopped.wait(for: "again")
    // It answers requests in their order.
    #expect(try scene.state(at: scene.runtime.windowSocket(of: stopped.pid)).toast == nil)
  }

  /// `--dismiss` finds the toast's window, also when it is called in another window.
  @Test func aToastThatStaysIsTakenAway() throws {
    let scene = try Scene()
    #expect(try scene.overline("toast", "--dismiss").status == 69)
    let (here, window) = (try scene.window(), try scene.window())
    let inside = scene.world.environment(inside: here)
    for title in ["front", "second"] {
      #expect(try scene.overline("toast", title, "--duration", "0").status == 0)
    }
    try window.wait(for: "front")
    #expect(try scene.overline("toast", "keyed", "--duration", "0", "--key", "k").status == 0)
    #expect(try scene.overline("toast", "--dismiss", environment: inside).status == 0)
    // One is dismissed, and those that wait have their turn.
    try window.wait(for: "second")
    #expect(!window.text.contains { $0.contains("front") })
    #expect(try scene.overline("toast", "--dismiss", "--key", "other", environment: inside).status == 0)
    #expect(try scene.overline("toast", "--dismiss", "--key", "k", environment: inside).status == 0)
    #expect(try eventually { try scene.state(at: scene.socket()).toast?.title == "second" })
    #expect(try scene.overline("toast", "--dismiss", environment: inside).status == 0)
    try window.waitUntilGone("second")
    // A toast that still waited would have its turn before this one.
    #expect(try scene.overline("toast", "last", "--duration", "0").status == 0)
    try window.wait(for: "last")
    #expect(!window.text.contains { $0.contains("keyed") })
    #expect(try scene.overline("toast", "--dismiss", environment: inside).status == 0)
    // It is gone already.
    #expect(try scene.overline("toast", "--dismiss", "--key", "k", environment: inside).status == 0)
  }

  /// The key's last toast was posted to one window; another window has been typed into since.
  @Test func aToastOfAKeyTakesThePlaceOfTheLastOneWhereverThatIs() throws {
    let scene = try Scene()
    let (first, second) = (try scene.window(), try scene.window())
    try scene.type("typed", in: first)
    #expect(try scene.overline("toast", "Building", "--duration", "0", "--key", "k").status == 0)
    try first.wait(for: "Building")
    try scene.type("typed", in: second)
    #expect(try scene.overline("toast", "Built", "--duration", "0", "--key", "k").status == 0)
    try second.wait(for: "Built")
    try first.waitUntilGone("Building")
    #expect(try scene.overline("toast", "--dismiss", "--key", "k").status == 0)
    try second.waitUntilGone("Built")
  }

  /// A toast reported as failed must not show later.
  @Test func aMonitorThatIsStoppedIsNotAsked() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    _ = try Subprocess.run("kill", ["-STOP", "\(monitor.pid)"])
    let result = try scene.overline("banner", "present", "Deploying")
    #expect(result.status == 69)
    #expect(result.errorText.contains("no monitor that answers"))
    _ = try Subprocess.run("kill", ["-CONT", "\(monitor.pid)"])
    #expect(try scene.overline("toast", "here", "--duration", "0").status == 0)
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast?.title == "here" })
    #expect(try scene.state(at: scene.runtime.socket).banner.title != "Deploying")
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aMonitorsToastIsTakenAway() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    #expect(try scene.overline("toast", "stays", "--duration", "0").status == 0)
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast?.title == "stays" })
    #expect(try scene.overline("toast", "--dismiss").status == 0)
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast == nil })
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aToastWithoutAScreenIsALine() throws {
    let scene = try Scene()
    let arguments = ["toast", "Connection failed", "--message", "Check your internet\u{1b}[2J.", "--style", "error"]
    let result = try scene.world.namespace.inside {
      try Subprocess.run(
        WindowWorld.executable, arguments, environment: scene.world.environment)
    }
    #expect(result.status == 0)
    #expect(result.errorText == "Error: Connection failed. Check your internet[2J.\n")
    #expect(result.outputText == "")
    #expect(try scene.overline("toast", "x", "--quiet").errorText == "")
    #expect(try scene.overline("toast", "x", "--duration", "3").errorText == "Info: x\n")
    #expect(try scene.overline("toast", "x", "--duration", "3000ms").errorText == "Info: x\n")
    // And the adjustment of too short a duration.
    let short = try scene.overline("toast", "x", "--duration", "2.9s")
    #expect(short.status == 0)
    #expect(short.errorText == "overline: a toast stays for 3 seconds at least, and so does this one\nInfo: x\n")
    #expect(try scene.overline("toast", "x", "--duration", "1", "--quiet").errorText == "")
    #expect(try scene.overline("toast", "x", environment: ["XDG_RUNTIME_DIR=/nonexistent"]).errorText == "Info: x\n")
    // The process of --while must run, as for a toast in a window.
    let owner = try Owner()
    let process = "\(owner.pid)"
    #expect(try scene.overline("toast", "x", "--while", process).errorText == "Info: x\n")
    owner.kill()
    let late = try scene.overline("toast", "x", "--while", process)
    #expect(late.status == 2 && late.errorText == "overline: \"while\" is \(process): no such process\n", "\(late)")
    // A socket named by the user must answer.
    #expect(try scene.overline("toast", "x", "--socket", "/nonexistent").status == 69)
  }

  @Test func aMonitorWithoutTmuxSaysIt() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let watch = try scene.start("watch")
    try watch.lines.wait("the state") { !$0.isEmpty }
    #expect(try scene.overline("toast", "Saved", "--message", "All of it", "--style", "success").status == 0)
    try monitor.lines.first("the toast") { $0.hasSuffix("  Success: Saved. All of it") }
    try watch.lines.wait("the announcement") { $0.last == "Success: Saved. All of it" }
    #expect(watch.lines.values.count == 2)
  }

  @Test func inTmuxItShowsThereAndNotInAWindow() throws {
    let scene = try Scene()
    let window = try scene.window()
    let server = try TmuxTestServer()
    let screen = try server.attachedScreen()
    let monitor = try scene.startMonitor()
    #expect(try scene.overline("tmux", "attach", "--server", server.socket).status == 0)
    let inside = "TMUX=\(server.socket),\(server.pid),0"
    let owner = try Owner()
    let posted = try scene.overline(
      "toast", "Saved #(touch \(scene.world.folder)/x)", "--duration", "0", "--while", "\(owner.pid)",
      environment: [inside])
    #expect(posted.status == 0)
    #expect(try eventually { try screen.rows().contains { $0.contains("Saved #(touch") } })
    #expect(try scene.state(at: scene.runtime.socket).announcement.hasPrefix("Info: Saved #(touch"))
    #expect(try scene.overline("banner", "present", "Working", environment: [inside]).status == 0)
    #expect(try eventually { try screen.rows().contains { $0.contains("Working") } })
    owner.kill()
    #expect(try eventually { try !screen.rows().contains { $0.contains("Saved #(touch") } })
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast == nil })
    #expect(!Files.exists("\(scene.world.folder)/x"))
    #expect(!window.text.contains { $0.contains("Saved") || $0.contains("Working") })
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func theConfigurationSuppliesMissingValues() throws {
    let scene = try Scene(configuration: "[toast]\nedge = \"bottom\"\nduration = \"0s\"\n")
    let window = try scene.window()
    #expect(try scene.overline("toast", "below").status == 0)
    try window.wait("the toast at the bottom") { $0.text.suffix(3).contains { $0.contains("below") } }
    #expect(try scene.overline("toast", "above", "--edge", "top", "--key", "k").status == 0)
    // One at a time.
    #expect(try scene.state(at: scene.socket()).toast?.title == "below")
    #expect(try scene.overline("toast", "--dismiss").status == 0)
    try window.wait("the toast at the top") { $0.text.prefix(3).contains { $0.contains("above") } }
  }

  @Test(arguments: [
    (["toast"], "<title>"), (["toast", " \u{1b}"], "\"title\" is empty"),
    (["toast", "x", "--style", "warnign"], "did you mean \"warning\"?"),
    (["toast", "x", "--edge", "tpo"], "did you mean \"top\"?"),
    (["toast", "x", "--duration=-1"], "\"-1\" is not a duration"),
    (["toast", "x", "--duration", "8761h"], "--duration takes at most 31536000 seconds"),
    (["toast", "x", "--key", ""], "\"key\" has 0 characters"), (["toast", "x", "--while", "0"], "\"while\" is 0"),
    (["toast", "x", "--while", "99999999999"], "--while"), (["banner", "present", ""], "\"title\" is empty"),
    (["banner", "present", "x", "--height", "9"], "\"height\" is 9"),
    (["alert"], "<title>"), (["alert", ""], "\"title\" is empty"),
    (["alert", "x", "--button", ""], "\"buttons[0]\" is empty"),
    (["alert", "x", "--button", "a", "--button", "a"], "\"buttons[1]\" is \"a\" again"),
    (["alert", "x"] + (1...9).flatMap { ["--button", "\($0)"] }, "\"buttons\" has 9 entries"),
    (["alert", "x", "--nonsense"], "nonsense"),
  ])
  func wrongUsageIs64AndSaysWhat(_ arguments: [String], _ words: String) throws {
    let result = try Subprocess.run(
      WindowWorld.executable, arguments, environment: TmuxTestServer.environment)
    #expect(result.status == 64)
    #expect(result.errorText.contains(words), "\(result.errorText)")
  }

  @Test func aWindowThatIsTooLowSaysSo() throws {
    let scene = try Scene()
    let window = try scene.window()
    window.resize(rows: 3, columns: 120)
    var said = ""
    let hasRefused = try eventually {
      let result = try scene.overline("toast", "x", "--key", "k")
      said = result.errorText
      return result.status == 2
    }
    #expect(hasRefused)
    #expect(said == "overline: this window has 3 rows and 120 columns; a toast needs 5 and 7\n")
  }

  /// 60 KiB and escape sequences: none of it drives the terminal or runs as a command.
  @Test func hostileTextsAreText() throws {
    let scene = try Scene()
    let window = try scene.window()
    let hostile = "A\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}31m#(touch \(scene.world.folder)/x)\u{202e}\r\n$(id)"
    #expect(try scene.overline("toast", hostile, "--message", hostile, "--duration", "0").status == 0)
    try window.wait(for: "A]0;x[2J31m#(touch")
    try window.wait(for: "READY")
    #expect(!Files.exists("\(scene.world.folder)/x"))
    let long = String(repeating: "x", count: 60_000)
    #expect(try scene.overline("toast", long, "--message", long, "--key", "k").status == 0)
    let state = try scene.state(at: scene.socket())
    #expect(state.announcement.count < 3000)
  }
}
