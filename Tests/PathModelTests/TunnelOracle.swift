import NetworkPath

/// The kernel sends everything into the tunnel, link 9.
struct TunnelOracle: PathOracle {
  /// False if no route leads into the tunnel.
  var isUsed = true
  /// Links with a route when a socket is bound to them.
  var ways: Set<Int> = []
  /// The router of these routes.
  var gateway: String?
  /// The link by which packets with a mark leave; a mark without a link is refused.
  var marked: [UInt32: Int] = [:]
  var ruleMarks: [UInt32] = []
  /// The table of the tunnel's route.
  var table: UInt32 = 51820
  /// Routes by a link.
  var routes: [Int: [RouteMatch]] = [:]
  var modems: Set<String> = []
  /// Counts the questions.
  let asked = Asked()

  func route(_ probe: RouteProbe) -> RouteAnswer {
    asked.lookUps += 1
    guard probe.destination.family == .ipv4 else { return .refused(.networkUnreachable) }
    let anywhere = IPPrefix(address: AnyIPAddress("0.0.0.0")!, length: 0)
    func leads(_ interface: Int, _ table: UInt32 = RouteMatch.mainTable) -> RouteAnswer {
      let router = interface == 9 ? nil : gateway.flatMap { AnyIPAddress($0) }
      return .route(RouteMatch(prefix: anywhere, legs: [.init(interface: interface, gateway: router)], table: table))
    }
    let way = probe.mark == 0 ? nil : marked[probe.mark]
    guard let interface = probe.outputInterface else {
      if probe.mark == 0 { return isUsed ? leads(9, table) : .refused(.networkUnreachable) }
      return way.map { leads($0) } ?? .refused(.networkUnreachable)
    }
    return interface == 9 && isUsed || ways.contains(interface) || way == interface
      ? leads(interface) : .refused(.networkUnreachable)
  }

  func routes(by interface: Int) -> [RouteMatch] {
    asked.dumps += 1
    return routes[interface] ?? []
  }

  func hardware(of interface: String) -> InterfaceHardware {
    InterfaceHardware(deviceType: modems.contains(interface) ? "wwan" : nil)
  }

  func nameservers() -> [Nameserver] { [] }
  func marks() -> [UInt32] { ruleMarks }

  /// The number of questions.
  final class Asked {
    var lookUps = 0
    var dumps = 0
  }
}
