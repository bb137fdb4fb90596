/// An IPv6 address, named as in Apple's Network framework.
public struct IPv6Address: Hashable, Sendable {
  let address: IPAddress
  /// The interface that a link-local address belongs to.
  public let interface: NWInterface?

  init(address: IPAddress, interface: NWInterface?) {
    self.address = address
    self.interface = interface
  }

  /// From text: `2001:db8::1`. Text with a scope is nil, since only the system knows its interfaces.
  public init?(_ text: String) {
    guard !text.contains("%"), let address = IPAddress(text), address.family == .ipv6 else { return nil }
    self.init(address: address, interface: nil)
  }

  /// Sixteen bytes in network order.
  public var rawValue: [UInt8] { address.bytes }
  /// fe80::/10 (RFC 4291).
  public var isLinkLocal: Bool { address.isLinkLocal }
  /// ::1 (RFC 4291).
  public var isLoopback: Bool { address.isLoopback }
}

extension IPv6Address: CustomDebugStringConvertible {
  public var debugDescription: String { "\(address)\(scope(interface))" }
}
