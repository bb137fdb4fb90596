/// A router by which routes lead: its address on one link.
package struct Gateway: Hashable, Sendable {
  package var address: AnyIPAddress
  /// The index of the link in the kernel's table.
  package var interface: Int

  package init(_ address: AnyIPAddress, on interface: Int) {
    self.address = address
    self.interface = interface
  }
}

extension Gateway: Comparable {
  package static func < (one: Gateway, other: Gateway) -> Bool {
    (one.interface, one.address.family.rawValue, one.address.value)
      < (other.interface, other.address.family.rawValue, other.address.value)
  }
}

/// An entry of the kernel's neighbour table: what the kernel knows about a host on a link (neighbour.h).
package struct Neighbour: Equatable, Sendable {
  /// `NUD_…`
  package enum State: UInt16, Sendable {
    case incomplete = 0x01
    case reachable = 0x02
    case stale = 0x04
    case delay = 0x08
    case probe = 0x10
    case failed = 0x20
    case noARP = 0x40
    case permanent = 0x80
  }

  package var gateway: Gateway
  /// Nil for an entry that the kernel has removed or has not used yet (`NUD_NONE`).
  package var state: State?
  /// Whether the entry has a link-layer address (`NDA_LLADDR`).
  package var hasLinkAddress: Bool
  /// The time since the host last answered (`ndm_confirmed`). The kernel gives a new entry an invented time.
  package var confirmedAge: Duration?

  /// Whether packets to the host can leave: it has answered, or is never asked.
  package var hasAnswered: Bool {
    switch state {
    case .reachable, .noARP, .permanent: true
    case .stale, .delay: hasLinkAddress
    case .incomplete, .probe, .failed, nil: false
    }
  }

  private static let asking = "is being asked by the kernel"
  /// The words for a router without an entry.
  package static let unasked = "has not been asked by the kernel yet: no packet has gone there"

  /// The entry in words for users: `answered 3 s ago`.
  package var words: String {
    switch state {
    case .reachable, .stale, .delay, .probe:
      hasLinkAddress
        ? confirmedAge.map { "answered \($0.components.seconds) s ago" } ?? "has answered" : Self.asking
    case .failed: "does not answer the kernel now"
    case .incomplete: Self.asking
    case .noARP, .permanent: "is never asked: its entry in the neighbour table is fixed"
    case nil: Self.unasked
    }
  }

  package init(_ gateway: Gateway, state: State?, hasLinkAddress: Bool = true, confirmedAge: Duration? = nil) {
    self.gateway = gateway
    self.state = state
    self.hasLinkAddress = hasLinkAddress
    self.confirmedAge = confirmedAge
  }
}
