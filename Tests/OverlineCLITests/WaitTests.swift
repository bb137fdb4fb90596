import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// `overline wait` as a script, a unit and a user run it.
@Suite(.ownThread) struct WaitTests {
  private func waits(_ world: World, _ arguments: String...) throws -> TestProgram {
    let program = try world.namespace.inside {
      try TestProgram(World.executable, ["wait"] + arguments, environment: world.environment)
    }
    return program
  }

  private func now(_ world: World, _ arguments: String...) throws -> Subprocess.Result {
    try world.namespace.inside {
      try Subprocess.run(World.executable, ["wait", "-t", "0"] + arguments, environment: world.environment)
    }
  }

  /// `wait -t 0` checks once and prints the reason.
  @Test func eachFlagAsksItsOwnQuestion() throws {
    let world = try World()
    try world.configure("[path]\ntargets = { office = \"10.20.0.0/16\", six = \"2001:db8:5::/48\" }\n")
    try world.namespace.ip("route add prohibit 10.20.0.0/16")
    #expect(try now(world).status == 0)
    #expect(try now(world, "-4").status == 0)
    #expect(try now(world, "-i", "eth0").status == 0)
    #expect(try now(world, "--target", "192.0.2.0/24").status == 0)
    #expect(try now(world, "--target", "10.21.0.0/16", "--any-route").status == 0)
    #expect(try now(world, "--for", "offline", "--target", "10.21.0.0/16").status == 0)
    #expect(try now(world, "--for", "offline", "-6").status == 0)
    #expect(try now(world, "--for", "offline", "--target", "office").status == 0)
    #expect(try now(world, "--for", "offline", "-i", "eth7").status == 0)
    for (arguments, why) in [
      (["--for", "offline"], "offline: online via eth0, wired, gateway 192.0.2.1, IPv4"),
      (["--for", "change"], "change: online via eth0"),
      (["-6"], "online by IPv6: offline: no route to the internet"),
      (["-4", "-6"], "online by IPv4 and IPv6: online via eth0"),
      (["-i", "eth0p"], "online on eth0p: offline: eth0p has no route"),
      (["-i", "eth7"], "online on eth7: offline: there is no interface eth7"),
      (["-i", "lo"], "online on lo: offline: lo leads back to this machine"),
      (
        ["--target", "office"],
        "office (10.20.0.0/16) to be reachable: office (10.20.0.0/16) is not reachable: its route is of type prohibit"
      ),
      (
        ["--target", "2001:db8:7::/48", "-6"],
        "2001:db8:7::/48 to be reachable: 2001:db8:7::/48 is not reachable: no route leads there"
      ),
      (
        ["--target", "10.21.0.0/16"],
        "10.21.0.0/16 to be reachable: 10.21.0.0/16 is not reachable: only the default route leads there; --any-route accepts that"
      ),
      (["--target", "198.51.100.7", "-i", "eth7"], "198.51.100.7/32 to be reachable on eth7: "),
    ] {
      let result = try world.namespace.inside {
        try Subprocess.run(
          World.executable, ["wait", "-t", "0"] + arguments, environment: world.environment)
      }
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errorText.hasPrefix("overline: gave up after 0s of waiting for \(why)"), "\(result.errorText)")
      #expect(result.output.isEmpty)
    }
    #expect(try now(world, "-4", "-6").errorText.hasSuffix("; no IPv6\n"))
  }

  @Test("a wait says the same with a monitor, beside a stopped one and without one") func monitors() throws {
    let world = try World()
    func answers() throws -> [Int32] {
      try [[], ["-4"], ["-6"], ["--for", "offline"], ["--stable", "10ms", "-t", "5"]].map { arguments in
        try world.namespace.inside {
          try Subprocess.run(
            World.executable, ["wait"] + (arguments.contains("-t") ? [] : ["-t", "0"]) + arguments,
            environment: world.environment
          ).status
        }
      }
    }
    #expect(try answers() == [0, 0, 1, 1, 0])
    let monitor = try world.startMonitor()
    #expect(try answers() == [0, 0, 1, 1, 0])
    Signal(rawValue: SIGSTOP).send(to: monitor.pid)
    #expect(eventually { ProcessStatus(of: monitor.pid)?.isStopped == true })
    try world.pullTheCable()
    // The stopped monitor's word is that the network is online.
    #expect(try answers() == [1, 1, 1, 0, 1])
    let path = try world.overline("path").outputText
    #expect(
      path.contains("process \(monitor.pid) is stopped and knows nothing new; kill -CONT \(monitor.pid) continues it"))
    try world.plugTheCable()
    monitor.end(.kill)
    #expect(eventually { try! answers() == [0, 0, 1, 1, 0] })
  }

  @Test func aTargetThatComesEndsTheWait() throws {
    let world = try World()
    try world.configure("[path.targets]\nvpn = \"10.8.0.0/16\"\n")
    try world.namespace.ip("route add unreachable 10.8.0.0/15")
    let byName = try waits(world, "--target", "vpn", "-t", "20")
    let byNetwork = try waits(world, "--target", "10.8.0.0/16", "-4", "-i", "eth0", "-t", "20")
    let away = try waits(world, "--target", "10.9.0.0/16", "--any-route", "-t", "20")
    try world.namespace.ip("route add 10.8.0.0/24 via 192.0.2.9")
    #expect(endStatus(of: byName.pid) == 0)
    #expect(endStatus(of: byNetwork.pid) == 0)
    try world.namespace.ip("route del unreachable 10.8.0.0/15")
    #expect(endStatus(of: away.pid) == 0)
  }

  @Test func anInterfaceThatDoesNotExistYetMayCome() throws {
    let world = try World()
    let wait = try waits(world, "-i", "wlan0", "-4", "-t", "20")
    try world.namespace.addUplink("wlan0", address: "198.51.100.2/24", gateway: "198.51.100.1", metric: 600)
    #expect(endStatus(of: wait.pid) == 0)
  }

  @Test(arguments: [
    (["--target", "10.20.0.0/33"], "has no length from 0 to 32"),
    (["--target", "10.20.5.9/16"], "write 10.20.0.0/16 for the network, 10.20.5.9 for the address"),
    (["--target", "nowhere"], "the configuration names no target nowhere; it names office"),
    (["--target", ""], "is no network"), (["--target", "a b"], "is no network"),
    (["--target", "0.0.0.0/0"], "is the whole internet"), (["--target", "fe80::1"], "is reserved"),
    (["--target", "office", "-6"], "contradicts -6"), (["--target", "2001:db8::/32", "-4", "-6"], "contradicts -4"),
    (["--any-route"], "--any-route is for --target"),
    (["-i", "a/b"], "1 to 15 bytes"), (["-i", ""], "1 to 15 bytes"), (["-i", "sixteen-bytes-xx"], "1 to 15 bytes"),
    (["-i", ".."], "1 to 15 bytes"), (["--stable", "inf"], "\"inf\" is not a duration"),
    (["--stable", "3s", "-t", "2"], "could only time out"),
    (["--stable", "1m", "-t", "60"], "could only time out"),
  ])
  func whatCannotBeMeantIsAnErrorOfUsage(_ arguments: [String], _ words: String) throws {
    let world = try World()
    try world.configure("[path]\ntargets = { office = \"10.20.0.0/16\" }\n")
    let result = try world.namespace.inside {
      try Subprocess.run(World.executable, ["wait"] + arguments, environment: world.environment)
    }
    #expect(result.status == 64)
    #expect(result.errorText.contains(words), "\(result.errorText)")
  }

  @Test func aBadConfigurationIs78() throws {
    let world = try World()
    try world.configure("[path]\ntargets = { office = \"10.20.0.0/33\" }\n")
    let result = try now(world)
    #expect(result.status == 78)
    #expect(
      result.errorText.contains("/overline/config.toml:2:13: path.targets.office: \"10.20.0.0/33\" has no length"))
  }

  /// As systemd starts it: nothing in the environment, no home, no terminal, nothing open.
  @Test func worksInAUnit() throws {
    let world = try World()
    let result = try world.namespace.inside {
      try Subprocess.run(
        "sh", ["-c", "exec env -i \(World.executable) wait -t 5 <&- >&- 2>&-"], environment: world.environment)
    }
    #expect(result.status == 0)
  }

  @Test func aLineOnATerminalTellsForWhatAndStaysInItsRow() throws {
    let world = try World()
    let terminal = try world.namespace.inside {
      try TestTerminal(
        World.executable, ["wait", "-i", "e\u{1b}[31m", "--for", "online"], environment: world.environment, columns: 60)
    }
    var text: String { String(decoding: terminal.output, as: UTF8.self) }
    #expect(eventually { text.contains(/waiting for online on e\[31m, [1-9] s \(offline: there is no i/) })
    #expect(!text.contains("\u{1b}[31m") && !text.contains("interface e"))
    // Ctrl-C leaves the row unchanged.
    Signal.interrupt.send(to: terminal.pid)
    #expect(endStatus(of: terminal.pid) == 130)
    #expect(eventually { text.hasSuffix("\r\u{1b}[K") })
  }
}
