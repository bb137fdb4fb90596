import OverlineCore
import OverlineProcess
import OverlineReferenceTerminal
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Without a screen to show it, `overline toast` prints the toast as a line, and `overline banner` fails.
@Suite(.ownThread) struct ScreenCountTests {
  /// Runs both commands where no screen shows them, and checks their output.
  private func expectUnseen(_ scene: Scene, environment: [String] = []) throws {
    let toast = try scene.overline(
      "toast", "Saved", "--message", "All of it", "--style", "success", environment: environment)
    #expect(toast.status == 0)
    #expect(toast.errorText == "Success: Saved. All of it\n")
    let quiet = try scene.overline("toast", "Saved", "--quiet", environment: environment)
    #expect(quiet.status == 0 && quiet.errorText == "")
    let banner = try scene.overline("banner", "present", "Deploying", environment: environment)
    #expect(banner.status == 69)
    #expect(
      banner.errorText.hasPrefix("overline: no screen would show the banner")
        && banner.errorText.contains("overline run"))
    // It does not appear later either.
    #expect(try scene.state(at: scene.runtime.socket).banner.title == nil)
  }

  private func attached(_ scene: Scene, count: Int = 1) throws -> [TmuxTestServer] {
    let servers = try (0..<count).map { _ in try TmuxTestServer(configuration: ["set -g status-interval 0"]) }
    for server in servers { #expect(try scene.overline("tmux", "attach", "--server", server.socket).status == 0) }
    return servers
  }

  private func inside(_ server: TmuxTestServer) -> [String] { ["TMUX=\(server.socket),\(server.pid),0"] }

  @Test func aMonitorWithoutTmuxIsNoScreen() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    try expectUnseen(scene)
    #expect(monitor.end(.terminate) == 0)
  }

  /// Called inside the server, as by a job that outlives its client, and from elsewhere.
  @Test func aServerWithoutAClientIsNoScreen() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let servers = try attached(scene, count: 2)
    try expectUnseen(scene)
    try expectUnseen(scene, environment: inside(servers[0]))
    // It is unseen as long as no client attaches, but not lost.
    #expect(try scene.overline("toast", "Waits", "--duration", "0", "--key", "k").errorText == "Info: Waits\n")
    let screen = try servers[1].attachedScreen()
    #expect(try eventually { try screen.rows().contains { $0.contains("Waits") } })
    #expect(monitor.end(.terminate) == 0)
  }

  /// As iTerm2's client, which draws no status line.
  @Test func aClientInControlModeIsNoScreen() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let server = try attached(scene)[0]
    let client = try TestTerminal(
      "tmux", ["-u", "-S", server.socket, "-C", "attach"], environment: TmuxTestServer.environment)
    #expect(try eventually { try server.tmux("list-clients", "-F", "#{client_control_mode}") == "1\n" })
    try expectUnseen(scene)
    try expectUnseen(scene, environment: inside(server))
    withExtendedLifetime(client) {}
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aServerThatIsStoppedIsNoScreen() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let server = try attached(scene)[0]
    let client = try server.attach()
    _ = try Subprocess.run("kill", ["-STOP", "\(server.pid)"])
    defer { _ = try? Subprocess.run("kill", ["-CONT", "\(server.pid)"]) }
    try expectUnseen(scene)
    try expectUnseen(scene, environment: inside(server))
    withExtendedLifetime((client, monitor)) {}
  }

  @Test func anAttachedClientIsAScreen() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let servers = try attached(scene, count: 2)
    let screen = try servers[1].attachedScreen()
    for environment in [[], inside(servers[1])] {
      let toast = try scene.overline("toast", "Saved", "--key", "k", environment: environment)
      #expect(toast.status == 0 && toast.errorText == "")
      let banner = try scene.overline("banner", "present", "Deploying", environment: environment)
      #expect(banner.status == 0 && banner.errorText == "")
    }
    #expect(try eventually { try screen.rows().contains { $0.contains("Saved") } })
    #expect(try eventually { try screen.rows().contains { $0.contains("Deploying") } })
    // The server around the command has no client.
    #expect(try scene.overline("toast", "Here", environment: inside(servers[0])).errorText == "Info: Here\n")
    let more = try servers[1].attach()
    var client = try ObserverClient(path: scene.runtime.socket)
    #expect(try client.screens(.toast(.init(title: "Counted"))) == 2)
    #expect(try client.screens(.present(.init(title: "Counted"))) == 2)
    withExtendedLifetime(more) {}
    #expect(monitor.end(.terminate) == 0)
  }

  @Test func aWindowIsAScreen() throws {
    let scene = try Scene()
    let window = try scene.window()
    var client = try ObserverClient(path: scene.socket())
    #expect(try client.screens(.toast(.init(title: "Counted"))) == 1)
    #expect(try client.screens(.present(.init(title: "Working"))) == 1)
    try window.wait(for: "Counted")
  }

  /// The tmux server around the command has no client: the window shows the request, and the monitor keeps none.
  @Test func fromATmuxThatIsDetachedAWindowShowsIt() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let server = try attached(scene)[0]
    let window = try scene.window()
    let toast = try scene.overline("toast", "Saved", "--duration", "0", environment: inside(server))
    #expect(toast.status == 0 && toast.errorText == "")
    try window.wait(for: "Saved")
    #expect(try eventually { try scene.state(at: scene.runtime.socket).toast == nil })
    let banner = try scene.overline("banner", "present", "Working", environment: inside(server))
    #expect(banner.status == 0 && banner.errorText == "")
    try window.waitForBanner("Working")
    #expect(try scene.state(at: scene.runtime.socket).banner.title == nil)
    #expect(monitor.end(.terminate) == 0)
  }

  /// A bar shows a banner's title and no toast; a reader of sentences shows neither for long.
  @Test(arguments: [("waybar", true), ("plain", true), ("text", false), ("json", false), ("prompt", false)])
  func aStatusBarIsAScreenForABannerOnly(_ format: String, _ isBar: Bool) throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let watch = try scene.start("watch", "--format", format)
    try watch.lines.wait("the state") { !$0.isEmpty }
    guard isBar else { return try expectUnseen(scene) }
    #expect(try scene.overline("toast", "Saved").errorText == "Info: Saved\n")
    #expect(try scene.overline("banner", "present", "Deploying").status == 0)
    try watch.lines.wait("the title") { $0.last?.contains("Deploying") == true }
    #expect(monitor.end(.terminate) == 0)
  }

  /// The banner's owner ends while the monitor counts the screens: the banner never appears.
  @Test func aBannerWhoseOwnerEndsMeanwhileIsNotPresented() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let servers = try attached(scene, count: 2)
    let client = try servers[0].attach()
    // The count waits half a second for the stopped server.
    _ = try Subprocess.run("kill", ["-STOP", "\(servers[1].pid)"])
    defer { _ = try? Subprocess.run("kill", ["-CONT", "\(servers[1].pid)"]) }
    let owner = try Owner()
    let connection = try UnixSocket.connect(to: scene.runtime.socket)
    try connection.writeAll(Array("{\"do\":\"present\",\"title\":\"tied\",\"while\":\(owner.pid)}\n".utf8))
    var other = try ObserverClient(path: scene.runtime.socket)
    _ = try other.request(.status())
    owner.kill()
    #expect(try other.screens(.present(.init(title: "after"))) == 1)
    #expect(try eventually { try scene.state(at: scene.runtime.socket).banner.title == "after" })
    #expect(try other.request(.dismiss) == .ok(.object(["dismissed": .integer(1)])))
    #expect(try eventually { try scene.state(at: scene.runtime.socket).banner.title == nil })
    withExtendedLifetime((client, monitor, connection.rawValue)) {}
  }
}

extension ObserverClient {
  fileprivate mutating func screens(_ request: ObserverRequest) throws -> Int? {
    guard case .ok(let data) = try self.request(request) else { return nil }
    return data?["screens"]?.integer
  }
}
