import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Toasts that `overline toast` posts to a monitor that drives tmux servers.
@Suite(.ownThread) struct TmuxToastTests {
  /// Servers that a monitor drives, each with a client.
  private struct Servers {
    let world: World
    let monitor: TestProgram
    let servers: [TmuxTestServer]
    let clients: [TestTerminal]

    init(_ world: World, count: Int = 2) throws {
      self.world = world
      monitor = try world.startMonitor()
      servers = try (0..<count).map { _ in try TmuxTestServer(configuration: ["set -g status-interval 0"]) }
      clients = try servers.map { try $0.attach() }
      for server in servers {
        #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
      }
    }

    func toast(_ arguments: String..., in server: TmuxTestServer? = nil) throws {
      let environment = server.map { ["TMUX=\($0.socket),\($0.pid),0"] } ?? []
      let result = try world.namespace.inside {
        try Subprocess.run(
          World.executable, ["toast"] + arguments, environment: world.environment + environment, timeout: .seconds(30))
      }
      #expect(result.status == 0, "\(result.errorText)")
    }

    /// The toast variables of each server's status lines; empty without a toast.
    func toasts() throws -> [String] {
      try servers.map { try $0.tmux("display-message", "-p", "#{OVERLINE_TOAST}").filter { $0 != "\n" } }
    }

    func wait(for toasts: [String]) throws {
      var seen: [String] = []
      _ = try eventually {
        seen = try self.toasts()
        return seen == toasts
      }
      #expect(seen == toasts)
    }

    func dumps() throws -> [String] {
      try servers.map { try $0.source("show -g", "show-environment -g", "show-environment -gh") }
    }

    /// Types until this server's client was the last active one; tmux counts seconds.
    func use(_ index: Int) throws {
      func activity(_ server: TmuxTestServer) throws -> Int {
        Int(try server.tmux("list-clients", "-F", "#{client_activity}").dropLast()) ?? 0
      }
      let isLast = try eventually {
        try clients[index].type("x")
        let others = try servers.indices.filter { $0 != index }.map { try activity(servers[$0]) }
        return try activity(servers[index]) > others.max() ?? 0
      }
      #expect(isLast)
    }
  }

  @Test func itGoesToTheServerItWasPostedInElseToTheOneUsedLast() throws {
    let world = try World()
    let all = try Servers(world)
    let dumps = try all.dumps()
    for (index, server) in all.servers.enumerated() {
      try all.toast("Here", in: server)
      try all.wait(for: index == 0 ? ["i Here", ""] : ["", "i Here"])
      try all.wait(for: ["", ""])
    }
    try all.use(1)
    try all.toast("Used #(x)", "--style", "error", "--message", "Look.", "--duration", "0")
    try all.wait(for: ["", "✗ Used ＃(x) · Look."])
    try all.use(0)
    try all.toast("Other", "--duration", "0")
    try all.wait(for: ["i Other", "✗ Used ＃(x) · Look."])
    for server in all.servers { try all.toast("--dismiss", in: server) }
    try all.wait(for: ["", ""])
    #expect(try eventually { try all.dumps() == dumps })
  }

  @Test func aKeyTakesThePlaceOfTheLastOneInAnotherServerToo() throws {
    let world = try World()
    let all = try Servers(world)
    try all.toast("Building", "--key", "build", "--duration", "0", in: all.servers[0])
    try all.toast("Other", "--key", "other", "--duration", "0", in: all.servers[1])
    try all.wait(for: ["i Building", "i Other"])
    try all.toast("--dismiss", in: all.servers[1])
    try all.toast("Built", "--key", "build", "--duration", "0", in: all.servers[1])
    try all.wait(for: ["", "i Built"])
  }

  @Test func withoutAClientAToastWaitsInEveryServer() throws {
    let world = try World()
    let all = try Servers(world)
    for server in all.servers { try server.tmux("detach-client") }
    #expect(try eventually { try all.servers.allSatisfy { try $0.tmux("list-clients").isEmpty } })
    try all.toast("Anyone?", "--duration", "0", "--key", "k")
    try all.wait(for: ["i Anyone?", "i Anyone?"])
    let late = try all.servers[1].attachedScreen()
    #expect(try eventually { try late.rows().contains { $0.contains("i Anyone?") } })
  }

  @Test func itIsTakenAwayInTheServerThatThisIsCalledIn() throws {
    let world = try World()
    let all = try Servers(world)
    for server in all.servers { try all.toast("Sticky", "--duration", "0", in: server) }
    try all.wait(for: ["i Sticky", "i Sticky"])
    try all.toast("--dismiss", in: all.servers[1])
    try all.wait(for: ["i Sticky", ""])
    // From outside tmux: on any server.
    try all.toast("--dismiss")
    try all.wait(for: ["", ""])
  }

