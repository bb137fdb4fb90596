extension PathDecision {
  /// The verdict on each network that the user named: what the kernel would do with a packet.
  func targets() -> [NWPath.Target] {
    if options.targets.isEmpty { return [] }
    let destinations = tables.destinations(in: options.targets.map(\.network))
    return zip(options.targets, destinations).map { verdict($0, at: $1) }
  }

  /// Looks up an address inside the network, by the rules of the path's own probes.
  private func verdict(_ target: PathTarget, at destination: AnyIPAddress?) -> NWPath.Target {
    guard let destination else { return result(target, .satisfied, "is this machine") }
    switch route(to: destination) {
    case .failure(let obstacle): return unreachable(target, obstacle)
    case .success(.refused(.failed(let errno))) where !Self.lacksFamily(destination.family, errno):
      return result(target, .satisfied, isKnown: false, "is unknown: the kernel did not answer")
    case .success(.refused(let refusal)):
      return unreachable(target, obstacle(refusal, destination.family))
    case .success(.route(let match)):
      var worst: Obstacle?
      for leg in match.legs {
        guard let reason = self.obstacle(of: leg, to: destination) else {
          let gateway = leg.gateway.map { ", gateway \($0)" } ?? ""
          // A route that covers more than private addresses leads to the internet. A route into a tunnel belongs to the VPN.
          let isTunnel = tables.links[leg.interface]?.isTunnel ?? false
          let isByDefaultRoute =
            !isTunnel && (target.network.privateNetwork.map { match.prefix.length < $0.length } ?? false)
          if isByDefaultRoute, target.byRoute == .own {
            return result(
              target, .unsatisfied, reason: .noRoute, isByDefaultRoute: true,
              "is not reachable: only the default route leads there")
          }
          return result(
            target, .satisfied, isByDefaultRoute: isByDefaultRoute,
            "is reachable via \(tables.links[leg.interface]?.name ?? "another interface")\(gateway)"
              + (isByDefaultRoute ? ", by the default route" : ""))
        }
        let under = reason == .noUnderlay ? underlay(under: leg.interface).fault : nil
        worst =
          worst
          ?? Obstacle(reason: reason, family: destination.family, way: Way(match: match, leg: leg), under: under)
      }
      return unreachable(target, worst ?? Obstacle(reason: .noRoute, family: destination.family))
    }
  }

  private func unreachable(_ target: PathTarget, _ obstacle: Obstacle) -> NWPath.Target {
    result(
      target, .unsatisfied, reason: obstacle.reason,
      "is not reachable: " + PathWords.targetObstacle(obstacle, links: tables.links))
  }

  private func result(
    _ target: PathTarget, _ status: NWPath.Status, isKnown: Bool = true, reason: NWPath.Reason? = nil,
    isByDefaultRoute: Bool = false, _ predicate: String
  ) -> NWPath.Target {
    NWPath.Target(
      name: target.name, network: target.network, status: status, isKnown: isKnown, reason: reason,
      isByDefaultRoute: isByDefaultRoute, explanation: "\(target) \(predicate)")
  }
}
