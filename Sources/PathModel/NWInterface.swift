/// A network interface, named as in Apple's Network framework.
public struct NWInterface: Hashable, Sendable {
  /// What kind of link an interface is, by its hardware and kind, never by its name.
  public enum InterfaceType: String, Hashable, Sendable, CaseIterable {
    case wifi
    case cellular
    case wiredEthernet = "wired"
    case loopback
    case other
  }

  /// The kernel's name: `eth0`.
  public let name: String
  /// The kernel's index, unique in its network namespace.
  public let index: Int
  public let type: InterfaceType

  public init(name: String, index: Int, type: InterfaceType) {
    self.name = name
    self.index = index
    self.type = type
  }
}

extension NWInterface: CustomDebugStringConvertible {
  /// The name, as Apple's does.
  public var debugDescription: String { name }
}
