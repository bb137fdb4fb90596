internal import NetworkPath
internal import OverlineSystem
internal import OverlineTestSupport

/// A machine with one link, on which a daemon runs, between two networks with DHCP. Both lead to the same far server, which is visited all
/// the time.
///
///     machine ── home (192.0.2.0/24) or cafe (203.0.113.0/24) ── router ── far server
final class DaemonWorld {
  enum Place: String { case home, cafe }

  let network: RoutedNetwork
  /// Where the daemon and the monitor run.
  let machine: SimulatedMachine
  /// The router, with a DHCP server.
  let router: SimulatedMachine
  /// The far server, and a VPN's.
  let far: SimulatedMachine
  private let daemon: Daemon
  private let bench: BenchWorld
  private let server: VisitServer
  private let visits: TCPVisits
  private let monitor: PipedProgram
  private let states: MonitorClaims
  private var connections: EchoClients?
  private(set) var place = Place.home

  init(_ daemon: Daemon, _ overline: String) throws {
    self.daemon = daemon
    network = try RoutedNetwork()
    try Self.addCafe(to: network)
    try network.bridge.ip("link set host0 down")
    try network.host.ip("addr flush dev eth0", "-6 addr flush dev eth0")
    try daemon.prepare(network)
    machine = try SimulatedMachine(network.host)
    router = try SimulatedMachine(network.router)
    far = try SimulatedMachine(network.farSide)
    try router.start(
      "dnsmasq",
      """
      dnsmasq --keep-in-foreground --conf-file=/dev/null --user=root --port=0 --bind-interfaces --interface=lan0 \
      --interface=lan1 --dhcp-range=192.0.2.50,192.0.2.99,2m --dhcp-range=203.0.113.50,203.0.113.99,2m \
      --dhcp-leasefile=/run/leases --pid-file= --dhcp-authoritative --no-ping
      """)
    bench = try BenchWorld(
      overline, configuration: "banner = { grace-delay = \"0s\", hide-delay = \"0s\", motion = \"off\" }",
      in: network.host)
    let command = machine.enter + ["setpriv", "--pdeathsig", "KILL", overline, "monitor"]
    monitor = try bench.start(command[0], Array(command.dropFirst()))
    guard try monitor.waitForOutput(within: .seconds(30)) else { throw TestKitError("the monitor did not start") }
    states = try MonitorClaims(of: bench.socket)
    server = try VisitServer(in: network.farSide)
    visits = try TCPVisits(to: daemon.server, in: network.host)
    let (states, visits) = (states, visits)
    guard eventually({ states.hasBegun && !visits.visits.isEmpty }) else { throw TestKitError("nothing is watched") }
  }

  private static func addCafe(to network: RoutedNetwork) throws {
    try network.bridge.ip("link add br1 type bridge mcast_snooping 0", "link set br1 up")
    try network.router.plug("lan1", into: network.bridge, as: "router1")
    try network.bridge.ip("link set router1 master br1")
    try network.router.ip("addr add 203.0.113.1/24 dev lan1", "addr add 2001:db8:3::1/64 dev lan1 nodad")
  }

  // MARK: What happens

  /// Pulls the cable.
  func unplug() throws { try network.bridge.ip("link set host0 down") }

  /// Plugs the cable in, at home or in the cafe.
  func plug(into place: Place? = nil) throws {
    self.place = place ?? self.place
    try network.bridge.ip("link set host0 master \(self.place == .home ? "br0" : "br1")", "link set host0 up")
  }

  /// Pulls the cable for a while, and plugs it into the other network.
  func roam(after time: Duration) throws {
    try unplug()
    pause(for: time)
    try plug(into: place == .home ? .cafe : .home)
  }

  // MARK: What follows

  /// Waits until TCP has worked without a pause for a moment, and until no claim stands, at most for ``ClaimJudgement/patience``.
  func waitForTCP() throws {
    let isThere = eventually(within: .seconds(60)) {
      pause(for: .milliseconds(50))
      let since = BootClock.now - TCPVisits.patience
      let latest = visits.visits.suffix(40)
      return latest.count == 40 && latest.allSatisfy { $0.outcome == .answered } && latest.last!.start > since
    }
    guard isThere else {
      throw TestKitError(
        "TCP never worked again; \(try machine.run("ip -4 -br addr; ip route").replacing("\n", with: "; "))")
    }
    let worked = BootClock.now
    while try states.claims().last.map({ $0.end == nil }) ?? false,
      BootClock.now < worked + ClaimJudgement.patience + .seconds(1)
    {
      pause(for: .milliseconds(50))
    }
  }

  /// Opens connections that send without a pause, in place of those of the former network.
  func talk() throws {
    connections = nil
    connections = try network.connect(to: daemon.peers)
  }

  /// Does something and compares what the monitor says with the visits, until those that have begun have ended.
  func judge(_ body: () throws -> Void) throws -> ClaimJudgement {
    states.forget()
    let start = BootClock.now
    visits.forget(before: start - .seconds(2))
    try body()
    let end = BootClock.now
    pause(for: TCPVisits.patience + .milliseconds(200))
    return ClaimJudgement(try states.claims(), visits.visits, from: start, until: end)
  }
}
