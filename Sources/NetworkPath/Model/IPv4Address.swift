/// An IPv4 address, named as in Apple's Network framework.
public struct IPv4Address: Hashable, Sendable {
  let address: AnyIPAddress
  /// The interface that a link-local address belongs to.
  public let interface: NWInterface?

  init(address: AnyIPAddress, interface: NWInterface?) {
    self.address = address
    self.interface = interface
  }

  /// From text: `192.0.2.1`. Text with a scope is nil, since only the system knows its interfaces.
  public init?(_ text: String) {
    guard !text.contains("%"), let address = AnyIPAddress(text), address.family == .ipv4 else { return nil }
    self.init(address: address, interface: nil)
  }

  /// From 4 bytes in network order; nil for another number of bytes.
  public init?(_ rawValue: some Collection<UInt8>, _ interface: NWInterface? = nil) {
    guard let address = AnyIPAddress(bytes: rawValue), address.family == .ipv4 else { return nil }
    self.init(address: address, interface: interface)
  }

  /// Four bytes in network order.
  public var rawValue: [UInt8] { address.bytes }
  /// 169.254.0.0/16 (RFC 3927).
  public var isLinkLocal: Bool { address.isLinkLocal }
  /// 127.0.0.0/8 (RFC 1122).
  public var isLoopback: Bool { address.isLoopback }
  /// 224.0.0.0/4 (RFC 5771).
  public var isMulticast: Bool { address.value >> 28 == 0xe }
}

extension IPv4Address {
  private init(_ value: UInt32) {
    self.init(address: AnyIPAddress(family: .ipv4, value: UInt128(value)), interface: nil)
  }

  /// 0.0.0.0: every address of the machine, for a listener.
  public static let any = IPv4Address(0)
  /// 255.255.255.255.
  public static let broadcast = IPv4Address(0xffff_ffff)
  /// 127.0.0.1.
  public static let loopback = IPv4Address(0x7f00_0001)
  /// 224.0.0.1: all hosts of the link.
  public static let allHostsGroup = IPv4Address(0xe000_0001)
  /// 224.0.0.2: all routers of the link.
  public static let allRoutersGroup = IPv4Address(0xe000_0002)
  /// 224.0.0.22: IGMPv3 reports.
  public static let allReportsGroup = IPv4Address(0xe000_0016)
  /// 224.0.0.251: multicast DNS.
  public static let mdnsGroup = IPv4Address(0xe000_00fb)
}

extension IPv4Address: CustomDebugStringConvertible {
  public var debugDescription: String { "\(address)\(scope(interface))" }
}
