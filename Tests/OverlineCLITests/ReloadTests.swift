import OverlineCore
import OverlineProcess
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The configuration changes while a monitor runs.
@Suite(.ownThread) struct ReloadTests {
  private func title(_ world: World) throws -> String {
    let status = try world.overline("status", "--format", "env").outputText
    return status.split(separator: "\n").first { $0.hasPrefix("OVERLINE_TITLE=") }.map(String.init) ?? ""
  }

  private func offline(_ title: String, more: String = "") -> String {
    "[banner]\ngrace-delay = \"0s\"\n[banner.offline]\ntitle = \"\(title)\"\n\(more)"
  }

  private func waitForTitle(_ title: String, _ world: World) throws {
    if try !eventually({ try self.title(world) == "OVERLINE_TITLE='\(title)'" }) {
      throw TestKitError("waited in vain for \(title); there was: \(try self.title(world))")
    }
  }

  /// In place, as `cp` does; replaced by another file, as editors do; in two steps with a moment without any; removed, and
  /// created again.
  @Test func theFileIsFollowedHoweverItIsWritten() throws {
    let world = try World()
    try world.configure(offline("First"))
    let monitor = try world.startMonitor()
    try world.pullTheCable()
    try waitForTitle("First", world)
    let file = "\(world.folder)/overline/config.toml"
    func write(_ title: String, _ script: String) throws {
      let result = try Subprocess.run(
        "sh", ["-c", script, "sh", file], input: Array(offline(title).utf8), environment: world.environment)
      #expect(result.status == 0)
      try waitForTitle(title, world)
    }
    try write("In place", "cat >\"$1\"")
    try write("Replaced", "cat >\"$1.new\"; mv \"$1.new\" \"$1\"")
    try write("As vim does", "mv \"$1\" \"$1~\"; cat >\"$1\"")
    try write("In place again", "cat >\"$1\"")
    try Files.remove(file)
    try waitForTitle("No connection", world)
    try write("Back", "cat >\"$1\"")
    #expect(monitor.errors.values == [])
    // On a busy machine the moment without a file lasts longer than the monitor waits, so the monitor reads once more.
    let reads = monitor.lines.values.count { $0.hasSuffix("the configuration was read again") }
    #expect((6...7).contains(reads))
    // The monitor uses one inotify instance; a user has 128.
    let descriptors = try Subprocess.run("ls", ["-l", "/proc/\(monitor.pid)/fd"]).outputText
    #expect(descriptors.split(separator: "\n").count { $0.hasSuffix("anon_inode:inotify") } == 1)
  }

  /// The monitor has read the file, and waits for the previous monitor's guardian.
  @Test func aChangeWhileTheMonitorStartsIsSeen() throws {
    let world = try World()
    try world.configure(offline("First"))
    try world.pullTheCable()
    let lock = try FileLock.acquire("\(world.folder)/overline/lock")
    let monitor = try world.start("monitor")
    let waits = "-> FLOCK  ADVISORY  WRITE \(monitor.pid) "
    #expect(try eventually { String(decoding: try Files.read("/proc/locks"), as: UTF8.self).contains(waits) })
    try world.configure(offline("Second"))
    _ = consume lock
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    try waitForTitle("Second", world)
  }

  @Test func aFileInAFolderThatIsMadeLaterIsFound() throws {
    let world = try World()
    let home = "\(world.folder)/later"
    let environment =
      world.environment.filter { !$0.hasPrefix("XDG_CONFIG_HOME=") } + ["XDG_CONFIG_HOME=\(home)/.config"]
    let monitor = try world.namespace.inside {
      try TestProgram(World.executable, ["monitor"], environment: environment)
    }
    try monitor.lines.wait("the first line") { !$0.isEmpty }
    try world.pullTheCable()
    try waitForTitle("No connection", world)
    let made = try Subprocess.run(
      "sh",
      ["-c", "mkdir \"$1\"; mkdir -p \"$1/.config/overline\"; cat >\"$1/.config/overline/config.toml\"", "sh", home],
      input: Array(offline("Late").utf8), environment: environment)
    #expect(made.status == 0)
    try waitForTitle("Late", world)
  }

