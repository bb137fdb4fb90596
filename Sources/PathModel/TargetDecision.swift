extension PathDecision {
  /// What the kernel would do with a packet for each network that the user named.
  func targets() -> [NWPath.Target] { options.targets.map(verdict) }

  /// Asked about an address inside the network, by the rules of the path's own probes.
  private func verdict(_ target: PathTarget) -> NWPath.Target {
    guard let destination = probeAddress(in: target.network) else {
      return result(target, .satisfied, "is this machine")
    }
    switch route(to: destination) {
    case .failure(let obstacle): return unreachable(target, obstacle)
    case .success(.refused(.failed(let errno))) where errno != Self.familyNotSupported:
      return result(target, .unknown, "cannot be asked about")
    case .success(.refused(let refusal)):
      return unreachable(target, obstacle(refusal, destination.family))
    case .success(.route(let match)):
      var worst: Obstacle?
      for leg in match.legs {
        guard let reason = self.obstacle(of: leg, to: destination) else {
          let gateway = leg.gateway.map { ", gateway \($0)" } ?? ""
          return result(
            target, .satisfied, "is reachable via \(tables.links[leg.interface]?.name ?? "another interface")\(gateway)"
          )
        }
        let under = reason == .noUnderlay ? underlayNow().fault : nil
        worst =
          worst
          ?? Obstacle(reason: reason, family: destination.family, way: Way(match: match, leg: leg), under: under)
      }
      return unreachable(target, worst ?? Obstacle(reason: .noRoute, family: destination.family))
    }
  }

  /// The network's first usable address, or the second where the first is this machine's own, about which the kernel has nothing to
  /// say; nil when there is no other.
  private func probeAddress(in network: IPPrefix) -> IPAddress? {
    [network.firstUsable, network.secondUsable].compactMap { $0 }.first { !tables.has($0) }
  }

  private func unreachable(_ target: PathTarget, _ obstacle: Obstacle) -> NWPath.Target {
    result(
      target, .unsatisfied, reason: obstacle.reason,
      "is not reachable: " + PathWords.targetObstacle(obstacle, links: tables.links))
  }

  private func result(
    _ target: PathTarget, _ status: NWPath.Status, reason: NWPath.Reason? = nil, _ predicate: String
  ) -> NWPath.Target {
    NWPath.Target(
      name: target.name, network: target.network, status: status, reason: reason,
      explanation: "\(target) \(predicate)")
  }
}
