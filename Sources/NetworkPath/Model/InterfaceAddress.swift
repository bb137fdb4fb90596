/// An address of an interface.
package struct InterfaceAddress: Equatable, Sendable {
  /// Identifies an address in the kernel's table for good: its value, its interface and its peer.
  package struct Key: Hashable, Sendable {
    package let index: Int
    package let address: AnyIPAddress
    package let prefixLength: Int
    /// The other end of a point-to-point link; nil on other links. The kernel stores the same address once for each peer.
    package let peer: AnyIPAddress?

    package init(index: Int, address: AnyIPAddress, prefixLength: Int, peer: AnyIPAddress? = nil) {
      self.index = index
      self.address = address
      self.prefixLength = prefixLength
      self.peer = peer
    }
  }

  package let key: Key
  /// `IFA_F_…` of if_addr.h.
  package var flags: UInt32
  /// `RT_SCOPE_…`: 0 global, 200 site, 253 link, 254 host.
  package var scope: UInt8

  package init(key: Key, flags: UInt32 = 0, scope: UInt8 = 0) {
    self.key = key
    self.flags = flags
    self.scope = scope
  }

  /// `IFA_F_DADFAILED`, `IFA_F_TENTATIVE`: RFC 4862 forbids a host to send from such an address. `IFA_F_OPTIMISTIC` (RFC 4429) allows it.
  package var isUsable: Bool {
    flags & AddressFlag.duplicate == 0
      && (flags & AddressFlag.tentative == 0 || flags & AddressFlag.optimistic != 0)
  }

  /// Whether packets for the internet can have this source address. A deprecated address is allowed.
  package var isRoutable: Bool {
    isUsable && !key.address.isLinkLocal && !key.address.isLoopback && scope < AddressScope.link
  }
}
