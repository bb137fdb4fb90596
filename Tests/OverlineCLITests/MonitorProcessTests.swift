import OverlineCore
import ArgumentParser
import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@testable import OverlineCLI

/// The monitor as a process: its files, its signals and its standard descriptors.
@Suite(.ownThread) struct MonitorProcessTests {
  @Test func aSecondMonitorSaysThatOneRuns() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    let second = try world.overline("monitor")
    #expect(second.status == 2)
    #expect(second.errorText.contains("a monitor runs already (pid \(monitor.pid))"))
    #expect(try world.overline("status").status == 0)
  }

  @Test func withoutARuntimeDirectoryTheMonitorGoesOn() throws {
    let world = try World()
    let monitor = try world.namespace.inside {
      try TestProgram(
        World.executable, ["monitor"],
        environment: world.environment.filter { !$0.hasPrefix("XDG_RUNTIME_DIR=") } + ["XDG_RUNTIME_DIR=/nonexistent"])
    }
    try monitor.lines.first("the network") { $0.contains("online via eth0") }
    try monitor.errors.first("why there are no observers") { $0.hasSuffix("the tmux plugin cannot reach this monitor") }
    try world.pullTheCable()
    try monitor.lines.first("the outage") { $0.contains("has no carrier") }
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aFullRuntimeDirectoryIsOneSentenceAndTheMonitorGoesOn() throws {
    let world = try World()
    let full = "\(world.folder)/full"
    try Files.makePrivateDirectory(full)
    let fill = """
      mount -t tmpfs -o size=16k,mode=700 tmpfs \(full) && dd if=/dev/zero of=\(full)/fill 2>/dev/null
      export XDG_RUNTIME_DIR=\(full)
      \(World.executable) monitor 2>\(world.folder)/errors & until grep -q space \(world.folder)/errors; do :; done
      cat \(world.folder)/errors >&2
      \(World.executable) status; kill $!; wait
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--mount", "sh", "-c", fill], environment: world.environment)
    }
    #expect(result.errorText.contains("No space left on device; free some space there"))
    #expect(result.outputText.contains("online via eth0, wired"))
  }

  /// The directory fills up while the monitor runs: there is no room for a second state file, so the old one is overwritten.
  @Test func aRuntimeDirectoryThatFillsUpKeepsTheStateThatPromptsRead() throws {
    let world = try World()
    try world.configure("[banner]\ngrace-delay = \"0s\"\nhide-delay = \"0s\"\n")
    let full = "\(world.folder)/full"
    try Files.makePrivateDirectory(full)
    let script = """
      mount -t tmpfs -o size=32k,mode=700 tmpfs \(full); export XDG_RUNTIME_DIR=\(full); state=\(full)/overline/state
      \(World.executable) monitor 2>\(world.folder)/errors & until grep -qs STATE=.online $state; do sleep 0.01; done
      dd if=/dev/zero of=\(full)/fill 2>/dev/null
      for i in 1 2; do
        ip link set eth0p down; until grep -qs STATE=.offline $state; do sleep 0.01; done
        ip link set eth0p up; until grep -qs STATE=.online $state; do sleep 0.01; done
      done
      kill $!; wait; cat \(world.folder)/errors >&2
      """
    let result = try world.namespace.inside {
      try Subprocess.run(
        "unshare", ["--mount", "sh", "-c", script], environment: world.environment, timeout: .seconds(30))
    }
    #expect(result.errorText == "")
  }

  /// A terminal stopped with Ctrl-S, or a pipe without a reader.
  @Test func aBlockedOutputDoesNotStopTheMonitor() throws {
    let world = try World()
    let pipe = try Pipe()
    try pipe.writing.setNonBlocking()
    while (try? pipe.writing.write([UInt8](repeating: 32, count: 4096)[...])) != nil {}
    let flags = try pipe.writing.duplicate()
    let pid = try world.namespace.inside {
      try Subprocess.spawn(
        World.executable, ["monitor"], environment: world.environment, newSession: true,
        descriptors: [(flags.rawValue, 1), (flags.rawValue, 2)])
    }
    #expect(eventually { Files.exists("\(world.folder)/overline/state") })
    try world.pullTheCable()
    #expect(try eventually { try world.overline("status").outputText.contains("has no carrier") })
    Signal.terminate.send(to: pid)
    #expect(endStatus(of: pid) == 0)
  }

  @Test func theConfigurationIsObeyed() throws {
    let world = try World()
    try world.configure(
      "[banner]\ngrace-delay = \"0ms\"\n[banner.offline]\ntitle = \"Weg\"\nheight = 3\n[path]\nignore = [\"eth*\"]\n")
    let monitor = try world.startMonitor()
    #expect(monitor.lines.values[0].hasSuffix("dev eth0 is ignored by the configuration"))
    let status = try world.overline("status", "--format", "env")
    #expect(status.status == 1)
    #expect(status.outputText.contains("OVERLINE_TITLE='Weg'\n"))
    #expect(status.outputText.contains("OVERLINE_INSET_TOP='3'\n"))
    #expect(try world.overline("config", "path").outputText == "\(world.folder)/overline/config.toml\n")
    #expect(try world.overline("config", "show").outputText.contains("title = \"Weg\""))
  }

  @Test func theStateFileTellsPromptsAndGoesWithTheMonitor() throws {
    let world = try World()
    let monitor = try world.startMonitor()
    let path = "\(world.folder)/overline/state"
    // Written after every connected client has been informed.
    #expect(eventually { Files.exists(path) })
    #expect(try String(decoding: Files.read(path), as: UTF8.self).hasPrefix("OVERLINE_STATE='online'\n"))
    try world.pullTheCable()
    #expect(
      try eventually { try String(decoding: Files.read(path), as: UTF8.self).contains("OVERLINE_PHASE='presented'") })
    #expect(monitor.end(.terminate) == 0)
    #expect(!Files.exists(path))
    #expect(!Files.exists("\(world.folder)/overline/monitor.sock"))
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func theMonitorOpensNoFileAsAStandardDescriptor(_ redirections: String) throws {
    let world = try World()
    let monitor = try world.namespace.inside {
      try TestProgram(
        "sh", ["-c", "exec \(World.executable) monitor \(redirections)"], environment: world.environment)
    }
    #expect(eventually { Files.exists("\(world.folder)/overline/state") })
    for number in 0...2 where redirections.contains(["<", ">", "2>"][number]) {
      let target = try #require(Files.linkTarget("/proc/\(monitor.pid)/fd/\(number)"))
      #expect(target == "/dev/null" || target.hasPrefix("pipe:"))
    }
    #expect(try Files.read("\(world.folder)/overline/lock") == Array("\(monitor.pid)\n".utf8))
    #expect(monitor.end(.terminate) == 0)
  }

  /// nohup(1).
  @Test(arguments: [("HUP", Signal.hangUp), ("INT", .interrupt)])
  func aSignalThatWasIgnoredFromTheStartStaysIgnored(_ name: String, _ signal: Signal) throws {
    let world = try World()
    let monitor = try world.namespace.inside {
      try TestProgram(
        "sh", ["-c", "trap '' \(name); exec \(World.executable) monitor"], environment: world.environment)
    }
    try monitor.lines.wait("the first line") { !$0.isEmpty }
    signal.send(to: monitor.pid)
    try world.pullTheCable()
    try monitor.lines.first("the outage") { $0.contains("has no carrier") }
    #expect(try world.overline("toast", "still here").status == 0)
    try monitor.lines.first("the toast") { $0.hasSuffix("Info: still here") }
    #expect(monitor.end(.terminate) == 0)
  }

  /// As under sudo. The command sends nothing to such a server, and does not register it.
  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a socket away"))
  func aTmuxServerOfAnotherUserIsRefused() throws {
    let world = try World()
    let server = try TmuxTestServer()
    #expect(try Subprocess.run("chown", ["65534", server.socket]).status == 0)
    let sentence =
      "overline: cannot talk to tmux (\(server.socket)): it belongs to user 65534, not to you (0). Run the monitor as the user who owns the server, with the tmux that started it.\n"
    let early = try world.overline("tmux", "attach", "--server", server.socket)
    #expect(early.status == 2 && early.errorText == sentence, "\(early.errorText)")
    let monitor = try world.startMonitor()
    let late = try world.overline("tmux", "attach", "--server", server.socket)
    #expect(late.status == 2 && late.errorText == sentence, "\(late.errorText)")
    #expect(try world.overline("tmux", "status").outputText.contains("not attached: \(sentence.dropFirst(10))"))
    #expect(!Files.exists("\(world.folder)/overline/tmux"))
    #expect(monitor.end(.terminate) == 0)
  }

  /// A signal that comes while the monitor starts is held from its first moment on.
  @Test(arguments: [Signal.terminate, .interrupt])
  func aSignalAtTheStartIsNotLost(_ signal: Signal) throws {
    let world = try World()
    let pid = try world.namespace.inside {
      try Subprocess.spawn(
        World.executable, ["monitor"], environment: world.environment, newSession: true, descriptors: [],
        blocking: [signal])
    }
    signal.send(to: pid)
    let hasEnded = eventually { Files.linkTarget("/proc/\(pid)/exe") == nil }
    #expect(hasEnded)
    if !hasEnded { Signal.kill.send(to: pid) }
    #expect(endStatus(of: pid) == 0)
  }

  @Test func theStateFileStaysGoneWhileTmuxIsWaitedFor() throws {
    let world = try World()
    try world.configure("[banner]\ngrace-delay = \"300ms\"")
    let server = try TmuxTestServer()
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    _ = try Subprocess.run("kill", ["-STOP", "\(server.pid)"])
    try world.pullTheCable()
    try monitor.lines.first("the outage") { $0.contains("has no carrier") }
    Signal.terminate.send(to: monitor.pid)
    let state = "\(world.folder)/overline/state"
    #expect(eventually { !Files.exists(state) })
    #expect(!eventually(within: .milliseconds(700)) { Files.exists(state) })
    _ = try Subprocess.run("kill", ["-CONT", "\(server.pid)"])
    #expect(monitor.end(.terminate) >= 0)
  }
}
