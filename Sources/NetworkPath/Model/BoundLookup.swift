extension PathDecision {
  /// The route that the kernel would take, by any interface or by the one in the options. Fails with that interface's fault, because a
  /// look-up by an interface gives no reason.
  func route(to destination: AnyIPAddress) -> Result<RouteAnswer, Obstacle> {
    guard let name = options.interface else { return .success(unbound(to: destination)) }
    let family = destination.family
    guard let link = tables.links.values.first(where: { $0.name == name }) else {
      return .failure(Obstacle(reason: .noRoute, family: family, missing: name))
    }
    if !link.isUp { return .failure(Obstacle(reason: .linkDown, family: family, link: link.index)) }
    if link.isLoopback { return .failure(Obstacle(reason: .loopback, family: family, link: link.index)) }
    let answer = ask(RouteProbe(destination: destination, outputInterface: link.index))
    guard case .route(var match) = answer else {
      // A failed question is not an outage, unless the interface was just removed.
      if case .refused(.failed(let errno)) = answer, errno != Errno.noDevice, !Self.lacksFamily(family, errno) {
        return .success(answer)
      }
      // The kernel's errno is useless here: it is EHOSTUNREACH for every cause.
      return .failure(Obstacle(reason: link.obstacle ?? .noRoute, family: family, link: link.index))
    }
    // A bound multipath answer lists all its legs.
    match.legs.removeAll { $0.interface != link.index }
    return .success(.route(match))
  }

  /// A rule may refuse UDP alone, as one against QUIC does, or lead only TCP to the internet. That is no outage, so a refusal asks for TCP
  /// too.
  private func unbound(to destination: AnyIPAddress) -> RouteAnswer {
    let answer = ask(RouteProbe(destination: destination))
    switch answer {
    case .route, .refused(.failed): return answer
    case .refused:
      for probe in [RouteProbe(destination: destination, isTCP: true)] + fromOwnAddresses(to: destination, answer) {
        if case .route(let match) = ask(probe) { return .route(match) }
      }
      return answer
    }
  }

  /// A default route of IPv6 may be for some sources only, as with babel. Then connect(2) looks up in vain, chooses an address of this machine,
  /// and looks up again with it (`ip6_dst_lookup_tail`).
  private func fromOwnAddresses(to destination: AnyIPAddress, _ answer: RouteAnswer) -> [RouteProbe] {
    guard destination.family == .ipv6, answer == .refused(.networkUnreachable) else { return [] }
    var networks: Set<UInt128> = []
    var probes: [RouteProbe] = []
    for index in tables.ready() {
      for address in tables.addresses(on: index, .ipv6).filter(\.isRoutable).map(\.key.address).sorted(by: {
        $0.value < $1.value
      })
      where probes.count < Self.maximumSourceCount && networks.insert(address.value >> 64).inserted {
        probes.append(RouteProbe(destination: destination, source: address))
      }
    }
    return probes
  }

  /// A thousand container interfaces must not cost a thousand look-ups.
  private static var maximumSourceCount: Int { 4 }
}
