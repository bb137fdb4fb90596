/// A network interface, as the kernel's link messages describe it.
package struct Link: Equatable, Sendable {
  package let index: Int
  package var name = ""
  /// `IFF_…` of if.h.
  package var flags: UInt32 = 0
  package var operationalState = OperationalState.unknown
  /// `IFLA_INFO_KIND`: `veth`, `bridge`, `wireguard`; empty for hardware. A `tun` device that carries Ethernet is called `tap` here,
  /// as `ip tuntap` does.
  package var kind = ""
  /// `ARPHRD_…`: 1 is Ethernet.
  package var hardwareType: UInt16 = 0
  /// `IFLA_LINK`: the interface below this one, for example of a vlan or a macvlan; 0 for none. For a vxlan, the interface that it was made
  /// for.
  package var lowerIndex = 0
  /// `IFLA_MASTER`: the bridge or bond this one is a port of, 0 for none.
  package var masterIndex = 0
  /// True when `IFLA_LINK_NETNSID` is present: ``lowerIndex``, or a veth's other end, is in another namespace.
  package var isLowerElsewhere = false
  /// `IFLA_PARENT_DEV_NAME`: a device of a bus, such as a network card, is behind the link. The kernel reports it since Linux 5.14.
  package var hasParentDevice = false

  package init(index: Int) { self.index = index }

  /// `IFF_UP`: switched on by the administrator.
  package var isUp: Bool { flags & 0x1 != 0 }
  /// `IFF_LOOPBACK`.
  package var isLoopback: Bool { flags & 0x8 != 0 }
  /// `IFF_LOWER_UP`: the driver sees the other end.
  package var hasCarrier: Bool { flags & 0x10000 != 0 }

  /// `IFF_POINTOPOINT`: the link has one other end, and packets reach it without a gateway's address.
  package var isPointToPoint: Bool { flags & 0x10 != 0 }

  /// Not `IFF_NOARP`: the kernel asks for the hardware address of a router on this link before it sends.
  package var resolvesAddresses: Bool { flags & 0x80 == 0 }

  /// Adopts the values of a message and keeps those that it does not contain.
  package mutating func merge(_ change: LinkChange) {
    flags = change.flags
    hardwareType = change.hardwareType
    if let name = change.name { self.name = name }
    if let state = change.operationalState { operationalState = state }
    if let kind = change.kind { self.kind = kind }
    if let lower = change.lowerIndex { lowerIndex = lower }
    if let master = change.masterIndex { masterIndex = master }
    if let elsewhere = change.isLowerElsewhere { isLowerElsewhere = elsewhere }
    if let hasParent = change.hasParentDevice { hasParentDevice = hasParent }
  }
}

extension Link {
  /// Whether the link wraps packets and sends them by another link. Decided by the kind or `ARPHRD_…` (if_arp.h), never by the name. A
  /// dialled line is not a tunnel.
  var isTunnel: Bool {
    switch hardwareType {
    // ARPHRD_TUNNEL, ARPHRD_TUNNEL6, ARPHRD_SIT, ARPHRD_IPGRE
    case 768, 769, 776, 778: return true
    default: break
    }
    switch kind {
    case "", "veth", "netkit", "bridge", "vlan": return false
    case "wireguard", "tun", "ipip", "sit", "xfrm", "gtp": return true
    case "tap": return isTap
    // A bridge decides where a port's packets go.
    case "vxlan": return masterIndex == 0
    default: return ["gre", "ip6", "vti", "ovpn"].contains { kind.hasPrefix($0) }
    }
  }

  /// Whether only a VPN makes tunnels of this kind. Other tunnels connect hosts of containers, or are a part of every kernel (`sit0`).
  var isVPN: Bool {
    ["wireguard", "tun", "xfrm"].contains(kind) || kind.hasPrefix("ovpn") || kind.hasPrefix("vti") || isTap
  }

  /// True for the Ethernet tap of a VPN. A tap that is a bridge's port belongs to a virtual machine.
  var isTap: Bool { kind == "tap" && masterIndex == 0 }

  /// True for one end of a pair. The other end may be in another namespace, such as a container's.
  var isPair: Bool { kind == "veth" || kind == "netkit" }

  /// The reason why this link can carry nothing, whatever the route; nil when it can.
  package var obstacle: NWPath.Reason? {
    if !isUp { return .linkDown }
    if !hasCarrier { return .noCarrier }
    switch operationalState {
    case .up, .unknown: return nil
    case .dormant, .testing: return .dormant
    case .down, .lowerLayerDown, .notPresent: return .noCarrier
    }
  }

  /// How near the link is to carrying packets: 0 for one that is down, 1 for one without a carrier. Any other is the nearest.
  var nearness: Int {
    switch obstacle {
    case .linkDown: 0
    case .noCarrier: 1
    default: .max
    }
  }
}

/// RFC 2863 states, numbered as `IF_OPER_…`.
package enum OperationalState: UInt8, Equatable, Sendable {
  case unknown, notPresent, down, lowerLayerDown, testing, dormant, up
}

/// One link message. An attribute that the message does not contain is nil. Nil does not mean that the kernel cleared it.
package struct LinkChange: Equatable, Sendable {
  package var index: Int
  package var flags: UInt32
  package var hardwareType: UInt16
  package var name: String?
  package var operationalState: OperationalState?
  package var kind: String?
  package var lowerIndex: Int?
  package var masterIndex: Int?
  package var isLowerElsewhere: Bool?
  package var hasParentDevice: Bool?

  package init(
    index: Int, flags: UInt32, hardwareType: UInt16 = 1, name: String? = nil, operationalState: OperationalState? = nil,
    kind: String? = nil, lowerIndex: Int? = nil, masterIndex: Int? = nil, isLowerElsewhere: Bool? = nil,
    hasParentDevice: Bool? = nil
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
    self.hasParentDevice = hasParentDevice
  }
}

/// The hardware behind an interface, from sysfs.
package struct InterfaceHardware: Equatable, Sendable {
  /// `/sys/class/net/NAME/device` exists.
  package var hasDevice: Bool
  /// `/sys/class/net/NAME/phy80211` exists.
  package var hasWirelessPhy: Bool
  /// `DEVTYPE` of the interface's uevent: `wlan`, `wwan`, `bluetooth`.
  package var deviceType: String?

  /// The network of a telephone or another computer over Bluetooth (the kernel's bnep).
  var isBluetooth: Bool { deviceType == "bluetooth" }

  package init(hasDevice: Bool = false, hasWirelessPhy: Bool = false, deviceType: String? = nil) {
    self.hasDevice = hasDevice
    self.hasWirelessPhy = hasWirelessPhy
    self.deviceType = deviceType
  }
}
