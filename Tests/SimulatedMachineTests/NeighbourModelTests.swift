import OverlineSimulatedMachine
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import NetworkPath

/// The model of a router's entry beside the kernel's own.
@Suite(.ownThread) struct NeighbourModelTests {
  private static let address = AnyIPAddress("192.0.2.1")!

  /// A router that answers, is silent for so long that the kernel gives it up twice, and answers again, while packets are sent all the time.
  @Test("a router that fails and returns has the same states in the kernel and in its model")
  func sameStates() throws {
    // The monitor's filter drops the messages of the kernel's questions.
    let (real, modelled) = (try realStates(), modelledStates().filter { $0 != .probe })
    #expect(real == modelled)
  }

  private func realStates() throws -> [Neighbour.State] {
    let (host, router) = (try NetworkNamespace(), try NetworkNamespace())
    try host.ip("link add eth0 type veth peer name lan0", "addr add 192.0.2.10/24 dev eth0")
    try host.move("lan0", to: router)
    try router.ip("addr add 192.0.2.1/24 dev lan0", "link set lan0 up")
    try host.ip("link set eth0 up", "route add default via 192.0.2.1")
    for (name, value) in [
      ("base_reachable_time_ms", "3000"), ("delay_first_probe_time", "1"), ("retrans_time_ms", "200"),
    ] {
      try host.sysctl("net/ipv4/neigh/eth0/\(name)", value)
    }
    let sockets = try host.inside { try NetlinkSockets() }
    guard case .dumped(let dump, _) = sockets.dump(), let index = Self.index(of: "eth0", in: dump) else { return [] }
    let gateway = Gateway(Self.address, on: index)
    sockets.watch([RouterMachine.Watch(gateway, includesAnswers: true)])
    let traffic = try DatagramTraffic(to: "198.51.100.1", in: host)
    var states: [Neighbour.State] = []
    var failures = 0
    func wait(_ isThere: () -> Bool) -> Bool {
      eventually {
        for case .neighboursChanged(let changes) in sockets.readNeighbours() {
          for state in changes.compactMap(\.state) where state != states.last || state == .failed {
            if state == .failed { failures += 1 }
            if state != states.last { states.append(state) }
          }
        }
        return isThere()
      }
    }
    #expect(wait { states.last == .reachable })
    states = []
    try router.sysctl("net/ipv4/conf/lan0/arp_ignore", "8")
    #expect(wait { failures == 2 })
    try router.sysctl("net/ipv4/conf/lan0/arp_ignore", "0")
    #expect(wait { states.last == .reachable })
    withExtendedLifetime(traffic) {}
    return states
  }

  private static func index(of name: String, in dump: [KernelEvent]) -> Int? {
    var tables = NetworkTables()
    for event in dump { tables.apply(event) }
    return tables.links.values.first { $0.name == name }?.index
  }

  private func modelledStates() -> [Neighbour.State] {
    var entry = SimulatedEntry(Gateway(Self.address, on: 2), reachableTime: .seconds(1))
    var states: [Neighbour.State] = []
    var failures = 0
    for tick in 0..<1000 {
      let now = Duration.milliseconds(tick * 100)
      entry.use(at: now)
      guard let state = entry.advance(to: now, answers: failures == 2)?.state else { continue }
      if state == .failed { failures += 1 }
      if state != states.last { states.append(state) }
      if state == .reachable { break }
    }
    return states
  }
}
