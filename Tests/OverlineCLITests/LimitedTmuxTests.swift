import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// A captive portal, as a user sees it in tmux.
@Suite(.ownThread) struct LimitedTmuxTests {
  @Test func itHasItsOwnWordsAndColourAndNeverThoseOfAnOutage() throws {
    let world = try World()
    let web = try PortalServer(world, .good)
    try world.configure(
      """
      [banner]
      motion = "off"
      hide-delay = "500ms"
      [check]
      url = "\(PortalServer.url)"
      interval = "1s"
      """)
    let server = try TmuxTestServer(
      configuration: ["set -g status-interval 0", "set -g status-right ''", "set -ga terminal-overrides ',*:Tc'"])
    let screen = try server.attachedScreen()
    let monitor = try world.startMonitor()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    let height = { try server.tmux("display-message", "-p", "#{pane_height}") }
    let before = try height()
    func banner(_ title: String) throws -> String? { try screen.rows().first { $0.contains(title) } }

    try web.answer(.redirect)
    #expect(try eventually { try banner("⚠ Limited connection · Log in: http://127.0.0.1:8000/login") != nil })
    #expect(try banner("No connection") == nil)
    // #f9c72c of [banner.limited], and its black text.
    let cells = try screen.cells()
    #expect(cells.contains("48;2;249;199;44") && cells.contains("38;2;0;0;0"), "\(cells)")
    #expect(try height() != before)

    // A pulled cable takes precedence; plugged in again it leads to the same portal.
    try world.pullTheCable()
    #expect(try eventually { try banner("⚠ No connection · eth0 has no carrier") != nil })
    #expect(try banner("Limited") == nil)
    try world.plugTheCable()
    #expect(try eventually { try banner("⚠ Limited connection · Log in: http://127.0.0.1:8000/login") != nil })

    try web.answer(.good)
    #expect(try eventually { try banner("✓ Back online") != nil })
    #expect(try eventually { try height() == before && banner("Back online") == nil })
    #expect(monitor.end(.terminate) == 0)
  }
}