  /// The user used one server last, and the monitor does not know yet that it has ended: another server shows the toast.
  @Test func aServerThatEndedGetsNone() throws {
    let world = try World()
    let all = try Servers(world)
    try all.use(1)
    all.servers[1].stop()
    try all.toast("Still here")
    #expect(
      try eventually { try all.servers[0].tmux("display-message", "-p", "#{OVERLINE_TOAST}") == "i Still here\n" })
  }

  /// A stopped server answers late or never. The monitor does not wait for it before it posts to another server.
  @Test func aStoppedServerDelaysNoOther() throws {
    let world = try World()
    let all = try Servers(world, count: 4)
    try all.use(3)
    let stopped = all.servers[..<3].map { "\($0.pid)" }
    _ = try Subprocess.run("kill", ["-STOP"] + stopped)
    defer { _ = try? Subprocess.run("kill", ["-CONT"] + stopped) }
    let start = BootClock.now
    try all.toast("Quick", "--duration", "0")
    let server = all.servers[3]
    #expect(try eventually { try server.tmux("display-message", "-p", "#{OVERLINE_TOAST}") == "i Quick\n" })
    #expect(BootClock.now - start < .seconds(8))
    let listed = try world.overline("tmux", "status")
    #expect(listed.status == 0)
    let lines = listed.outputText.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.count { $0.hasSuffix(", does not answer, no banner") } == 3, "\(lines)")
  }

  /// `tmux status` counts clients and sessions at the time of the request, not at the attachment.
  @Test func statusCountsTheCurrentClients() throws {
    let world = try World()
    let all = try Servers(world)
    func status() throws -> [JSONValue] {
      try JSONValue(parsing: try world.overline("tmux", "status", "--json").output).array ?? []
    }
    func one(_ server: TmuxTestServer) throws -> JSONValue? {
      try status().first { $0["socket"]?.string == server.socket }
    }
    #expect(try one(all.servers[0])?["clients"] == .integer(1))
    let more = try all.servers[0].attach()
    try all.servers[0].source("new-session -d sh")
    #expect(try eventually { try one(all.servers[0])?["clients"] == .integer(2) })
    #expect(try one(all.servers[0])?["sessions"] == .integer(2))
    #expect(!more.output.isEmpty)
    // A toast uses a line, even without a banner.
    try all.toast("Here", "--duration", "0", in: all.servers[0])
    let rows = { (count: Int) in JSONValue.object(["top": .integer(0), "bottom": .integer(count)]) }
    #expect(try eventually { try one(all.servers[0])?["inset"] == rows(1) })
    #expect(try one(all.servers[1])?["inset"] == rows(0))
    all.servers[1].stop()
    #expect(try status().count == 1)
  }

  /// No tmux server is left, and the monitor was not informed: it prints the toast on its own output.
  @Test func withoutAnyServerLeftTheMonitorSaysIt() throws {
    let world = try World()
    let all = try Servers(world, count: 1)
    all.servers[0].stop()
    try all.toast("Nobody there")
    try all.monitor.lines.first("the toast") { $0.hasSuffix("  Info: Nobody there") }
  }

  @Test func besideTheBannerOfARealOutage() throws {
    let world = try World()
    let all = try Servers(world, count: 1)
    let server = all.servers[0]
    let screen = try server.attachedScreen()
    let dumps = try all.dumps()
    func row(_ text: String) throws -> Int? { try screen.rows().firstIndex { $0.contains(text) } }
    try world.pullTheCable()
    #expect(try eventually { try row("No connection") == 23 })
    try all.toast("Queued", in: server)
    #expect(try eventually { try row("Queued") == 22 && row("No connection") == 23 })
    #expect(try eventually { try row("Queued") == nil && row("No connection") == 23 })
    #expect(try server.tmux("show", "-gv", "status") == "2\n")
    // And the banner is removed under a toast.
    try all.toast("Again", in: server)
    try world.plugTheCable()
    #expect(try eventually { try row("Again") == 22 && row("Back online") == 23 })
    #expect(try eventually { try all.dumps() == dumps })
  }

  @Test func killingTheMonitorDuringAToastLeavesNothing() throws {
    let world = try World()
    let all = try Servers(world)
    let dumps = try all.dumps()
    for server in all.servers { try all.toast("Sticky", "--duration", "0", in: server) }
    try all.wait(for: ["i Sticky", "i Sticky"])
    Signal.kill.send(to: all.monitor.pid)
    #expect(try eventually { try all.dumps() == dumps })
  }
}
