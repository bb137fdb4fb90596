/// The end of a connection, named as in Apple's Network framework.
///
/// A path's gateways are always ``hostPort(host:port:)`` with an address and port 0. The other cases exist for code written for Apple's enum.
public enum NWEndpoint: Hashable, Sendable {
  /// A host and a port on it.
  case hostPort(host: Host, port: Port)
  /// A service by name (Bonjour). No path here contains one.
  case service(name: String, type: String, domain: String, interface: NWInterface?)
  /// A unix socket by its path.
  case unix(path: String)
  /// A URL. No path here contains one.
  case url(URLText)
  /// An endpoint of Apple's system that no other case describes. No path here contains one.
  case opaque(Opaque)

  /// A URL as text: Foundation's type would need Foundation.
  public struct URLText: Hashable, Sendable, CustomStringConvertible {
    /// The text, as Foundation's URL names it.
    public let absoluteString: String

    /// A URL from its text, which is not checked.
    public init(_ absoluteString: String) { self.absoluteString = absoluteString }

    public var description: String { absoluteString }
  }

  /// Has no values: Linux has no such endpoint.
  public struct Opaque: Hashable, Sendable {
    private init() {}
  }

  /// A host, by name or by address.
  public enum Host: Hashable, Sendable {
    /// A name to resolve, by an interface if one is given.
    case name(String, NWInterface?)
    /// By its IPv4 address.
    case ipv4(IPv4Address)
    /// By its IPv6 address.
    case ipv6(IPv6Address)

    /// An address if the text is one, otherwise a name. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) becomes the IPv4 address.
    ///
    /// Text with a scope (`fe80::1%eth0`) is a name, since only the system knows its interfaces.
    public init(_ string: String) {
      if let address = IPv4Address(string) {
        self = .ipv4(address)
      } else if let address = IPv6Address(string) {
        self = if address.isIPv4Mapped, let mapped = address.asIPv4 { .ipv4(mapped) } else { .ipv6(address) }
      } else {
        self = .name(string, nil)
      }
    }

    /// The interface that the host belongs to.
    public var interface: NWInterface? {
      switch self {
      case .name(_, let interface): interface
      case .ipv4(let address): address.interface
      case .ipv6(let address): address.interface
      }
    }
  }

  /// A port of TCP or UDP; 0 for none in particular.
  public struct Port: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral {
    public let rawValue: UInt16

    /// A port from its number. Never nil; Apple's initialiser has this type.
    public init?(rawValue: UInt16) { self.rawValue = rawValue }
    public init(integerLiteral value: UInt16) { rawValue = value }

    /// Port 0: none in particular.
    public static let any: Port = 0
    /// Port 22.
    public static let ssh: Port = 22
    /// Port 25.
    public static let smtp: Port = 25
    /// Port 80.
    public static let http: Port = 80
    /// Port 110.
    public static let pop: Port = 110
    /// Port 143.
    public static let imap: Port = 143
    /// Port 443.
    public static let https: Port = 443
    /// Port 993.
    public static let imaps: Port = 993
    /// Port 1080.
    public static let socks: Port = 1080
  }

  /// The interface that the endpoint belongs to.
  public var interface: NWInterface? {
    switch self {
    case .hostPort(let host, _): host.interface
    case .service(_, _, _, let interface): interface
    case .unix, .url, .opaque: nil
    }
  }
}

extension NWEndpoint.Host: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}

extension NWEndpoint {
  /// A router.
  ///
  /// - Parameter interface: the router's interface. Only a link-local address stores it, because such an address is ambiguous without an
  ///   interface.
  init(gateway: AnyIPAddress, on interface: NWInterface?) {
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
    case .service, .unix, .url, .opaque: debugDescription
    }
  }
}

extension NWEndpoint: CustomDebugStringConvertible {
  /// `192.0.2.1:0`, `fe80::1%eth0.0`.
  public var debugDescription: String {
    switch self {
    case .hostPort(.ipv6(let address), let port): "\(address).\(port)"
    case .hostPort(let host, let port): "\(host):\(port)"
    case .service(let name, let type, let domain, let interface): "\(name).\(type)\(domain)" + scope(interface)
    case .unix(let path): path
    case .url(let url): url.absoluteString
    case .opaque: "opaque"
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
