import OverlineSystem
import OverlineTestSupport
import OverlineWindowTestKit
import Synchronization

/// The network around a scene: a cable, or for moments about answers a router with servers behind it.
final class SceneNetwork: Sendable {
  let world: WindowWorld
  private let routed: RoutedNetwork?
  /// What sends packets by the router.
  private let traffic = Mutex<Traffic>(Traffic())

  private struct Traffic {
    var datagrams: DatagramTraffic?
    var connections: [EchoClients] = []
  }

  init(for moment: Moment) throws {
    routed = moment.hasRouter ? try RoutedNetwork() : nil
    world = try routed.map { try WindowWorld(in: $0.host) } ?? WindowWorld()
    try world.configure(moment.configuration)
    // One router: another family's would have to be silent too.
    try routed?.host.ip("-6 route del default")
    switch moment {
    case .suspicious, .silent: try sendDatagrams()
    case .stalled: try connect()
    default: break
    }
  }

  func pull() throws {
    if let routed { try routed.bridge.ip("link set host0 down") } else { try world.pullTheCable() }
  }

  /// Everything works again, and something is sent.
  func plug() throws {
    guard let routed else { return try world.plugTheCable() }
    try routed.bridge.ip("link set host0 up", "link set router0 up")
    // Fails if it forwards already.
    try? routed.router.nft("delete table inet test")
    try connect()
  }

  func reach(_ moment: Moment, _ observer: TestProgram) throws {
    guard let routed else { return }
    switch moment {
    case .suspicious:
      try wait(for: "REACHABLE")
      try routed.bridge.ip("link set router0 down")
      try wait(for: "FAILED")
      // Without a packet the kernel does not ask again.
      traffic.withLock { $0.datagrams = nil }
    case .silent:
      try wait(for: "REACHABLE")
      try routed.bridge.ip("link set router0 down")
      try wait(for: "router-silent", observer)
    case .stalled:
      try routed.drop()
      try wait(for: "no-answers", observer)
    case .waiting: try routed.drop()
    case .hidden, .grace, .presenting, .presented, .fading, .restored, .hiding, .toast, .alert: break
    }
  }

  /// Waits for a state of the router's entry in the neighbour table.
  private func wait(for state: String) throws {
    let entry = { try self.world.namespace.output("ip neigh show \(RoutedNetwork.gateway)") }
    guard try eventually({ try entry().contains(state) }) else {
      throw TestKitError("the router's entry is \(try entry())")
    }
  }

  /// Waits until the banner shows for a reason.
  private func wait(for reason: String, _ observer: TestProgram) throws {
    try observer.lines.first(reason) { $0.contains("\"\(reason)\"") && $0.contains("\"phase\":\"presented\"") }
  }

  private func sendDatagrams() throws {
    let datagrams = try DatagramTraffic(to: RoutedNetwork.far[0], in: world.namespace)
    traffic.withLock { $0.datagrams = datagrams }
  }

  private func connect() throws {
    guard let routed else { return }
    do {
      let clients = try routed.connect(to: RoutedNetwork.far + RoutedNetwork.far.prefix(1))
      traffic.withLock { $0.connections.append(clients) }
    } catch {
      let state = try [
        routed.host.output("ip neigh; ip route; ip -br link; ss -tn"), routed.bridge.output("bridge link"),
        routed.router.output("ip neigh; ip -br link; nft list ruleset"),
      ]
      throw TestKitError("\(error)\n\(state.joined(separator: "\n"))")
    }
  }
}
