import OverlineCore
import ArgumentParser
import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@testable import OverlineCLI

/// The commands as a user or a script runs them.
@Suite(.ownThread) struct CommandTests {
  @Test func statusAnswersWithoutAMonitor() throws {
    let world = try World()
    let online = try world.overline("status")
    #expect(online.outputText.hasPrefix("online via eth0, wired, gateway 192.0.2.1, IPv4"))
    #expect(online.status == 0)
    try world.pullTheCable()
    let offline = try world.overline("status", "--format", "prompt")
    #expect(offline.outputText == "offline")
    #expect(offline.status == 1)
  }

  @Test func pathExplains() throws {
    let world = try World()
    #expect(try world.overline("path").outputText.contains("interfaces  eth0 (wired, index"))
    try world.pullTheCable()
    let path = try world.overline("path")
    #expect(path.outputText.hasPrefix("offline: default via 192.0.2.1 dev eth0 has no carrier\n"))
    #expect(path.status == 1)
    #expect(try world.overline("path", "--json").outputText.contains("\"reason\":\"no-carrier\""))
  }

  @Test func everyCommandReportsTargets() throws {
    let world = try World()
    let home = #"{ network = "10.30.0.0/16", by-route = "any" }"#
    try world.configure("[path]\ntargets = { vpn = \"10.8.0.0/16\", office = \"10.20.0.0/16\", home = \(home) }\n")
    try world.namespace.ip("route add unreachable 10.8.0.0/16")
    let path = try world.overline("path")
    #expect(path.status == 0)
    #expect(path.outputText.contains("; not reachable: office, vpn\n"))
    #expect(
      path.outputText.hasSuffix(
        """
          targets     home (10.30.0.0/16) is reachable via eth0, gateway 192.0.2.1, by the default route
                      office (10.20.0.0/16) is not reachable: only the default route leads there
                      vpn (10.8.0.0/16) is not reachable: its route is of type unreachable
          monitor     none runs; one look cannot know that a router is silent or a tunnel dead

        """))
    #expect(
      try world.overline("path", "--json").outputText.contains(
        #"{"name":"vpn","prefix":"10.8.0.0/16","reachable":false,"reason":"unreachable","explanation":""#))
    #expect(try world.overline("path", "--json").outputText.contains(#", by the default route","default":true}"#))
    let monitor = try world.startMonitor()
    let watch = try world.start("watch", "--json")
    try watch.lines.first("the state") { $0.contains(#""name":"vpn","prefix":"10.8.0.0/16","reachable":false"#) }
    try world.namespace.ip("route add 10.8.0.0/24 via 192.0.2.9")
    try watch.lines.first("the change") { $0.contains(#""name":"vpn","prefix":"10.8.0.0/16","reachable":true"#) }
    let variables = try world.overline("status", "--format", "env").outputText
    #expect(variables.contains("OVERLINE_TARGETS='home=1 office=0 vpn=1'\n"))
    #expect(monitor.lines.values.count == 2)
    #expect(monitor.lines.values.allSatisfy { $0.contains("online via eth0") })
  }

  @Test func waitWaitsAndSaysWhyItGaveUp() throws {
    let world = try World()
    #expect(try world.overline("wait").status == 0)
    let offline = try world.start("wait", "--for", "offline", "--stable", "200ms")
    let late = try world.overline("wait", "--for", "offline", "-t", "0.1")
    #expect(late.status == 1)
    #expect(late.errorText.hasPrefix("overline: gave up after 100ms of waiting for offline: online via eth0"))
    try world.pullTheCable()
    #expect(endStatus(of: offline.pid) == 0)
    let change = try world.start("wait", "--for", "change", "--timeout", "20")
    // The command prints nothing when it begins to watch. So pull and plug in the cable until it has seen a change.
    let hasSeen = try eventually {
      try world.plugTheCable()
      try world.pullTheCable()
      return !Files.exists("/proc/\(change.pid)/fd/0")
    }
    #expect(hasSeen)
    #expect(endStatus(of: change.pid) == 0)
  }

  @Test(arguments: [
    (["status", "--format", "yaml"], "yaml"), (["statsu"], "statsu"), (["wait", "--for", "rain"], "rain"),
    (["wait", "-t", "-1"], "-t"), (["wait", "--stable", "x"], "stable"), (["banner", "present"], "title"),
    (["tmux", "attach"], "--server"), (["monitor", "--nonsense"], "nonsense"),
  ])
  func wrongUsageIs64AndSaysWhat(_ arguments: [String], _ word: String) throws {
    let result = try Subprocess.run(World.executable, arguments, environment: TmuxTestServer.environment)
    #expect(result.status == 64)
    #expect(result.errorText.contains(word))
  }

  @Test(arguments: [
    ["status", "\u{1b}[31mx"], ["toast", "--style", "\u{1b}]0;x\u{7}", "x"], ["run", "-\u{1b}]0;x\u{7}"],
    ["wait", "--for", "\u{1b}[31m"],
    ["\u{1b}[31m"], ["monitor", "--socket"],
  ])
  func controlCharactersOfAWordAreNotRepeated(_ arguments: [String]) throws {
    let result = try Subprocess.run(World.executable, arguments, environment: TmuxTestServer.environment)
    #expect(result.status == 64)
    #expect(!result.errorText.isEmpty && !result.errorText.contains { $0 == "\u{1b}" || $0 == "\u{7}" })
  }

  @Test func aCommandThatOnlyGroupsOthersShowsThem() throws {
    let result = try Subprocess.run(World.executable, ["config"], environment: TmuxTestServer.environment)
    #expect(result.status == 0)
    #expect(result.outputText.contains("check"))
  }

  @Test(
    "the help lists every command by group, in 80 columns and 23 rows above a prompt",
    arguments: [[], ["help"], ["-h"]])
  func theHelpFits(_ arguments: [String]) throws {
    let result = try Subprocess.run(World.executable, arguments, environment: TmuxTestServer.environment)
    #expect(result.status == 0)
    let lines = result.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 23)
    for line in lines { #expect(line.count <= 80, "\(line)") }
    for command in OverlineCommand.configuration.subcommands {
      let name = command._commandName
      // A command may share its line with its counterpart: `pause, resume`.
      let columns = lines.map { $0.dropFirst(10).prefix(14).split { $0 == " " || $0 == "," } }
      #expect(columns.contains { $0.contains(name[...]) }, "\(name)")
    }
    for group in OverlineCommand.configuration.groupedSubcommands {
      #expect(lines.count { $0.hasPrefix("\(group.name) ") } == 1, "\(group.name)")
    }
  }

  @Test("config init writes every default once, and leaves an existing file") func theConfigurationIsWritten() throws {
    let world = try World()
    let path = "\(world.folder)/overline/config.toml"
    let result = try world.overline("config", "init")
    #expect(result.status == 0 && result.outputText == "wrote \(path)\n", "\(result)")
    #expect(String(decoding: try Files.read(path), as: UTF8.self) == Configuration.documented)
    #expect(try world.overline("config", "check").outputText == "\(path): good\n")
    try Files.replace(path, with: Array("# mine\n".utf8))
    let again = try world.overline("config", "init")
    #expect(again.status == 2 && again.errorText.contains("\(path) exists; rename it"), "\(again)")
    #expect(try Files.read(path) == Array("# mine\n".utf8))
    // A link that leads nowhere is not followed.
    try Files.remove(path)
    _ = try Subprocess.run("ln", ["-s", "\(world.folder)/elsewhere", path])
    #expect(try world.overline("config", "init", "--config", path).status == 2)
    #expect(!Files.exists("\(world.folder)/elsewhere"))
    #expect(try world.overline("config", "init", "--config", "\(world.folder)/a/b/c.toml", "--quiet").outputText == "")
    #expect(Files.exists("\(world.folder)/a/b/c.toml"))
  }

  @Test func whatNeedsAMonitorSaysHowToStartOne() throws {
    let world = try World()
    for arguments in [["banner", "dismiss"], ["banner", "present", "x"], ["tmux", "status"]] {
      let result = try world.namespace.inside {
        try Subprocess.run(World.executable, arguments, environment: world.environment)
      }
      #expect(result.status == 69)
      #expect(result.errorText.hasSuffix("start one with: overline monitor\n"))
    }
    #expect(try world.overline("status", "--socket", "/nonexistent/socket").status == 69)
  }

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

  @Test func aBadConfigurationIs78WithItsPlace() throws {
    let world = try World()
    try world.configure("[banner]\ngrace-dealy = \"250ms\"\n[banner.offline]\nheight = 99\n")
    for arguments in [["config", "check"], ["monitor"], ["config", "show"]] {
      let result = try world.namespace.inside {
        try Subprocess.run(World.executable, arguments, environment: world.environment)
      }
      let said = result.outputText + result.errorText
      #expect(result.status == 78)
      #expect(said.contains("/overline/config.toml:2:1: banner.grace-dealy: "))
      #expect(said.contains("did you mean \"grace-delay\"?"))
      #expect(said.contains("/overline/config.toml:4:1: banner.offline.height: "))
    }
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

  /// The kernel allows every character but a slash, a colon and spaces.
  @Test func anInterfacesNameCannotDriveTheTerminal() throws {
    let world = try World()
    try world.rename("a\u{1b}[31m\u{7}")
    let path = try world.overline("path")
    #expect(path.outputText.hasPrefix("online via a[31m, "))
    #expect(!path.output.contains(0x1b) && !path.output.contains(0x07))
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

  @Test func statusNeedsNoUsableRuntimeDirectory() throws {
    let world = try World()
    let long = "\(world.folder)/\(String(repeating: "x", count: 100))"
    try Files.makePrivateDirectory(long)
    try Files.replace("\(world.folder)/overline", with: [])
    for directory in [long, world.folder] {
      let result = try world.namespace.inside {
        try Subprocess.run(
          World.executable, ["status"], environment: TmuxTestServer.environment + ["XDG_RUNTIME_DIR=\(directory)"])
      }
      #expect(result.status == 0)
      #expect(result.outputText.hasPrefix("online via eth0"))
    }
  }
}
