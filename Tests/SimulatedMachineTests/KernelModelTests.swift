import OverlineSimulatedMachine
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import NetworkPath

/// The model of the kernel beside the real one: after each step both have the same links, addresses and routes, and have announced the same.
@Suite(.ownThread) struct KernelModelTests {
  enum Step: String {
    case plug, unplug, up, down
    case addAddress, removeAddress, addSecondAddress, removeSecondAddress
    case addRoute, removeRoute, addNexthopRoute, removeNexthop
  }

  /// The links of the kernel itself come first.
  private static let link = 20
  private static let addresses = [AnyIPAddress("192.0.2.2")!, AnyIPAddress("198.51.100.2")!]
  private static let router = AnyIPAddress("192.0.2.1")!
  private static let probes = [RouteProbe.Kind.match, .resolve].flatMap { kind in
    [nil, link].flatMap { output in
      (RouteProbe.destinations(.ipv4) + [router]).map {
        RouteProbe(destination: $0, kind: kind, outputInterface: output)
      }
    }
  }

  /// A link with its cable, in the real kernel and in the model.
  private final class Pair {
    let namespace: NetworkNamespace
    let sockets: NetlinkSockets
    var model = SimulatedKernel()
    private var marks = 0

    init() throws {
      let namespace = try NetworkNamespace()
      for place in ["all", "default"] { try namespace.sysctl("net/ipv6/conf/\(place)/disable_ipv6", "1") }
      try namespace.ip("link add eth0 index \(KernelModelTests.link) type veth peer name cable", "link set cable up")
      self.namespace = namespace
      sockets = try namespace.inside { try NetlinkSockets() }
      _ = model.addLink(KernelModelTests.link, "eth0")
    }

    /// What the kernel announces of a change. A change of another link marks the end.
    func announced(_ change: () throws -> Void) throws -> [KernelEvent] {
      try change()
      marks += 1
      try namespace.ip("link set lo alias mark\(marks)")
      var events: [KernelEvent] = []
      let isMarked = eventually {
        for case .received(let new) in sockets.read() { events += new }
        return events.contains { if case .linkChanged(let link) = $0 { link.index == 1 } else { false } }
      }
      #expect(isMarked)
      return events
    }

    func perform(_ step: Step) throws -> (real: [KernelEvent], modelled: [KernelEvent]) {
      let (first, second) = (addresses[0], addresses[1])
      var route = SimulatedKernel.Route.byDefault(link, router)
      let (line, modelled): (String, [KernelEvent])
      switch step {
      case .plug: (line, modelled) = ("link set cable up", model.setCarrier(link, true))
      case .unplug: (line, modelled) = ("link set cable down", model.setCarrier(link, false))
      case .up: (line, modelled) = ("link set eth0 up", model.setUp(link, true, hasCarrier: true))
      case .down: (line, modelled) = ("link set eth0 down", model.setUp(link, false, hasCarrier: true))
      case .addAddress: (line, modelled) = ("addr add \(first)/24 dev eth0", model.addAddress(first, on: link))
      case .removeAddress: (line, modelled) = ("addr del \(first)/24 dev eth0", model.removeAddress(first, on: link))
      case .addSecondAddress: (line, modelled) = ("addr add \(second)/24 dev eth0", model.addAddress(second, on: link))
      case .removeSecondAddress:
        (line, modelled) = ("addr del \(second)/24 dev eth0", model.removeAddress(second, on: link))
      case .addRoute: (line, modelled) = ("route add default via \(router) dev eth0", model.add(route))
      case .removeRoute: (line, modelled) = ("route del default", model.remove(route))
      case .addNexthopRoute:
        try namespace.ip("nexthop add id 7 via \(router) dev eth0")
        route.nexthop = 7
        (line, modelled) = ("route add default nhid 7", model.add(route))
      case .removeNexthop: (line, modelled) = ("nexthop del id 7", model.removeNexthop(7))
      }
      return (try announced { try namespace.ip(line) }, modelled)
    }

    private var link: Int { KernelModelTests.link }
    private var addresses: [AnyIPAddress] { KernelModelTests.addresses }
    private var router: AnyIPAddress { KernelModelTests.router }
  }

  /// The lower layer of a veth is its other end. Hardware has none, and is down itself.
  private static func state(_ link: Link) -> OperationalState {
    link.operationalState == .lowerLayerDown ? .down : link.operationalState
  }

  private static func facts(_ events: [KernelEvent]) -> [String] {
    var tables = NetworkTables()
    for event in events { tables.apply(event) }
    let words = tables.links[link].map { "up \($0.isUp), carrier \($0.hasCarrier), \(state($0))" }
    return [words ?? "no link"]
      + (tables.addresses[link] ?? [:]).keys.map { "\($0.address)/\($0.prefixLength)" }.sorted()
  }

  /// Flags of resolved routes say more than the decision asks.
  private static func way(_ answer: RouteAnswer) -> RouteAnswer {
    guard case .route(var match) = answer, match.prefix.length == 32 else { return answer }
    for index in match.legs.indices { match.legs[index].flags = 0 }
    return .route(match)
  }

  @Test(
    "the kernel and its model do the same",
    arguments: [
      // Flaps, with routes that vanish silently and do not come back.
      [.up, .addAddress, .addRoute, .unplug, .plug, .down, .up, .addRoute, .unplug, .down],
      // The last address takes all routes with it, and another one does not.
      [.up, .addAddress, .addRoute, .addSecondAddress, .removeSecondAddress, .removeAddress, .addAddress, .addRoute],
      [.up, .addAddress, .addRoute, .removeRoute, .addNexthopRoute, .removeNexthop, .addRoute],
      [.addAddress, .up, .unplug, .addRoute, .plug, .removeRoute, .removeAddress],
    ] as [[Step]])
  func sameSteps(_ steps: [Step]) throws {
    let pair = try Pair()
    for (number, step) in steps.enumerated() {
      let (real, modelled) = try pair.perform(step)
      let place = "step \(number): \(step)"
      #expect(real.contains(.routingChanged) == modelled.contains(.routingChanged), "\(place): \(real)")
      // The kernel follows a change of the carrier with the operational state a moment later.
      var facts: [String] = []
      let isSame = eventually(within: .seconds(5)) {
        guard case .dumped(let dump, complete: true) = pair.sockets.dump() else { return false }
        facts = Self.facts(dump)
        return facts == Self.facts(pair.model.dump)
      }
      #expect(isSame, "\(place): \(facts)")
      for probe in Self.probes {
        let answer = pair.sockets.queries.route(probe)
        #expect(Self.way(answer) == Self.way(pair.model.route(probe)), "\(place): \(probe)")
      }
    }
  }
}
