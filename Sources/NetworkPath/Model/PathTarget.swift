/// A network that should be reachable, with the user's name for it: `office` for 10.20.0.0/16.
public struct PathTarget: Hashable, Sendable, CustomStringConvertible {
  /// The program's name for the network.
  public let name: String
  /// The network as given: host bits are zero, unless it is a single address.
  public let network: IPPrefix
  /// Which routes make the network reachable, if it is private.
  public package(set) var byRoute: Route

  /// Which routes make a private network reachable, such as 10.20.0.0/16.
  public enum Route: String, Hashable, Sendable, CaseIterable {
    /// A route of its own, or one into a tunnel. The default route exists without the VPN too, and proves nothing.
    case own
    /// Any route, for a machine inside the network.
    case any
  }

  /// Each target costs a look-up (3 µs) at every change of the network, and a few comparisons in the kernel for each route message. The
  /// kernel's memory for a socket's filter does not hold many more targets.
  public static let maximumTargetCount = 32
  /// The length of the longest label of a host name (RFC 1035): the name appears in lines that users read.
  private static let maximumNameLength = 63

  /// The fault of a name or a network.
  public struct Invalid: Error, Hashable, CustomStringConvertible {
    /// Words that fit after the rejected text.
    public let message: String
    /// The form of what is allowed.
    let allowed: String

    init(message: String, allowed: String = PathTarget.allowedNetworks) {
      self.message = message
      self.allowed = allowed
    }

    /// The fault, and what is allowed.
    public var description: String { "\(message); allowed is \(allowed)" }
  }

  /// The form of a name, for messages.
  package static let allowedNames =
    "a letter, then letters, digits, - and _, at most \(maximumNameLength) of them (ASCII)"
  /// The form of a network, for messages.
  package static let allowedNetworks =
    "a network or an address, such as \"10.20.0.0/16\", \"2001:db8::/32\" or \"192.0.2.7\""

  /// A target with its own name.
  public init(name: String, network: String, byRoute: Route = .own) throws(Invalid) {
    guard Self.isName(name) else { throw Invalid(message: "is no name for a target", allowed: Self.allowedNames) }
    self.name = name
    self.network = try Self.network(network)
    self.byRoute = byRoute
  }

  /// A target named after its network.
  public init(_ network: String, byRoute: Route = .own) throws(Invalid) {
    self.network = try Self.network(network)
    self.byRoute = byRoute
    name = self.network.description
  }

  /// `office (10.20.0.0/16)`, or the network alone when the target is named after it.
  public var description: String { name == network.description ? name : "\(name) (\(network))" }

  /// Whether a text is a valid name. A name begins with a letter and contains no colon, dot or slash, so that it cannot be mistaken for an
  /// address or a network.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (1...maximumNameLength).contains(text.utf8.count) else { return false }
    return isLetter(first)
      && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

  private static func network(_ text: String) throws(Invalid) -> IPPrefix {
    // The longest network is a whole IPv6 address with a dotted tail and a prefix length. A zone (%eth0) cannot belong to a network.
    guard text.utf8.count <= 50, !text.contains("%") else { throw Invalid(message: "is no network") }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = AnyIPAddress(parts[0]) else { throw Invalid(message: "is no network") }
    let width = address.family.width
    var length = width
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]), number <= width else {
        throw Invalid(message: "has no length from 0 to \(width) after its slash")
      }
      length = number
    }
    let network = IPPrefix(address: address, length: length)
    if network.base != address {
      let meant = IPPrefix(address: network.base, length: length)
      throw Invalid(
        message: "is an address within a network; write \(meant) for the network, \(address) for the address")
    }
    if length == 0 { throw Invalid(message: "is the whole internet; the path without targets already covers it") }
    if !network.firstUsable.isUnicast {
      throw Invalid(
        message: "is reserved (loopback, link-local, multicast or broadcast), so no route shows whether it is reachable"
      )
    }
    return network
  }
}

extension IPPrefix {
  /// The network's own address: the bits after the prefix are zero.
  package var base: AnyIPAddress {
    let host = UInt128(address.family.width - length)
    // A shift by the whole width of the type gives zero.
    return AnyIPAddress(family: address.family, value: (address.value >> host) << host)
  }

  /// The first address that a host may have. The network's own address is a broadcast address in IPv4 (RFC 1122, 3.2.1.3) and the routers'
  /// anycast address in IPv6 (RFC 4291, 2.6.1), except on links of two hosts (RFC 3021, RFC 6164) and for a single address.
  package var firstUsable: AnyIPAddress { host(address.family.width - length >= 2 ? 1 : 0) }

  /// The address after ``firstUsable``; nil when there is none.
  package var secondUsable: AnyIPAddress? {
    switch address.family.width - length {
    case 0: nil
    case 1: host(1)
    default: host(2)
    }
  }

  private func host(_ number: UInt128) -> AnyIPAddress {
    AnyIPAddress(family: address.family, value: base.value | number)
  }
}

extension IPPrefix {
  /// The block of private addresses that contains this network: RFC 1918, RFC 6598 (internal to a provider or an overlay), RFC 4193. Nil
  /// for a public network, and for one that is larger than the block.
  var privateNetwork: IPPrefix? {
    Self.privateNetworks.first { block in
      block.address.family == address.family && block.length <= length
        && IPPrefix(address: address, length: block.length).base == block.address
    }
  }

  private static let privateNetworks = [
    IPPrefix(address: AnyIPAddress(family: .ipv4, value: 0x0a00_0000), length: 8),
    IPPrefix(address: AnyIPAddress(family: .ipv4, value: 0xac10_0000), length: 12),
    IPPrefix(address: AnyIPAddress(family: .ipv4, value: 0xc0a8_0000), length: 16),
    IPPrefix(address: AnyIPAddress(family: .ipv4, value: 0x6440_0000), length: 10),
    IPPrefix(address: AnyIPAddress(family: .ipv6, value: 0xfc << 120), length: 7),
  ]
}

extension AnyIPAddress {
  /// Whether this address identifies one host from anywhere. False for "this network" (RFC 1122), loopback, link-local, multicast and
  /// broadcast.
  var isUnicast: Bool {
    if isLinkLocal || isLoopback { return false }
    return switch family {
    case .ipv4: value >> 24 != 0 && value >> 28 != 0xe && value != 0xffff_ffff
    case .ipv6: value != 0 && value >> 120 != 0xff
    }
  }
}
