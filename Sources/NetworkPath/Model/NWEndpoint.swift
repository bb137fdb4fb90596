/// The end of a connection, named as in Apple's Network framework.
///
/// A path's gateways are always ``hostPort(host:port:)`` with an address and port 0. The other cases exist for a `switch` written for
/// Apple's enum, which also has `url` and `opaque`.
public enum NWEndpoint: Hashable, Sendable {
  /// A host and a port on it.
  case hostPort(host: Host, port: Port)
  /// A service by name (Bonjour). No path here contains one.
  case service(name: String, type: String, domain: String, interface: NWInterface?)
  /// A unix socket by its path.
  case unix(path: String)

  /// A host, by name or by address.
  public enum Host: Hashable, Sendable {
    /// A name to resolve, by an interface if one is given.
    case name(String, NWInterface?)
    /// By its IPv4 address.
    case ipv4(IPv4Address)
    /// By its IPv6 address.
    case ipv6(IPv6Address)
  }

  /// A port of TCP or UDP; 0 for none in particular.
  public struct Port: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public init(integerLiteral value: UInt16) { rawValue = value }

    /// Port 0: none in particular.
    public static let any: Port = 0
  }
}

extension NWEndpoint {
  /// A router.
  ///
  /// - Parameter interface: the router's interface. Only a link-local address stores it, because such an address is ambiguous without an
  ///   interface.
  init(gateway: IPAddress, on interface: NWInterface?) {
    let scope = gateway.isLinkLocal ? interface : nil
    let host: Host =
      switch gateway.family {
      case .ipv4: .ipv4(IPv4Address(address: gateway, interface: scope))
      case .ipv6: .ipv6(IPv6Address(address: gateway, interface: scope))
      }
    self = .hostPort(host: host, port: .any)
  }

  /// The address alone, as `ip route` prints it, without scope and port.
  package var addressText: String {
    switch self {
    case .hostPort(.ipv4(let address), _): address.address.description
    case .hostPort(.ipv6(let address), _): address.address.description
    case .hostPort(.name(let name, _), _): name
    case .service, .unix: debugDescription
    }
  }
}

extension NWEndpoint: CustomDebugStringConvertible {
  /// `192.0.2.1:0`, `fe80::1%eth0.0`.
  public var debugDescription: String {
    switch self {
    case .hostPort(.ipv6(let address), let port): "\(address).\(port)"
    case .hostPort(let host, let port): "\(host):\(port)"
    case .service(let name, let type, let domain, let interface): "\(name)\(type)\(domain)" + scope(interface)
    case .unix(let path): path
    }
  }
}

extension NWEndpoint.Host: CustomDebugStringConvertible {
  public var debugDescription: String {
    switch self {
    case .name(let name, let interface): name + scope(interface)
    case .ipv4(let address): "\(address)"
    case .ipv6(let address): "\(address)"
    }
  }
}

extension NWEndpoint.Port: CustomDebugStringConvertible {
  public var debugDescription: String { "\(rawValue)" }
}

/// `%eth0`, or nothing.
func scope(_ interface: NWInterface?) -> String { interface.map { "%\($0.name)" } ?? "" }
