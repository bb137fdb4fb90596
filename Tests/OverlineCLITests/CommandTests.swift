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

  /// The kernel allows every character but a slash, a colon and spaces.
  @Test func anInterfacesNameCannotDriveTheTerminal() throws {
    let world = try World()
    try world.rename("a\u{1b}[31m\u{7}")
    let path = try world.overline("path")
    #expect(path.outputText.hasPrefix("online via a[31m, "))
    #expect(!path.output.contains(0x1b) && !path.output.contains(0x07))
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
