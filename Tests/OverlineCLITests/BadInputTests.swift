import OverlineCore
import OverlineProcess
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCLI

/// Other programs write bad data to a running monitor's files and socket. The banner stays right.
@Suite(.ownThread) struct BadInputTests {
  private static let settings = "[banner]\ngrace-delay = \"0s\"\nhide-delay = \"0s\"\nmotion = \"off\"\n"

  @Test func tenThousandConnectionsWithHalfALineLeaveNothing() throws {
    let world = try World()
    try world.configure(Self.settings)
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    let socket = "\(world.folder)/overline/monitor.sock"
    let half = Array("{\"do\":\"present\",\"title\":\"half".utf8)[...]
    func connect(_ count: Int) throws {
      for number in 0..<count {
        let client = try UnixSocket.connect(to: socket)
        // A connection beyond the limit has been closed already.
        if number % 2 == 0 { _ = try? UnixSocket.send(half, to: client.rawValue) }
      }
    }
    let figures = ProcessFigures(pid: monitor.pid)
    // The monitor may have its history open at this moment, so fewer are right too.
    let descriptors = try figures.descriptors()
    // The memory for many clients, and for an outage, stays allocated.
    try connect(5000)
    try world.haveOutage(watch)
    #expect(try eventually { try figures.descriptors() <= descriptors })
    // On a busy machine more of them are open at once than before. A leak grows in each round.
    var growth = Int.max
    for _ in 0..<4 where growth > 512 {
      let memory = try figures.memory("Anonymous")
      try connect(5000)
      try world.haveOutage(watch)
      #expect(try eventually { try figures.descriptors() <= descriptors })
      growth = try figures.memory("Anonymous") - memory
    }
    if !Sanitizer.isWatching { #expect(growth <= 512, "\(growth) KB") }
    #expect(try world.overline("status", "--format", "prompt").outputText == "online")
    #expect(monitor.errors.values == [])
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aConfigurationOf10MBChangesNothingAndIsReportedOnce() throws {
    let world = try World()
    try world.configure(Self.settings + "[banner.offline]\ntitle = \"Good\"\n")
    let monitor = try world.startMonitor()
    let line = "# Too long for a person, but a program may write it.\n"
    try world.configure(String(repeating: line, count: 10_000_000 / line.utf8.count))
    try monitor.errors.wait("why") { $0.count == 2 }
    let why = "cannot read \(world.folder)/overline/config.toml: File too large"
    #expect(monitor.errors.values[0].hasPrefix("overline: \(why)"))
    #expect(monitor.errors.values[1] == "overline: the configuration stays as it was")
    try world.pullTheCable()
    #expect(try eventually { try world.overline("status", "--format", "plain").outputText == "Good\n" })
    let check = try world.overline("config", "check")
    #expect(check.status == 78)
    #expect((check.outputText + check.errorText).contains(why))
    #expect(monitor.end(.terminate) == 0)
    // A monitor that starts with this file reports it.
    let second = try world.overline("monitor")
    #expect(second.status == 78)
    #expect(second.errorText.contains(why))
  }

  /// The list of tmux servers, as a full disk or another program leaves it: the named servers are attached, whatever else is in it.
  @Test func aListOfServersThatIsDamagedDamagesNothing() throws {
    let world = try World()
    try world.configure(Self.settings)
    let server = try TmuxTestServer(configuration: ["set -g status-interval 0"])
    let screen = try server.attachedScreen()
    try Files.makePrivateDirectory("\(world.folder)/overline")
    let list = "/nonexistent/tmux\n\u{0}\u{1b}[31m\n\n../..\n" + String(repeating: "x", count: 300) + "\n"
    try Files.replace(
      "\(world.folder)/overline/tmux", with: Array(list.utf8) + [0xff, 0x0a] + Array("\(server.socket)\n/tmp/cut".utf8))
    let monitor = try world.startMonitor()
    try world.pullTheCable()
    #expect(try eventually { try screen.rows().contains { $0.contains("No connection") } })
    #expect(!monitor.errors.values.joined().contains("\u{1b}"))
    try world.plugTheCable()
    #expect(try eventually { try !screen.rows().contains { $0.contains("No connection") } })
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aListOfServersThatIsCutAnywhereIsTheBeginningOfIt() throws {
    let world = try World()
    try Files.makePrivateDirectory("\(world.folder)/overline")
    let registry = TmuxRegistry(directory: .init(path: "\(world.folder)/overline"))
    let whole = ["/tmp/tmux-1000/default", "/tmp/tmux-1000/wörk", "/run/x"]
    let bytes = Array(whole.map { $0 + "\n" }.joined().utf8)
    for length in 0...bytes.count {
      try Files.replace("\(world.folder)/overline/tmux", with: Array(bytes[..<length]))
      let sockets = registry.sockets
      #expect(sockets.dropLast().elementsEqual(whole.prefix(max(0, sockets.count - 1))))
      // The next registration is added, and removes nothing else.
      try registry.add("/new")
      #expect(registry.sockets == sockets + ["/new"])
    }
  }

  /// The wall clock was set back by a day after these outages: their times are in the future.
  @Test func outagesOfTheFutureArePrinted() throws {
    let world = try World()
    let now = HistoryTime.now
    var ledger = OutageLedger(session: .init(pid: 1, start: 1, boot: "0a1b2c3d"))
    var bytes: [UInt8] = []
    for minute in 0..<4 as Range<Int64> {
      let time = HistoryTime(
        wall: now.wall + 86_400_000 + minute * 60_000, boot: minute * 60_000, awake: minute * 60_000)
      let network: OutageLedger.Network =
        minute % 2 == 0 ? .online(interface: "eth0") : .offline(reason: "no-carrier", explanation: "offline: tomorrow")
      bytes += ledger.note(network, at: time).flatMap(\.line)
    }
    try Files.makePrivateDirectories("\(world.folder)/state/overline")
    try Files.replace("\(world.folder)/state/overline/history", with: bytes)
    let monitor = try world.startMonitor()
    try world.haveOutage(world.watchWords())
    func isTold() throws -> Bool {
      let text = try world.overline("history", "--json").outputText
      return text.ranges(of: "\"ended\":\"known\"").count == 1 && text.contains("\"reason\":\"no-carrier\"")
    }
    #expect(try eventually(isTold))
    let text = try world.overline("history")
    #expect(text.status == 0)
    #expect(text.outputText.ranges(of: "tomorrow").count == 2)
    #expect(text.outputText.contains(": 1 outage, "))
    #expect(monitor.end(.terminate) == 0)
  }
}
