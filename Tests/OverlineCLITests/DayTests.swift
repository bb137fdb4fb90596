import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Some hundreds of outages through one monitor, with a real kernel, a real tmux and a real observer. `make soak` has ten thousand.
@Suite(.ownThread) struct DayTests {
  @Test func hundredsOfOutagesLeaveNothingButTheirHistory() throws {
    let world = try World()
    try world.configure(
      """
      banner = { grace-delay = "0s", hide-delay = "0s", motion = "off" }
      """)
    let monitor = try world.startMonitor()
    let server = try TmuxTestServer()
    let dump = { try server.source("show -g", "show-environment -g", "show-environment -gh") }
    let before = try dump()
    #expect(try world.overline("tmux", "attach", "--server", server.socket).status == 0)
    let series = try OutageSeries(
      world.namespace, socket: "\(world.folder)/overline/monitor.sock", route: "default via 192.0.2.1 dev eth0")
    let figures = ProcessFigures(pid: monitor.pid)
    // The memory for the first outages stays, and the processes that they started end.
    try series.run(30)
    #expect(try eventually(within: .seconds(30)) { try figures.threads() <= 2 + Sanitizer.threads })
    let (memory, descriptors) = (try figures.memory("Anonymous"), try figures.descriptors())

    try series.run(90)
    #expect(try eventually(within: .seconds(30)) { try figures.threads() <= 2 + Sanitizer.threads })
    #expect(try figures.descriptors() == descriptors)
    let growth = try figures.memory("Anonymous") - memory
    if !Sanitizer.isWatching { #expect(growth <= 512, "\(growth) KB") }
    #expect(try eventually { try dump() == before })
    #expect(
      try eventually {
        try world.overline("history", "--json").outputText.ranges(of: "\"ended\":\"known\"").count == 120
      })
    #expect(try world.overline("metrics").outputText.contains("overline_outages_total 120\n"))
    #expect(monitor.end(.terminate) == 0)
    #expect(monitor.errors.values == [])
  }
}
