import Overline
import OverlineCore
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Overline's main purpose, with nothing replaced: a real link, a real monitor, a real tmux, a real screen.
@Suite(.ownThread) struct MainJobTests {
  /// A tmux server without a clock, so that its screen can be compared cell for cell.
  private func tmux() throws -> (server: TmuxTestServer, screen: TmuxTestScreen) {
    let server = try TmuxTestServer(
      configuration: ["set -g status-right ''", "set -g automatic-rename off", "set -g status-interval 0"])
    let screen = try server.attachedScreen()
    try screen.type("echo one; echo two; echo three\n")
    try expectEventually("the prompt") { try screen.rows().contains { $0.hasPrefix("three") } }
    return (server, screen)
  }

  private func expectEventually(_ what: String, _ condition: () throws -> Bool) throws {
    guard try eventually(condition) else { throw TestKitError("waited in vain for \(what)") }
  }

  private func shows(_ screen: TmuxTestScreen, _ text: String) throws -> Bool {
    try screen.rows().contains { $0.contains(text) }
  }

  @Test func pullTheCableSeeTheBannerGetYourScreenBack() throws {
    let world = try World()
    let (server, screen) = try tmux()
    let before = try screen.cells()
    let options = try server.tmux("show-options", "-g")
    let height = try server.tmux("display-message", "-p", "#{pane_height}")

    let monitor = try world.startMonitor()
    #expect(monitor.lines.values[0].contains("online via eth0, wired, gateway 192.0.2.1, IPv4"))
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    let watch = try world.start("watch", "--format", "json")
    try watch.lines.wait("the first state") { !$0.isEmpty }
    #expect(try screen.cells() == before)

    // Down: the pane gives up one row, and none of it is covered.
    try world.namespace.ip("link set eth0 down")
    try expectEventually("No connection") { try shows(screen, "No connection · eth0 is down") }
    #expect(try server.tmux("display-message", "-p", "#{pane_height}") == "\(Int(height.dropLast())! - 1)\n")
    for line in ["one", "two", "three", "[0]"] { #expect(try screen.rows().contains { $0.hasPrefix(line) }) }
    #expect(try world.overline("status").status == 1)
    try monitor.lines.first("a line for the change") { $0.hasSuffix("offline: eth0 is down") }

    // Up, with the route that was removed with the link.
    try world.namespace.ip("link set eth0 up", "route add default via 192.0.2.1")
    try expectEventually("Back online") { try shows(screen, "Back online") }
    try expectEventually("the screen as it was") { try screen.cells() == before }
    #expect(try server.tmux("show-options", "-g") == options)

    // The observer sees the same sequence. Causes may change on the way; phases and insets may not.
    try watch.lines.wait("online again") { $0.count > 1 && $0.last!.contains("\"state\":\"online\"") }
    let states = try watch.lines.values.map { try ObserverState(jsonLine: Array($0.utf8)) }
    var story: [ObserverState] = []
    for state in states where state.banner.phase != story.last?.banner.phase { story.append(state) }
    #expect(story.map(\.state) == [.online, .offline, .offline, .restored, .online])
    #expect(story.map(\.banner.phase) == [.hidden, .grace, .presented, .restored, .hidden])
    #expect(story.map(\.inset.top) == [0, 0, 1, 1, 0])
    #expect(zip(states, states.dropFirst()).allSatisfy { $0.seq < $1.seq })
  }

  @Test func aKilledMonitorLeavesTmuxAsTheUserHadIt() throws {
    let world = try World()
    let (server, screen) = try tmux()
    let before = try screen.cells()
    let options = try server.tmux("show-options", "-g")
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    try world.pullTheCable()
    try expectEventually("the banner") { try shows(screen, "No connection") }

    monitor.end(.kill)
    try expectEventually("the screen as it was, after a kill -9") { try screen.cells() == before }
    #expect(try server.tmux("show-options", "-g") == options)

    // The next monitor remembers the server, and shows the banner at once.
    let second = try world.startMonitor()
    try expectEventually("the banner of the second monitor") { try shows(screen, "No connection") }
    #expect(second.end(.terminate) == 0)
    try expectEventually("the screen as it was, after a farewell") { try screen.cells() == before }
    #expect(try server.tmux("show-options", "-g") == options)
    #expect(try server.tmux("show-environment", "-gh") == "")
  }

  @Test func aServerThatRegisteredBeforeTheMonitorIsFound() throws {
    let world = try World()
    let (server, screen) = try tmux()
    let attached = try world.overline("tmux", "attach", "--server", server.socket)
    #expect(attached.status == 0)
    #expect(attached.errorText == "overline: no monitor runs; the next one shows its banner in this server\n")
    try world.pullTheCable()
    let monitor = try world.startMonitor()
    try expectEventually("the banner") { try shows(screen, "No connection") }
    let listed = try world.overline("tmux", "status").outputText
    #expect(listed.hasPrefix("\(server.socket)  tmux 3.") && listed.hasSuffix("banner shown\n"))
    #expect(try world.overline("tmux", "detach", "--server", server.socket).status == 0)
    try expectEventually("no banner") { try !shows(screen, "No connection") }
    #expect(try world.overline("tmux", "status").outputText.hasPrefix("no tmux server is attached"))
    #expect(monitor.end(.interrupt) == 0)
  }

  /// The command must not promise what the next monitor cannot find.
  @Test func aServerThatCannotBeNotedIsAnError() throws {
    let world = try World()
    let (server, _) = try tmux()
    try Files.makePrivateDirectories("\(world.folder)/overline/tmux")
    for command in ["attach", "detach"] {
      let result = try world.overline("tmux", command, "--server", server.socket)
      #expect(result.status == 2 && result.errorText.contains("/overline/tmux"), "\(command): \(result.errorText)")
    }
  }

  @Test func theMonitorDrivesTheServerItWasStartedIn() throws {
    let world = try World()
    let (server, screen) = try tmux()
    try world.pullTheCable()
    let monitor = try world.start("monitor", environment: ["TMUX=\(server.socket),\(server.pid),0"])
    try expectEventually("the banner") { try shows(screen, "No connection") }
    #expect(monitor.end(.terminate) == 0)
    try expectEventually("no banner") { try !shows(screen, "No connection") }
  }

  @Test func aServersOwnOptionsAndACustomBanner() throws {
    let world = try World()
    let (server, screen) = try tmux()
    try server.tmux("set-option", "-g", "@overline_offline_title", "Kein Netz")
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    #expect(try world.overline("banner", "present", "VPN #(touch \(world.folder)/x) re-keying").status == 0)
    try expectEventually("the custom banner, as text") { try shows(screen, "VPN #(touch \(world.folder)/x) re-keying") }
    try world.pullTheCable()
    try expectEventually("the network's banner in front") { try shows(screen, "Kein Netz") }
    #expect(try world.overline("banner", "dismiss").status == 0)
    try expectEventually("the custom banner behind it") { try shows(screen, "re-keying") }
    #expect(try world.overline("banner", "dismiss").status == 0)
    try expectEventually("nothing") { try !shows(screen, "re-keying") && !shows(screen, "Kein Netz") }
    #expect(!Files.exists("\(world.folder)/x"))
    // Attaching a server later does not bring a dismissed banner back: all servers show the same one.
    #expect(try world.overline("tmux", "detach", "--server", server.socket).status == 0)
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    #expect(try world.overline("banner", "present", "later").status == 0)
    try expectEventually("what came after") { try shows(screen, "later") && !shows(screen, "Kein Netz") }
    #expect(try world.overline("banner", "dismiss").status == 0)
    try expectEventually("nothing") { try !shows(screen, "later") && !shows(screen, "Kein Netz") }
    #expect(monitor.end(.terminate) == 0)
  }
}
