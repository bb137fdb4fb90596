/// An IPv6 address, named as in Apple's Network framework.
public struct IPv6Address: Hashable, Sendable {
  let address: AnyIPAddress
  /// The interface that a link-local address belongs to.
  public let interface: NWInterface?

  init(address: AnyIPAddress, interface: NWInterface?) {
    self.address = address
    self.interface = interface
  }

  /// From text: `2001:db8::1`. Text with a scope is nil, since only the system knows its interfaces.
  public init?(_ text: String) {
    guard !text.contains("%"), let address = AnyIPAddress(text), address.family == .ipv6 else { return nil }
    self.init(address: address, interface: nil)
  }

  /// From 16 bytes in network order; nil for another number of bytes.
  public init?(_ rawValue: some Collection<UInt8>, _ interface: NWInterface? = nil) {
    guard let address = AnyIPAddress(bytes: rawValue), address.family == .ipv6 else { return nil }
    self.init(address: address, interface: interface)
  }

  /// Sixteen bytes in network order.
  public var rawValue: [UInt8] { address.bytes }
  /// fe80::/10 (RFC 4291).
  public var isLinkLocal: Bool { address.isLinkLocal }
  /// ::1 (RFC 4291).
  public var isLoopback: Bool { address.isLoopback }
  /// fc00::/7 (RFC 4193): the addresses of private networks.
  public var isUniqueLocal: Bool { address.value >> 121 == 0x7e }
  /// ff00::/8 (RFC 4291).
  public var isMulticast: Bool { address.value >> 120 == 0xff }
  /// ::.
  public var isAny: Bool { address.value == 0 }
  /// ::ffff:0:0/96 (RFC 4291).
  public var isIPv4Mapped: Bool { address.value >> 32 == 0xffff }
  /// ::/96 without :: and ::1. The name is Apple's.
  public var isIPv4Compatabile: Bool { address.value >> 32 == 0 && address.value > 1 }
  /// 2002::/16 (RFC 3056).
  public var is6to4: Bool { address.value >> 112 == 0x2002 }

  /// The IPv4 address that a mapped or compatible address contains; nil for any other.
  public var asIPv4: IPv4Address? {
    guard isIPv4Mapped || isIPv4Compatabile else { return nil }
    return IPv4Address(
      address: AnyIPAddress(family: .ipv4, value: address.value & 0xffff_ffff), interface: interface)
  }

  /// How far a multicast packet goes (RFC 4291).
  public enum Scope: UInt8, Sendable {
    /// The interface.
    case nodeLocal = 1
    /// The link.
    case linkLocal = 2
    /// The site.
    case siteLocal = 5
    /// The organisation.
    case organizationLocal = 8
    /// The internet.
    case global = 14
  }

  /// The scope of a multicast address; nil for any other.
  public var multicastScope: Scope? {
    isMulticast ? Scope(rawValue: UInt8(truncatingIfNeeded: address.value >> 112) & 0xf) : nil
  }
}

extension IPv6Address {
  private init(_ value: UInt128) {
    self.init(address: AnyIPAddress(family: .ipv6, value: value), interface: nil)
  }

  /// ::, every address of the machine, for a listener.
  public static let any = IPv6Address(0)
  /// ::, as in Apple's framework: IPv6 has no broadcast.
  public static let broadcast = IPv6Address(0)
  /// ::1.
  public static let loopback = IPv6Address(1)
  /// ff01::1: all nodes of the interface.
  public static let nodeLocalNodes = IPv6Address(0xff01 << 112 | 1)
  /// ff02::1: all nodes of the link.
  public static let linkLocalNodes = IPv6Address(0xff02 << 112 | 1)
  /// ff02::2: all routers of the link.
  public static let linkLocalRouters = IPv6Address(0xff02 << 112 | 2)
}

extension IPv6Address: CustomDebugStringConvertible {
  public var debugDescription: String { "\(address)\(scope(interface))" }
}
