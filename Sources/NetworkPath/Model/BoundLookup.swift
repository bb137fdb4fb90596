extension PathDecision {
  /// Which route the kernel would take: by whichever interface, or by the only one that is asked about. Fails with what is wrong with
  /// that one: a look-up by an interface gives no reason of its own.
  func route(to destination: IPAddress) -> Result<RouteAnswer, Obstacle> {
    guard let name = options.interface else { return .success(ask(RouteProbe(destination: destination))) }
    let family = destination.family
    guard let link = tables.links.values.first(where: { $0.name == name }) else {
      return .failure(Obstacle(reason: .noRoute, family: family, missing: name))
    }
    if !link.isUp { return .failure(Obstacle(reason: .linkDown, family: family, link: link.index)) }
    if link.isLoopback { return .failure(Obstacle(reason: .loopback, family: family, link: link.index)) }
    let answer = ask(RouteProbe(destination: destination, outputInterface: link.index))
    guard case .route(var match) = answer else {
      // A question that failed is no outage; but the interface may just have gone (ENODEV).
      if case .refused(.failed(let errno)) = answer, errno != 19, !Self.isWithout(family, errno) {
        return .success(answer)
      }
      // Whatever the kernel says: EHOSTUNREACH is said of everything.
      let reason: NWPath.Reason = link.hasCarrier ? .noRoute : .noCarrier
      return .failure(Obstacle(reason: reason, family: family, link: link.index))
    }
    // A bound multipath answer lists all its legs.
    match.legs.removeAll { $0.interface != link.index }
    return .success(.route(match))
  }
}
