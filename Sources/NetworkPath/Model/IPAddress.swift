/// An IPv4 or IPv6 address, named as in Apple's Network framework: ``IPv4Address`` or ``IPv6Address``.
///
///     let address: (any IPAddress)? = IPv4Address(text) ?? IPv6Address(text)
public protocol IPAddress: Sendable, CustomDebugStringConvertible {
  /// From text; nil if it is no address of this family.
  init?(_ text: String)
  /// From bytes in network order; nil for another number of bytes.
  init?(_ rawValue: some Collection<UInt8>, _ interface: NWInterface?)

  /// The bytes in network order: 4 or 16.
  var rawValue: [UInt8] { get }
  /// The interface that a link-local address belongs to.
  var interface: NWInterface? { get }
  /// Whether packets to this address stay on the link.
  var isLinkLocal: Bool { get }
  /// Whether packets to this address stay in the machine.
  var isLoopback: Bool { get }
  /// Whether this address is a group.
  var isMulticast: Bool { get }
}

extension IPv4Address: IPAddress {}
extension IPv6Address: IPAddress {}
