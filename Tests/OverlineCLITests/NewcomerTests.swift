import OverlineReferenceTerminal
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// Processes that start during an outage that they cannot find themselves, or not yet. They take the running monitor's word.
@Suite(.ownThread) struct NewcomerTests {
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

  @Test(.enabled(if: RoutedNetwork.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
  func aNewWindowShowsThatNothingAnswers() throws {
    let network = try RoutedNetwork()
    let world = try World(in: network.host)
    let clients = try EchoClients(in: network.host, to: RoutedNetwork.far)
    let monitor = try world.startMonitor()
    try clients.wait(forAnswers: 10)
    try network.drop()
    #expect(eventually { (try? world.overline("status"))?.outputText.hasPrefix("limited") == true })
    // From now on the router's entry stays REACHABLE for 15 s at least, so that the window's own looks begin later.
    try network.host.sysctl("net/ipv4/neigh/eth0/base_reachable_time_ms", "30000")
    #expect(try eventually { try network.host.output("ip neigh show 192.0.2.1").contains("REACHABLE") })
    let window = try network.host.inside {
      try TerminalScene([World.executable, "run", "sh", "-c", "echo IN; cat"], environment: world.environment)
    }
    try window.wait("the banner", within: .seconds(10)) { $0.text[0].contains("Limited connection") }
    let status = try world.overline("status", "--socket", world.windowSocket())
    #expect(status.outputText.contains("no answers: "), "\(status.outputText)")
    try network.router.nft("delete table inet test")
    try window.waitUntilGone("Limited connection")
    withExtendedLifetime((monitor, clients)) {}
  }

  /// After an outage the monitor waits for the router's answer. Until then a single look at the kernel would find a route.
  @Test(.enabled(if: RoutedNetwork.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
  func aNewProcessDoesNotContradictAMonitorThatWaits() throws {
    let network = try RoutedNetwork()
    let world = try World(in: network.host)
    let monitor = try world.startMonitor()
    try network.bridge.ip("link set router0 down")
    try network.host.ip("link set eth0 down")
    #expect(eventually { (try? world.overline("status"))?.status == 1 })
    let route = try network.host.output("ip route show default").isEmpty ? ["route add default via 192.0.2.1"] : []
    try network.host.ip((["link set eth0 up"] + route).joined(separator: "\n"))
    var paths: [Subprocess.Result] = []
    var isSilent = false
    while !isSilent, try world.overline("status").status == 1 {
      let path = try world.overline("path")
      let status = try world.overline("status")
      isSilent = status.outputText.contains("has not answered since eth0 came up")
      if status.status == 1 { paths.append(path) }
    }
    #expect(isSilent)
    #expect(paths.allSatisfy { $0.status == 1 }, "\(paths.map(\.outputText))")
    // A sanitizer's program may take longer than the monitor waits.
    #expect(
      Sanitizer.isWatching || paths.contains { $0.outputText.contains("no answer from 192.0.2.1 yet") },
      "\(paths.map(\.outputText))")
    #expect(try world.overline("wait", "--timeout", "100ms").status == 1)
    try network.bridge.ip("link set router0 up")
    #expect(try world.overline("wait", "--timeout", "20s").status == 0)
    withExtendedLifetime(monitor) {}
  }

  /// The route to the VPN's server is still there. Only the monitor knows for how long the router has not answered.
  @Test(
    .enabled(if: RoutedNetwork.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"),
    .enabled(if: TunDevice.canBeMade, "COULD NOT RUN: /dev/net/tun is missing or for another user alone"))
  func aNewProcessKnowsASilentRouterUnderATunnel() throws {
    let network = try RoutedNetwork()
    let tunnel = try TunDevice("tun0", in: network.host)
    try network.host.ip(
      "-6 route del default", "link set tun0 up", "addr add 10.8.0.2/24 dev tun0",
      "route add 203.0.113.9 via 192.0.2.1", "route add 0.0.0.0/1 dev tun0", "route add 128.0.0.0/1 dev tun0")
    let traffic = try DatagramTraffic(to: "203.0.113.9", in: network.host)
    defer { traffic.end() }
    let world = try World(in: network.host)
    try world.configure("[path]\ntargets = { office = \"10.99.0.0/24\" }\n")
    let monitor = try world.startMonitor()
    #expect(eventually { (try? network.host.output("ip neigh show 192.0.2.1"))?.contains("REACHABLE") == true })
    try network.bridge.ip("link set router0 down")
    // Not `status`: the monitor answers that before it writes the state file, which `path` reads.
    #expect(eventually { (try? world.overline("path"))?.status == 1 })
    let path = try world.overline("path")
    #expect(path.status == 1 && path.outputText.contains("no-underlay"), "\(path.outputText)")
    #expect(path.outputText.contains("eth0 leads to a router that does not answer"), "\(path.outputText)")
    #expect(path.outputText.contains("tun0 is dead"), "\(path.outputText)")
    #expect(path.outputText.contains("office (10.99.0.0/24) is not reachable"), "\(path.outputText)")
    let wait = try world.overline("wait", "--timeout", "0", "--target", "office")
    #expect(wait.status == 1 && wait.errorText.contains("a router that does not answer"), "\(wait.errorText)")
    try network.bridge.ip("link set router0 up")
    #expect(try world.overline("wait", "--timeout", "20s").status == 0)
    withExtendedLifetime((monitor, tunnel)) {}
  }

  /// The VPN is for some networks only: the machine is offline for another reason than the dead tunnel.
  @Test(.enabled(if: TunDevice.canBeMade, "COULD NOT RUN: /dev/net/tun is missing or for another user alone"))
  func aNewProcessKnowsTheDeadTunnelOfATarget() throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    let tunnel = try TunDevice("tun0", in: namespace)
    try namespace.ip("link set tun0 up", "addr add 10.8.0.2/32 dev tun0", "route add 10.20.0.0/16 dev tun0")
    let world = try World(in: namespace)
    try world.configure("[path]\ntargets = { office = \"10.20.0.0/16\" }\n")
    let monitor = try world.startMonitor()
    #expect(try world.overline("wait", "--timeout", "0", "--target", "office").status == 0)
    try world.pullTheCable()
    #expect(eventually { (try? world.overline("wait", "--timeout", "0", "--target", "office"))?.status == 1 })
    for target in ["office", "10.20.0.0/16"] {
      let wait = try world.overline("wait", "--timeout", "0", "--target", target)
      #expect(wait.status == 1 && wait.errorText.contains("(seen by the monitor at "), "\(wait.errorText)")
    }
    withExtendedLifetime((monitor, tunnel)) {}
  }

  @Test(.enabled(if: TunDevice.canBeMade, "COULD NOT RUN: /dev/net/tun is missing or for another user alone"))
  func aNewProcessKnowsADeadTunnel() throws {
    let namespace = try NetworkNamespace()
    try namespace.ip(
      "link add v0 type veth peer name v0p", "link set v0p up", "link set v0 up", "addr add 192.0.2.2/24 dev v0",
      "route add default via 192.0.2.1 metric 600")
    let tunnel = try TunDevice("tun0", in: namespace)
    try namespace.ip("link set tun0 up", "addr add 10.8.0.2/24 dev tun0", "route add default dev tun0")
    let world = try World(in: namespace)
    let monitor = try world.startMonitor()
    #expect(try world.overline("path").outputText.contains("VPN         tun0 over v0\n"))
    try namespace.ip("link set v0p down")
    // Not `status`: the monitor answers that before it writes the state file, which `path` reads.
    #expect(eventually { (try? world.overline("path"))?.status == 1 })
    let path = try world.overline("path")
    #expect(path.status == 1 && path.outputText.contains("(seen by the monitor at "), "\(path.outputText)")
    #expect(path.outputText.contains("v0 has no carrier"), "\(path.outputText)")
    let json = try world.overline("status", "--json").outputText
    #expect(json.contains(#""tunnel":{"name":"tun0","cause":"v0 has no carrier","loops":false}"#), "\(json)")
    #expect(try world.overline("wait", "--timeout", "100ms").status == 1)
    // Without a monitor that has seen the link at work, nothing proves the tunnel dead.
    let alone = try World(in: namespace)
    #expect(try alone.overline("path").status == 0)
    withExtendedLifetime((monitor, tunnel)) {}
  }
}
