import OverlineCore
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// `overline quality`, and the quality in all other outputs, beside real connections by a way that is quick or slow.
@Suite(.ownThread, .enabled(if: SlowNetwork.canRun, "COULD NOT RUN: needs nft and /dev/net/tun; see make test-deps"))
struct QualityCommandTests {
  private let slow: SlowNetwork
  private let world: World
  private static let quick = SlowLink.Quality(delay: .milliseconds(10))
  private static let poor = SlowLink.Quality(delay: .milliseconds(700))

  init() throws {
    slow = try SlowNetwork()
    world = try World(in: slow.network.host)
  }

  /// The lines of a command, which have no address of another host.
  private func lines(_ arguments: String..., status: Int32 = 0) throws -> [String] {
    let result = try world.namespace.inside {
      try Subprocess.run(World.executable, arguments, environment: world.environment, timeout: .seconds(60))
    }
    #expect(result.status == status, "\(result.errorText)")
    #expect(!result.outputText.contains("198.51.100"), "\(result.outputText)")
    return result.outputText.split(separator: "\n").map(String.init)
  }

  @Test func withoutTrafficItSaysSo() throws {
    let unknown =
      "unknown: no TCP connection of yours to another network had traffic in the last minute; UDP does not show"
    #expect(try lines("quality") == [unknown])
    #expect(
      try lines("quality", "--json") == [
        #"{"quality":"unknown","explanation":"\#(unknown)","roundTrip":null,"shortest":null,"hosts":0,"sentAgain":null,"programs":[]}"#
      ])
    try world.namespace.ip("link set eth0 down")
    #expect(try lines("quality", status: 1).first?.hasPrefix("offline: ") == true)
  }

  @Test func itNamesTheSlowWayAndThePrograms() throws {
    slow.link.set(Self.quick)
    let clients = try slow.use()
    let good = try lines("quality")
    #expect(good[0].contains(/^good: \d\d ms round trip$/), "\(good)")
    #expect(good[1].contains(#/^  program +connections +round trip +sent again$/#), "\(good)")
    // This process has the connections.
    #expect(good.dropFirst(2).count == 1 && good[2].contains(#/^  \S+ +4 +\d\d ms /#), "\(good)")
    slow.link.set(Self.poor)
    let poor = try lines("quality")
    #expect(poor[0].contains(/^poor: 1\.\d s round trip, \d\d ms at best$/), "\(poor)")
    // A single look tells it too, once the round trips have settled.
    #expect(try eventually { try lines("path").contains { $0.contains("quality     poor: 1.") } })
    #expect(try lines("status", "--verbose").contains { $0.contains("quality     poor: 1.") })
    #expect(try lines("status", "--quality").joined().contains("; quality poor: 1."))
    #expect(try lines("status", "--quality", "--format", "prompt") == ["poor"])
    withExtendedLifetime(clients) {}
  }

  /// The link is good, and one host is far: a program that talks to it is slow.
  @Test func itNamesTheSlowProgram() throws {
    slow.link.set(Self.quick)
    slow.link.set(host: SlowNetwork.far[5], delay: .milliseconds(400))
    let clients = try slow.use()
    let program = try world.namespace.inside {
      try TestProgram(
        "bash",
        ["-c", "exec 3<>/dev/tcp/\(SlowNetwork.far[5])/\(EchoServer.port); while echo x >&3; do read -r -u 3; done"],
        environment: world.environment)
    }
    let isNamed = try eventually {
      try lines("quality")[0].contains(/^good: \d\d ms round trip; bash: 8\d\d ms round trip$/)
    }
    #expect(isNamed)
    withExtendedLifetime((clients, program)) {}
  }

  /// A process names itself: the name is text.
  @Test func aHostileName() throws {
    slow.link.set(Self.quick)
    let shell = "\(world.folder)/\u{1b}[5m\u{9b}x\u{202e}"
    #expect(try Subprocess.run("cp", ["/bin/bash", shell]).status == 0)
    let program = try world.namespace.inside {
      try TestProgram(
        shell,
        [
          "-c",
          "exec 3<>/dev/tcp/\(SlowNetwork.far[0])/\(EchoServer.port); while echo x >&3; do read -r -u 3 x; sleep 0.1; done",
        ],
        environment: world.environment)
    }
    for arguments in [["quality"], ["quality", "--json"]] {
      let result = try world.namespace.inside {
        try Subprocess.run(World.executable, arguments, environment: world.environment, timeout: .seconds(60))
      }
      #expect(result.outputText.contains("[5m"))
      let unsafe = result.outputText.unicodeScalars.contains { ["\u{1b}", "\u{9b}", "\u{202e}"].contains($0) }
      #expect(!unsafe, "\(result.outputText.debugDescription)")
    }
    withExtendedLifetime(program) {}
  }

  @Test func watchAddsItToTheMonitorsStates() throws {
    slow.link.set(Self.quick)
    let clients = try slow.use()
    let monitor = try world.startMonitor()
    let watch = try world.start("watch", "--quality", "--format", "json")
    let plain = try world.start("watch", "--format", "json")
    try watch.lines.first("good") { $0.contains(#""quality":{"level":"good""#) }
    slow.link.set(Self.poor)
    let line = try watch.lines.first("poor") { $0.contains(#""quality":{"level":"poor""#) }
    let state = try ObserverState(jsonLine: line.utf8)
    // The monitor does not measure, and nothing is limited.
    #expect(state.state == .online && state.path.quality?.explanation.hasPrefix("poor: 1.") == true)
    #expect(plain.lines.values.count == 1 && plain.lines.values[0].contains(#""quality":null"#))
    withExtendedLifetime((clients, monitor)) {}
  }

  @Test func aBannerShowsIfTheUserWantsOne() throws {
    try world.configure("[quality]\nbanner = \"poor\"\n[banner]\ngrace-delay = \"0s\"\n")
    slow.link.set(Self.quick)
    let clients = try slow.use()
    let monitor = try world.startMonitor()
    let watch = try world.start("watch", "--format", "json")
    try watch.lines.first("good") { $0.contains(#""quality":{"level":"good""#) }
    slow.link.set(Self.poor)
    let line = try watch.lines.first("the banner") {
      $0.contains(#""reason":"poor-quality""#) && $0.contains(#""phase":"presented""#)
    }
    let state = try ObserverState(jsonLine: line.utf8)
    #expect(state.state == .limited && state.path.status == "satisfied")
    #expect(state.limited?.cause.hasPrefix("slow: 1.") == true)
    #expect(try lines("status").first?.hasPrefix("limited: the connection is poor: 1.") == true)
    slow.link.set(Self.quick)
    try watch.lines.first("the end") { !$0.contains("poor-quality") && $0.contains(#""quality":{"level":"good""#) }
    // Without the key the monitor no longer measures.
    try world.configure("")
    try watch.lines.first("no quality") { $0.contains(#""quality":null"#) && $0.contains(#""state":"online""#) }
    withExtendedLifetime((clients, monitor)) {}
  }

  @Test func bothOptionsOfAnAnswerAreNoMistake() throws {
    let result = try world.overline("status", "--verbose", "--quality")
    #expect(result.status == 64 && result.errorText.contains("leave out --quality"))
    #expect(try world.overline("quality", "--format", "xml").status == 64)
  }
}