  @Test func aBadFileChangesNothingAndIsReportedOnce() throws {
    let world = try World()
    try world.configure(offline("Good"))
    let monitor = try world.startMonitor()
    try world.pullTheCable()
    try waitForTitle("Good", world)
    try world.configure(offline("Bad", more: "height = 99\n"))
    try monitor.errors.wait("why") { $0.count == 2 }
    let place = "\(world.folder)/overline/config.toml:5:1: banner.offline.height: is 99"
    #expect(monitor.errors.values[0].contains(place))
    #expect(monitor.errors.values[1] == "overline: the configuration stays as it was")
    let asked = try world.overline("reload")
    #expect(asked.status == 78)
    #expect(asked.errorText.contains(place))
    Signal.hangUp.send(to: monitor.pid)
    // An error made since then is reported.
    try world.configure(offline("Worse", more: "heigt = 1\n"))
    try monitor.errors.first("what is new") { $0.contains("did you mean \"height\"?") }
    try monitor.errors.wait("that nothing changed") { $0.count == 4 }
    #expect(try title(world) == "OVERLINE_TITLE='Good'")
    try world.configure(offline("Better"))
    try waitForTitle("Better", world)
    #expect(try world.overline("reload").status == 0)
  }

  @Test func whatCountsAsTheNetworkFollows() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    try world.configure("[path]\nignore = [\"eth*\"]\n")
    try monitor.lines.first("the ignored interface") { $0.hasSuffix("dev eth0 is ignored by the configuration") }
    #expect(try world.overline("status").status == 1)
    try world.configure(
      "[path]\ntargets = { office = { network = \"10.20.0.0/16\", by-route = \"any\" } }\n")
    #expect(
      try eventually {
        try world.overline("status", "--format", "env").outputText.contains("OVERLINE_TARGETS='office=1'")
      })
    // The kernel's filter follows too: nothing but this route changes.
    try world.namespace.ip("route add unreachable 10.20.0.0/16")
    #expect(
      try eventually {
        try world.overline("status", "--format", "env").outputText.contains("OVERLINE_TARGETS='office=0'")
      })
  }

  /// Watching the file does not show that a folder on its path was replaced.
  @Test func aHangUpReads() throws {
    let world = try World()
    for name in ["First", "Second"] {
      try Files.makePrivateDirectory("\(world.folder)/\(name)")
      try Files.replace("\(world.folder)/\(name)/config.toml", with: Array(offline(name).utf8))
    }
    func link(_ name: String) throws {
      _ = try Subprocess.run("ln", ["-sfn", name, "\(world.folder)/link"])
    }
    try link("First")
    let monitor = try world.start("monitor", "--config", "\(world.folder)/link/config.toml")
    try monitor.lines.wait("the first line") { !$0.isEmpty }
    try world.pullTheCable()
    try waitForTitle("First", world)
    try link("Second")
    Signal.hangUp.send(to: monitor.pid)
    try waitForTitle("Second", world)
    try link("First")
    #expect(try world.overline("reload").status == 0)
    #expect(try title(world) == "OVERLINE_TITLE='First'")
    // A named file must exist.
    try Files.remove("\(world.folder)/First/config.toml")
    #expect(try world.overline("reload").status == 78)
    #expect(try title(world) == "OVERLINE_TITLE='First'")
    #expect(monitor.end(.terminate) == 0)
  }

  /// TOMLKit, an earlier parser, leaked 18 KB at each reading.
  @Test func reloadsLeaveNothingBehind() throws {
    let world = try World()
    try world.configure(String(decoding: Files.read("\(InstalledPrefix.config)/overline.toml"), as: UTF8.self))
    let monitor = try world.startMonitor()
    func reload(_ count: Int) throws {
      for _ in 0..<count / 100 {
        // The burst of requests that one connection may send.
        var client = try ObserverClient(path: "\(world.folder)/overline/monitor.sock")
        for _ in 0..<100 { #expect(try client.request(.reload) == .ok()) }
      }
    }
    try reload(500)
    let figures = ProcessFigures(pid: monitor.pid)
    let memory = try figures.memory("Anonymous")
    try reload(2000)
    let growth = try figures.memory("Anonymous") - memory
    if !Sanitizer.isWatching { #expect(growth <= 256, "\(growth) KB") }
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func tmuxFollows() throws {
    let world = try World()
    try world.configure(offline("First"))
    let server = try TmuxTestServer(configuration: ["set -g status-interval 0"])
    let screen = try server.attachedScreen()
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    let height = try server.tmux("display-message", "-p", "#{pane_height}")
    try world.configure(offline("Second", more: "[tmux]\nreserve = \"always\"\n"))
    // The empty line, before there is a banner.
    #expect(try eventually { try server.tmux("display-message", "-p", "#{pane_height}") != height })
    try world.pullTheCable()
    #expect(try eventually { try screen.rows().contains { $0.contains("Second") } })
    try world.configure(offline("Third"))
    #expect(try eventually { try screen.rows().contains { $0.contains("Third") } })
    try world.plugTheCable()
    #expect(try eventually { try server.tmux("display-message", "-p", "#{pane_height}") == height })
    #expect(monitor.end(.terminate) == 0)
  }
}
