/// What is known of a network interface from the kernel's link messages.
public struct Link: Hashable, Sendable {
  public let index: Int
  public var name = ""
  /// `IFF_…` of if.h.
  public var flags: UInt32 = 0
  public var operationalState = OperationalState.unknown
  /// `IFLA_INFO_KIND`: `veth`, `bridge`, `wireguard`; empty for hardware. A `tun` device that carries Ethernet is called `tap` here,
  /// as `ip tuntap` does.
  public var kind = ""
  /// `ARPHRD_…`: 1 is Ethernet.
  public var hardwareType: UInt16 = 0
  /// `IFLA_LINK`: the interface below this one (of a vlan, a macvlan), 0 for none.
  public var lowerIndex = 0
  /// `IFLA_MASTER`: the bridge or bond this one is a port of, 0 for none.
  public var masterIndex = 0
  /// `IFLA_LINK_NETNSID` is there: ``lowerIndex``, or a veth's other end, is in another namespace.
  public var isLowerElsewhere = false

  public init(index: Int) { self.index = index }

  /// `IFF_UP`: switched on by the administrator.
  public var isUp: Bool { flags & 0x1 != 0 }
  /// `IFF_LOOPBACK`.
  public var isLoopback: Bool { flags & 0x8 != 0 }
  /// `IFF_LOWER_UP`: the driver sees the other end.
  public var hasCarrier: Bool { flags & 0x10000 != 0 }

  /// Takes over what a message said; what it did not say stays.
  public mutating func merge(_ change: LinkChange) {
    flags = change.flags
    hardwareType = change.hardwareType
    if let name = change.name { self.name = name }
    if let state = change.operationalState { operationalState = state }
    if let kind = change.kind { self.kind = kind }
    if let lower = change.lowerIndex { lowerIndex = lower }
    if let master = change.masterIndex { masterIndex = master }
    if let elsewhere = change.isLowerElsewhere { isLowerElsewhere = elsewhere }
  }
}

/// RFC 2863 states, numbered as `IF_OPER_…`.
public enum OperationalState: UInt8, Hashable, Sendable {
  case unknown, notPresent, down, lowerLayerDown, testing, dormant, up
}

/// One link message. An attribute that a message does not carry is nil: it was not cleared.
public struct LinkChange: Hashable, Sendable {
  public var index: Int
  public var flags: UInt32
  public var hardwareType: UInt16
  public var name: String?
  public var operationalState: OperationalState?
  public var kind: String?
  public var lowerIndex: Int?
  public var masterIndex: Int?
  public var isLowerElsewhere: Bool?

  public init(
    index: Int, flags: UInt32, hardwareType: UInt16 = 1, name: String? = nil, operationalState: OperationalState? = nil,
    kind: String? = nil, lowerIndex: Int? = nil, masterIndex: Int? = nil, isLowerElsewhere: Bool? = nil
  ) {
    self.index = index
    self.flags = flags
    self.hardwareType = hardwareType
    self.name = name
    self.operationalState = operationalState
    self.kind = kind
    self.lowerIndex = lowerIndex
    self.masterIndex = masterIndex
    self.isLowerElsewhere = isLowerElsewhere
  }
}

/// What sysfs says of the hardware behind an interface.
public struct InterfaceHardware: Hashable, Sendable {
  /// `/sys/class/net/NAME/device` exists.
  public var hasDevice: Bool
  /// `/sys/class/net/NAME/phy80211` exists.
  public var hasWirelessPhy: Bool
  /// `DEVTYPE` of the interface's uevent: `wlan`, `wwan`, `bluetooth`.
  public var deviceType: String?

  /// The network of a telephone or another computer over Bluetooth (the kernel's bnep).
  var isBluetooth: Bool { deviceType == "bluetooth" }

  public init(hasDevice: Bool = false, hasWirelessPhy: Bool = false, deviceType: String? = nil) {
    self.hasDevice = hasDevice
    self.hasWirelessPhy = hasWirelessPhy
    self.deviceType = deviceType
  }
}
