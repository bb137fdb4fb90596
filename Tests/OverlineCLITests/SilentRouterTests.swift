import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Processes that start while the router is silent. They cannot find the silence themselves, so they ask the running monitor.
@Suite(.ownThread) struct SilentRouterTests {
  @Test(.enabled(if: RoutedNetwork.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
  func aNewProcessKnowsWhatTheMonitorKnows() throws {
    let network = try RoutedNetwork()
    let world = try World(in: network.host)
    let clients = try EchoClients(in: network.host, to: RoutedNetwork.far + RoutedNetwork.far6)
    let monitor = try world.startMonitor()
    try clients.wait(forAnswers: 10)
    // Without a monitor that has heard the router, its silence proves nothing.
    let alone = try World(in: network.host)

    try network.bridge.ip("link set router0 down")
    #expect(eventually { (try? world.overline("path"))?.status == 1 }, "the monitor does not see the silence")
    let path = try world.overline("path")
    #expect(path.status == 1 && path.outputText.contains("does not answer (last heard "), "\(path.outputText)")
    let wait = try world.overline("wait", "--timeout", "100ms")
    #expect(wait.status == 1 && wait.errorText.contains("does not answer"), "\(wait)")
    #expect(try world.overline("wait", "--for", "offline", "--timeout", "9s").status == 0)
    #expect(try alone.overline("wait", "--timeout", "9s").status == 0)
    let window = try network.host.inside {
      try TerminalScene([World.executable, "run", "sh", "-c", "echo IN; cat"], environment: world.environment)
    }
    try window.wait(for: "IN")
    try window.waitForBanner()
    #expect(window.text[0].contains("does not answer"))

    try network.bridge.ip("link set router0 up")
    try window.waitUntilGone("No connection")
    #expect(eventually { (try? world.overline("path"))?.status == 0 })
    #expect(try world.overline("wait", "--timeout", "9s").status == 0)
    withExtendedLifetime((monitor, clients)) {}
  }
}
