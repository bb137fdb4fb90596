/// An IPv4 address, named as in Apple's Network framework.
public struct IPv4Address: Hashable, Sendable {
  let address: IPAddress
  /// The interface that a link-local address belongs to.
  public let interface: NWInterface?

  init(address: IPAddress, interface: NWInterface?) {
    self.address = address
    self.interface = interface
  }

  /// From text: `192.0.2.1`. Text with a scope is nil, since only the system knows its interfaces.
  public init?(_ text: String) {
    guard !text.contains("%"), let address = IPAddress(text), address.family == .ipv4 else { return nil }
    self.init(address: address, interface: nil)
  }

  /// Four bytes in network order.
  public var rawValue: [UInt8] { address.bytes }
  /// 169.254.0.0/16 (RFC 3927).
  public var isLinkLocal: Bool { address.isLinkLocal }
  /// 127.0.0.0/8 (RFC 1122).
  public var isLoopback: Bool { address.isLoopback }
}

extension IPv4Address: CustomDebugStringConvertible {
  public var debugDescription: String { "\(address)\(scope(interface))" }
}
