/// The result of the look for a link that carries a tunnel's packets. The same for all tunnels of a look.
struct UnderlaySearch {
  struct Way {
    /// Why the tunnel's packets may leave by the link.
    enum Proof: Equatable {
      /// A look-up with a firewall mark of the rules.
      case mark
      /// A look-up that is bound to the link.
      case route
      /// Routes to these single hosts beyond the link.
      case hostRoute([IPPrefix])
    }

    var link: Link
    /// Nil where only a route to some network leads beyond the link: it may be one that the VPN leaves out.
    var proof: Proof?
  }

  /// The links that could be under a tunnel, whatever their state.
  var candidates: [Int: Link]
  var way: Way?
  /// Set if the look-ups with firewall marks lead nowhere. The fault is nil where they have no route.
  var endOfMarked: Underlay.Fault??
  /// Why the candidates carry nothing, where there is no way.
  var faults: [Underlay.Fault] = []

  init(candidates: [Int: Link]) { self.candidates = candidates }
}

extension PathDecision {
  /// Decides whether a tunnel works, and notes what was found about it.
  func judge(_ tunnel: Link, _ search: UnderlaySearch) -> Underlay {
    let memory = memory(of: tunnel)
    if let way = search.way { return judge(tunnel, carriedBy: way, memory) }
    guard case .dead(let fault) = death(search, memory, tunnel) else {
      note(.carried(by: nil, isProven: false, servers: nil), of: tunnel)
      return .elsewhere
    }
    let cause = cause(search, fault)
    if memory?.refuted == cause || tunnels.word == .alive(tunnel: tunnel.name) {
      note(.refuted(cause), of: tunnel)
      return .elsewhere
    }
    note(.dead(cause, word: memory?.word), of: tunnel)
    // The tunnel's counters may refute it later, and nothing announces them.
    if search.candidates.values.contains(where: { obstacle(under: $0) == nil }) { mustLookAgain.value = true }
    return Underlay(isViable: false, fault: fault)
  }

  private func judge(_ tunnel: Link, carriedBy way: UnderlaySearch.Way, _ memory: TunnelMemory?) -> Underlay {
    let lower = TunnelMemory.Lower(index: way.link.index, name: way.link.name)
    var servers: [IPPrefix]?
    if case .hostRoute(let hosts) = way.proof { servers = hosts }
    let isNew = memory.map { $0.isInDoubt || $0.lower != lower || $0.isLooping } ?? tunnels.remembers
    if way.proof == .route, isNew, !options.isClassic {
      let found = self.servers(by: way.link)
      if found.isEmpty, let memory, !memory.servers.isEmpty || memory.isLooping {
        note(.mayLoop(by: lower, isCertain: memory.isLooping, word: memory.word), of: tunnel)
        guard memory.isLooping else { return Underlay(isViable: true, link: lower.index) }
        // The route may come back with another server, and the kernel's filter hides it.
        mustLookAgain.value = true
        return Underlay(
          isViable: false, fault: .init(link: lower.index, reason: .noRoute, isLoop: true, word: memory.word))
      }
      servers = found
    }
    note(.carried(by: lower, isProven: way.proof != nil, servers: servers), of: tunnel)
    return Underlay(isViable: true, link: lower.index)
  }

  private func note(_ report: TunnelReport, of tunnel: Link) {
    reports.value = (reports.value ?? [:]).merging([tunnel.index: report]) { $1 }
  }

  /// What is remembered of the tunnel. The running monitor's word takes the place of an own memory.
  private func memory(of tunnel: Link) -> TunnelMemory? {
    guard case .dead(let dead, _) = tunnels.word, dead.name == tunnel.name else {
      return tunnels.memories[tunnel.index]
    }
    var memory = tunnels.memories[tunnel.index] ?? TunnelMemory()
    memory.word = tunnels.word
    memory.isLooping = dead.isLooping
    return memory
  }

  // MARK: Dead

  private enum Life {
    case alive
    /// The fault is nil where no single link is to blame.
    case dead(Underlay.Fault?)
  }

  /// Whether a tunnel that no link seems to carry is dead.
  ///
  /// The link under a tunnel is known from an earlier look, at which the tunnel worked. Without one, only hardware without a carrier proves
  /// it: a bridge without hardware or a veth may be there for anything else, and a link without a route may lead to the VPN's server on its
  /// own network.
  private func death(_ search: UnderlaySearch, _ memory: TunnelMemory?, _ tunnel: Link) -> Life {
    if let lower = memory?.lower { return .dead((search.endOfMarked ?? nil) ?? fault(of: lower, in: search)) }
    if let fault = search.endOfMarked ?? nil, fault.reason == .routerSilent || isDeadHardware(fault) {
      return .dead(fault)
    }
    if let silent = search.faults.first(where: { $0.reason == .routerSilent }) { return .dead(silent) }
    if let word = memory?.word { return .dead(.init(link: tunnel.index, reason: .noRoute, word: word)) }
    let hardware = search.candidates.values.filter { isExcluded($0) || standsOnHardware($0) }
    let isDead = !hardware.isEmpty && hardware.allSatisfy { obstacle(under: $0) != nil }
    return isDead ? .dead(culprit(search.faults)) : .alive
  }

  private func fault(of lower: TunnelMemory.Lower, in search: UnderlaySearch) -> Underlay.Fault? {
    if let fault = search.faults.first(where: { $0.link == lower.index || tables.links[$0.link]?.name == lower.name }) {
      return fault
    }
    return tables.links[lower.index] == nil
      ? .init(link: lower.index, reason: .linkDown, removed: lower.name) : culprit(search.faults)
  }

  private func isDeadHardware(_ fault: Underlay.Fault) -> Bool {
    guard let link = tables.links[fault.link] else { return false }
    return isExcluded(link) || (obstacle(under: link) != nil && standsOnHardware(link))
  }

  /// Whether the program must not use the link, whatever is behind it.
  private func isExcluded(_ link: Link) -> Bool { obstacle(under: link) == .excluded }

  /// The faults of the links that could send, besides the one to blame.
  private func cause(_ search: UnderlaySearch, _ fault: Underlay.Fault?) -> TunnelCause {
    let all = search.faults + (fault.map { [$0] } ?? [])
    let relevant = all.filter { found in
      found.link == fault?.link || tables.links[found.link].map { isAddressed($0) } ?? false
    }
    return TunnelCause(faults: Dictionary(relevant.map { ($0.link, $0.reason) }) { $1 })
  }

  /// Whether a link, or one below it, is a device of a bus, such as a network card.
  private func standsOnHardware(_ link: Link, depth: Int = 8) -> Bool {
    if link.hasParentDevice { return true }
    switch link.kind {
    // Before Linux 5.14 only sysfs shows the device.
    case "": return oracle.hardware(of: link.name).hasDevice
    case "vlan", "macsec", "macvlan", "macvtap", "ipvlan", "ipvtap":
      guard depth > 0, !link.isLowerElsewhere, let lower = tables.links[link.lowerIndex] else { return false }
      return standsOnHardware(lower, depth: depth - 1)
    case "bond", "team", "bridge":
      return depth > 0
        && tables.links.values.contains { $0.masterIndex == link.index && standsOnHardware($0, depth: depth - 1) }
    default: return false
    }
  }
}
