package import NetworkPath

/// The IPv4 network of one machine, as Linux keeps it: links, addresses and routes.
///
/// Each change returns the messages that pass the monitor's filter. The kernel does not announce all that it deletes: routes vanish silently
/// with a link that is switched off, and with a link's last address (`fib_disable_ip`).
package struct SimulatedKernel: PathOracle {
  package struct Route: Hashable, Sendable {
    package var prefix: IPPrefix
    package var interface: Int
    package var gateway: AnyIPAddress?
    package var metric: Int
    /// The number of the nexthop object by which the route leads; nil for none.
    package var nexthop: Int?
    /// The address that packets by this route are sent from, where the route names it.
    package var source: AnyIPAddress?

    package init(_ prefix: IPPrefix, by interface: Int, gateway: AnyIPAddress? = nil, metric: Int = 0) {
      (self.prefix, self.interface, self.gateway, self.metric) = (prefix, interface, gateway, metric)
    }

    /// The default route.
    package static func byDefault(_ interface: Int, _ gateway: AnyIPAddress, metric: Int = 0) -> Route {
      Route(
        IPPrefix(address: AnyIPAddress(family: .ipv4, value: 0), length: 0), by: interface, gateway: gateway,
        metric: metric)
    }
  }

  package private(set) var tables = NetworkTables()
  package private(set) var routes: Set<Route> = []

  private static let (up, lowerUp, running): (UInt32, UInt32, UInt32) = (0x1, 0x10000, 0x40)
  private static let broadcast: UInt32 = 0x1002

  package init() {}

  // MARK: Changes

  /// Adds a link that is switched off.
  package mutating func addLink(_ index: Int, _ name: String) -> [KernelEvent] {
    take([
      .linkChanged(
        LinkChange(
          index: index, flags: Self.broadcast, hardwareType: 1, name: name, operationalState: .down, kind: "",
          lowerIndex: 0, masterIndex: 0, hasParentDevice: true))
    ])
  }

  package mutating func removeLink(_ index: Int) -> [KernelEvent] {
    routes = routes.filter { $0.interface != index }
    return take(addresses(on: index).map { .addressRemoved($0) } + [.linkRemoved(index: index)])
  }

  /// Switches a link on or off. The routes vanish with it; those to its own networks come back, and no others.
  package mutating func setUp(_ index: Int, _ isUp: Bool, hasCarrier: Bool) -> [KernelEvent] {
    let events = take([link(index, isUp: isUp, hasCarrier: isUp && hasCarrier)])
    routes = routes.filter { $0.interface != index }
    if isUp { routes.formUnion(addresses(on: index).map(Self.connected)) }
    return events
  }

  /// A cable is plugged in or pulled. The routes stay, and their legs are marked.
  package mutating func setCarrier(_ index: Int, _ hasCarrier: Bool) -> [KernelEvent] {
    guard let old = tables.links[index], old.isUp, old.hasCarrier != hasCarrier else { return [] }
    return take([link(index, isUp: true, hasCarrier: hasCarrier)])
  }

  package mutating func addAddress(_ address: AnyIPAddress, on index: Int) -> [KernelEvent] {
    let key = InterfaceAddress.Key(index: index, address: address, prefixLength: 24)
    guard tables.links[index] != nil, !addresses(on: index).contains(key) else { return [] }
    if tables.links[index]?.isUp == true { routes.insert(Self.connected(key)) }
    return take([.addressChanged(InterfaceAddress(key: key))])
  }

  package mutating func removeAddress(_ address: AnyIPAddress, on index: Int) -> [KernelEvent] {
    guard let key = addresses(on: index).first(where: { $0.address == address }) else { return [] }
    let events = take([.addressRemoved(key)])
    let rest = addresses(on: index)
    let own = Set(rest.map(Self.connected))
    routes = routes.filter { route in
      route.interface != index || !rest.isEmpty && (route.gateway != nil || own.contains(route))
    }
    return events
  }

  /// Fails without a link that is up, or without a network in which the gateway is.
  package mutating func add(_ route: Route) -> [KernelEvent] {
    guard tables.links[route.interface]?.isUp == true, isReachable(route.gateway, by: route.interface),
      routes.insert(route).inserted
    else { return [] }
    return announcement(of: route)
  }

  package mutating func remove(_ route: Route) -> [KernelEvent] {
    routes.remove(route) == nil ? [] : announcement(of: route)
  }

  /// Deletes a nexthop object. Its routes vanish silently; the object itself is announced.
  package mutating func removeNexthop(_ number: Int) -> [KernelEvent] {
    routes = routes.filter { $0.nexthop != number }
    return [.routingChanged]
  }

  private func isReachable(_ gateway: AnyIPAddress?, by index: Int) -> Bool {
    guard let gateway else { return true }
    return routes.contains { $0.interface == index && $0.gateway == nil && Self.contains($0.prefix, gateway) }
  }

  private func announcement(of route: Route) -> [KernelEvent] {
    route.prefix.length <= RouteProbe.maximumAnnouncedPrefixLength ? [.routingChanged] : []
  }

  private mutating func take(_ events: [KernelEvent]) -> [KernelEvent] {
    for event in events { tables.apply(event) }
    return events
  }

  private func link(_ index: Int, isUp: Bool, hasCarrier: Bool) -> KernelEvent {
    let flags = Self.broadcast | (isUp ? Self.up : 0) | (hasCarrier ? Self.lowerUp | Self.running : 0)
    return .linkChanged(
      LinkChange(index: index, flags: flags, hardwareType: 1, operationalState: hasCarrier ? .up : .down))
  }

  private func addresses(on index: Int) -> [InterfaceAddress.Key] { Array((tables.addresses[index] ?? [:]).keys) }

  private static func connected(_ key: InterfaceAddress.Key) -> Route {
    let shift = UInt128(32 - key.prefixLength)
    let network = AnyIPAddress(family: .ipv4, value: (key.address.value >> shift) << shift)
    var route = Route(IPPrefix(address: network, length: key.prefixLength), by: key.index)
    route.source = key.address
    return route
  }

  private static func contains(_ prefix: IPPrefix, _ address: AnyIPAddress) -> Bool {
    let shift = UInt128(32 - prefix.length)
    return address.family == .ipv4 && address.value >> shift == prefix.address.value >> shift
  }

  // MARK: Questions

  /// All links and addresses, as the kernel lists them.
  package var dump: [KernelEvent] {
    tables.links.values.sorted { $0.index < $1.index }.map { link in
      .linkChanged(
        LinkChange(
          index: link.index, flags: link.flags, hardwareType: link.hardwareType, name: link.name,
          operationalState: link.operationalState, kind: link.kind, lowerIndex: link.lowerIndex,
          masterIndex: link.masterIndex, hasParentDevice: link.hasParentDevice))
    } + tables.addresses.sorted { $0.key < $1.key }.flatMap { $0.value.values.map(KernelEvent.addressChanged) }
  }

  package func route(_ probe: RouteProbe) -> RouteAnswer {
    let route = routes.filter {
      Self.contains($0.prefix, probe.destination) && (probe.outputInterface ?? $0.interface) == $0.interface
    }.max { ($0.prefix.length, -$0.metric, -$0.interface) < ($1.prefix.length, -$1.metric, -$1.interface) }
    let isResolved = probe.kind == .resolve
    guard let route else {
      // The kernel takes a host for one on the link, if the program insists on a link (`ip_route_output_key_hash_rcu`).
      guard let link = probe.outputInterface, tables.links[link]?.isUp == true else {
        return .refused(.networkUnreachable)
      }
      if !isResolved { return .refused(.hostUnreachable) }
      return .route(
        RouteMatch(
          prefix: IPPrefix(address: probe.destination, length: 32), legs: [RouteMatch.Leg(interface: link)],
          preferredSource: source(by: link)))
    }
    return .route(
      RouteMatch(
        prefix: isResolved ? IPPrefix(address: probe.destination, length: 32) : route.prefix, legs: [leg(route)],
        preferredSource: isResolved ? route.source ?? source(by: route.interface) : route.source))
  }

  private func source(by link: Int) -> AnyIPAddress? { addresses(on: link).map(\.address).min { $0.value < $1.value } }

  private func leg(_ route: Route) -> RouteMatch.Leg {
    let hasCarrier = tables.links[route.interface]?.hasCarrier ?? false
    return RouteMatch.Leg(interface: route.interface, gateway: route.gateway, flags: hasCarrier ? 0 : 16)
  }

  package func routes(by interface: Int) -> [RouteMatch] {
    routes.filter { $0.interface == interface }.map { RouteMatch(prefix: $0.prefix, legs: [leg($0)]) }
  }

  package func marks() -> [UInt32] { [] }
  package func hardware(of interface: String) -> InterfaceHardware { InterfaceHardware(hasDevice: true) }
  package func nameservers() -> [Nameserver] { [] }
}
