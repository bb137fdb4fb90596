/// The interfaces and addresses of a network namespace, from the kernel's messages. Routes are never stored: look-ups ask the kernel.
package struct NetworkTables: Equatable, Sendable {
  public private(set) var links: [Int: Link] = [:]
  public private(set) var addresses: [Int: [InterfaceAddress.Key: InterfaceAddress]] = [:]

  package init() {}

  /// Applies one message.
  package mutating func apply(_ event: KernelEvent) {
    switch event {
    case .linkChanged(let change):
      links[change.index, default: Link(index: change.index)].merge(change)
    case .linkRemoved(let index):
      links[index] = nil
      addresses[index] = nil
    case .addressChanged(let address):
      addresses[address.key.index, default: [:]][address.key] = address
    case .addressRemoved(let key):
      addresses[key.index]?[key] = nil
      if addresses[key.index]?.isEmpty == true { addresses[key.index] = nil }
    case .routingChanged:
      break
    }
  }

  /// Addresses of one family on an interface.
  package func addresses(on index: Int, _ family: AddressFamily) -> [InterfaceAddress] {
    (addresses[index] ?? [:]).values.filter { $0.key.address.family == family }
  }

  /// The addresses of this machine beyond loopback, as networks of one address.
  func ownNetworks() -> [(address: AnyIPAddress, length: Int)] {
    addresses.values.lazy.flatMap(\.keys).map(\.address).filter { !$0.isLoopback }.map { ($0, $0.family.width) }
  }

  /// The subset of these addresses that belong to an interface of this machine.
  func own(among some: Set<AnyIPAddress>) -> Set<AnyIPAddress> {
    var own: Set<AnyIPAddress> = []
    for keys in addresses.values.lazy.map(\.keys) {
      for key in keys where some.contains(key.address) { own.insert(key.address) }
    }
    return own
  }

  /// An address in each network: the first usable one, or the second if the first belongs to this machine. A look-up of an own address leads
  /// to loopback and proves nothing. Nil where both do.
  func destinations(in networks: [IPPrefix]) -> [AnyIPAddress?] {
    let candidates = networks.map { [$0.firstUsable, $0.secondUsable].compactMap(\.self) }
    // Once for all networks: there may be a thousand interfaces.
    let own = own(among: Set(candidates.joined()))
    return candidates.map { $0.first { !own.contains($0) } }
  }

  /// The interfaces that could carry packets for the internet, in order: they are up, have a carrier and an address to send from.
  /// Containers may add a thousand interfaces without an address, so this checks addresses before links, and sorts only the rest.
  func ready() -> [Int] {
    addresses.compactMap { index, own in
      guard own.values.contains(where: { $0.isRoutable }), let link = links[index] else { return nil }
      return link.isUp && link.hasCarrier && !link.isLoopback ? index : nil
    }.sorted()
  }

  /// Whether an interface has an address of a family from which packets for the internet can be sent.
  func isRoutable(from index: Int, _ family: AddressFamily) -> Bool {
    addresses[index]?.values.contains { $0.key.address.family == family && $0.isRoutable } ?? false
  }

  /// The tunnels by which a path leads.
  func tunnels(of path: NWPath) -> Set<Int> {
    Set(path.usedInterfaces.map(\.index).filter { links[$0]?.isTunnel ?? false })
  }

  /// Whether any interface has this address and may send from it.
  package func hasUsable(_ address: AnyIPAddress) -> Bool {
    addresses.values.contains { $0.values.contains { $0.key.address == address && $0.isUsable } }
  }
}

/// A message from the kernel that concerns a path.
package enum KernelEvent: Equatable, Sendable {
  case linkChanged(LinkChange)
  case linkRemoved(index: Int)
  case addressChanged(InterfaceAddress)
  case addressRemoved(InterfaceAddress.Key)
  /// A route, rule, nexthop or netconf message: it only means *look again*.
  case routingChanged
}
