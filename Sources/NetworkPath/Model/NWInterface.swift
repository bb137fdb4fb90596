/// A network interface, named as in Apple's Network framework.
public struct NWInterface: Hashable, Sendable {
  /// The kind of link. It depends on the hardware and the kernel's link kind, never on the name.
  public enum InterfaceType: Hashable, Sendable {
    /// A wireless LAN (802.11).
    case wifi
    /// A modem of a mobile network.
    case cellular
    /// Ethernet by cable.
    case wiredEthernet
    /// The machine itself.
    case loopback
    /// Anything else: tunnels, bridges, virtual links.
    case other

    /// The word for users and observers. A raw value would collide with a program's own.
    package var word: String {
      switch self {
      case .wifi: "wifi"
      case .cellular: "cellular"
      case .wiredEthernet: "wired"
      case .loopback: "loopback"
      case .other: "other"
      }
    }
  }

  /// The kernel's name: `eth0`.
  public let name: String
  /// The kernel's index, unique in its network namespace.
  public let index: Int
  /// The kind of link.
  public let type: InterfaceType

  /// An interface with the kernel's values.
  public init(name: String, index: Int, type: InterfaceType) {
    self.name = name
    self.index = index
    self.type = type
  }
}

extension NWInterface: CustomDebugStringConvertible {
  /// The name, as in Apple's framework.
  public var debugDescription: String { name }
}
