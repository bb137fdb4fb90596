import OverlineCore
import OverlineReferenceTerminal
import OverlineShell
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// `overline dismiss`: hides what Overline claims until the claim changes.
@Suite(.ownThread) struct DismissCommandTests {
  private static let title = "No connection"

  private func expectNothingShows(_ result: Subprocess.Result) {
    #expect(result.status == 1 && result.outputText == "")
    #expect(
      result.errorText
        == "overline: no banner about the network shows; your own are dismissed by: overline banner dismiss\n")
  }

  private func dismiss(_ scene: Scene, in window: TerminalScene? = nil) throws -> Subprocess.Result {
    let inside = window.map { ["OVERLINE_SOCKET=\(scene.runtime.windowSocket(of: $0.pid))"] } ?? []
    return try scene.world.namespace.inside {
      try Subprocess.run(
        WindowWorld.executable, ["dismiss"], environment: scene.world.environment + inside, timeout: .seconds(30))
    }
  }

  /// Waits until the monitor, or the program at the socket, reports whether the banner is dismissed.
  private func wait(_ scene: Scene, _ isDismissed: Bool, at socket: String? = nil) -> Bool {
    eventually { (try? scene.state(at: socket ?? scene.runtime.socket))?.banner.isDismissed == isDismissed }
  }

  /// Waits until the window shows the banner, and its socket says so.
  private func waitForBanner(_ scene: Scene, in window: TerminalScene, _ title: String = Self.title) throws {
    try window.waitForBanner(title)
    let socket = scene.runtime.windowSocket(of: window.pid)
    guard eventually({ (try? scene.state(at: socket))?.banner.title?.contains(title) == true }) else {
      throw TestKitError("the socket does not report the banner")
    }
  }

  @Test("the monitor's banner is hidden in bars and in every window, until the network was back")
  func theMonitorAndItsWindows() throws {
    let scene = try Scene()
    let window = try scene.window()
    let monitor = try scene.startMonitor()
    let bar = try scene.start("watch", "--format", "plain")
    try bar.lines.wait("the state") { !$0.isEmpty }
    expectNothingShows(try dismiss(scene))
    try scene.world.pullTheCable()
    try bar.lines.wait("the banner") { $0.last == Self.title }
    try window.waitForBanner()
    let dismissed = try dismiss(scene)
    #expect(dismissed.status == 0 && dismissed.errorText == "", "\(dismissed)")
    try bar.lines.wait("no banner") { $0.last == "" }
    try window.waitUntilGone(Self.title)
    #expect(wait(scene, true) && wait(scene, true, at: scene.runtime.windowSocket(of: window.pid)))
    // It is hidden already.
    expectNothingShows(try dismiss(scene))
    let status = try scene.overline("status")
    #expect(status.status == 1 && status.outputText.hasSuffix("has no carrier; its banner is dismissed\n"))
    #expect(try scene.overline("status", "--format", "prompt").outputText == "offline")
    let json = try scene.overline("status", "--json").outputText
    #expect(json.contains(#""banner":{"phase":"hidden","title":null,"background":null,"text":null,"dismissed":true}"#))
    // The file changes, and the monitor reads it again.
    let more = "[banner.offline]\ntitle = \"No network\"\n"
    try scene.world.configure("[banner]\ngrace-delay = \"20ms\"\nhide-delay = \"100ms\"\nmotion = \"off\"\n" + more)
    #expect(try scene.overline("reload").status == 0)
    #expect(wait(scene, true))
    // A window that opens now starts without the banner: its first rows are the program's.
    let late = try scene.window()
    #expect(late.text.first?.hasPrefix("READY") == true)
    #expect(wait(scene, true, at: scene.runtime.windowSocket(of: late.pid)))
    try scene.world.plugTheCable()
    #expect(eventually { (try? scene.state(at: scene.runtime.socket))?.state == .online })
    // Nothing was shown, so there is no Back online.
    #expect(!bar.lines.values.contains("Back online"))
    #expect(wait(scene, false))
    try scene.world.pullTheCable()
    try bar.lines.wait("the next outage") { $0.last == "No network" }
    try window.wait(for: "No network")
    try late.wait(for: "No network")
    #expect(monitor.end(.terminate) == 0)
  }

  @Test("another cause shows again") func anotherCause() throws {
    let scene = try Scene()
    let window = try scene.window()
    let monitor = try scene.startMonitor()
    try scene.world.pullTheCable()
    try window.waitForBanner()
    #expect(eventually { (try? dismiss(scene).status) == 0 })
    try window.waitUntilGone(Self.title)
    try scene.world.namespace.ip("link set eth0 down")
    try window.waitForBanner()
    #expect(wait(scene, false))
    withExtendedLifetime(monitor) {}
  }

  @Test("inside a window only this window is hidden; its program's variable names it") func insideAWindow() throws {
    let scene = try Scene()
    let monitor = try scene.startMonitor()
    let (one, other) = (try scene.window(), try scene.window())
    expectNothingShows(try dismiss(scene, in: one))
    try scene.world.pullTheCable()
    for window in [one, other] { try waitForBanner(scene, in: window) }
    #expect(try dismiss(scene, in: one).status == 0)
    try one.waitUntilGone(Self.title)
    #expect(wait(scene, true, at: scene.runtime.windowSocket(of: one.pid)))
    #expect(wait(scene, false) && wait(scene, false, at: scene.runtime.windowSocket(of: other.pid)))
    #expect(other.text[0].contains(Self.title))
    withExtendedLifetime(monitor) {}
  }

  @Test("without a monitor every window is hidden; without both it is an error") func withoutAMonitor() throws {
    let scene = try Scene()
    let none = try dismiss(scene)
    #expect(none.status == 69 && none.errorText.contains("there is no window and no monitor that answers"))
    let windows = [try scene.window(), try scene.window()]
    expectNothingShows(try dismiss(scene))
    try scene.world.pullTheCable()
    for window in windows { try waitForBanner(scene, in: window) }
    #expect(try dismiss(scene).status == 0)
    for window in windows { try window.waitUntilGone(Self.title) }
  }

  @Test("a custom banner stays, and --quiet says nothing") func customBanners() throws {
    let scene = try Scene()
    let window = try scene.window()
    #expect(try scene.overline("banner", "present", "Working").status == 0)
    try window.wait(for: "Working")
    let quiet = try scene.overline("dismiss", "--quiet")
    #expect(quiet.status == 1 && quiet.errorText == "")
    try scene.world.pullTheCable()
    try waitForBanner(scene, in: window)
    #expect(try dismiss(scene).status == 0)
    // The custom banner takes the row.
    try window.waitForBanner("Working")
  }

  /// The monitor dismisses the banner in each server's window.
  @Test("tmux servers give their row back, also one that attaches later") func tmux() throws {
    let world = try World()
    try world.configure("[banner]\ngrace-delay = \"20ms\"\nmotion = \"off\"\n")
    let monitor = try world.startMonitor()
    func server() throws -> (TmuxTestServer, TestTerminal) {
      let server = try TmuxTestServer(configuration: ["set -g status-interval 0"])
      let client = try server.attach()
      #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
      return (server, client)
    }
    func text(_ server: TmuxTestServer) throws -> String {
      try server.tmux("display-message", "-p", "#{OVERLINE_TEXT}").filter { $0 != "\n" }
    }
    func options(_ server: TmuxTestServer) throws -> String { try server.source("show -g", "show-environment -g") }
    let first = try server()
    let before = try options(first.0)
    try world.pullTheCable()
    #expect(try eventually { try text(first.0).contains(Self.title) })
    // As from a pane.
    let environment = ["TMUX=\(first.0.socket),\(first.0.pid),0"]
    #expect(try world.overline("dismiss", environment: environment).status == 0)
    #expect(try eventually { try text(first.0) == "" && options(first.0) == before })
    let late = try server()
    // Attaching again reads the server anew.
    #expect(try world.overline("tmux", "attach", "--server", first.0.socket).status == 0)
    #expect(try text(late.0) == "" && text(first.0) == "")
    #expect(try world.overline("status").outputText.hasSuffix("; its banner is dismissed\n"))
    try world.namespace.ip("link set eth0 down")
    for one in [first.0, late.0] { #expect(try eventually { try text(one).contains(Self.title) }) }
    withExtendedLifetime((monitor, first.1, late.1)) {}
  }

  /// What only the monitor has found reaches a window a moment after its start.
  @Test("a limited connection stays hidden in a window that opens later") func limited() throws {
    let world = try World()
    try world.configure(
      """
      [banner]
      motion = "off"
      [check]
      url = "\(PortalServer.url)"
      expect-body = "success"
      interval = "1s"
      timeout = "5s"
      """)
    let server = try PortalServer(world, .redirect)
    let monitor = try world.startMonitor()
    let bar = try world.start("watch", "--format", "plain")
    try bar.lines.wait("the portal") { $0.last == "Limited connection" }
    #expect(try world.overline("dismiss").status == 0)
    try bar.lines.wait("no banner") { $0.last == "" }
    let window = try world.namespace.inside {
      try TerminalScene([World.executable, "run", "sh", "-c", "echo IN; cat"], environment: world.environment)
    }
    try window.wait(for: "IN")
    let isHidden = try eventually {
      try world.overline("status", "--socket", world.windowSocket()).outputText.contains("; its banner is dismissed")
    }
    #expect(isHidden && !window.text[0].contains("Limited"))
    try server.answer(.good)
    #expect(try eventually { try world.overline("status", "--format", "prompt").outputText == "online" })
    try server.answer(.redirect)
    try window.wait("the portal") { $0.text[0].contains("Limited") }
    withExtendedLifetime(monitor) {}
  }
}
