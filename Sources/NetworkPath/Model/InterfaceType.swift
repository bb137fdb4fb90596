extension NetworkTables {
  /// The type of an interface, by its hardware and kind. A vlan, bond, bridge or team has the type of the link below it.
  func interfaceType(of index: Int, oracle: any PathOracle) -> NWInterface.InterfaceType {
    // Stacks are a few levels deep; a loop (which the kernel forbids) must not hang us.
    interfaceType(of: index, oracle: oracle, depth: 8)
  }

  private func interfaceType(of index: Int, oracle: any PathOracle, depth: Int) -> NWInterface.InterfaceType {
    guard let link = links[index], depth > 0 else { return .other }
    if link.isLoopback { return .loopback }
    let hardware = oracle.hardware(of: link.name)
    if hardware.hasWirelessPhy || hardware.deviceType == "wlan" { return .wifi }
    if hardware.deviceType == "wwan" { return .cellular }
    // The interface's device in sysfs is the Bluetooth radio, not a cable.
    if hardware.isBluetooth { return .other }
    if link.isPair { return .wiredEthernet }
    switch link.kind {
    case "wwan", "rmnet": return .cellular
    case "vlan", "macsec", "macvlan", "macvtap", "ipvlan", "ipvtap":
      // The lower interface of a container's macvlan is in another namespace: judge the macvlan by itself.
      if links[link.lowerIndex] == nil || link.lowerIndex == index { return .wiredEthernet }
      return interfaceType(of: link.lowerIndex, oracle: oracle, depth: depth - 1)
    case "bond", "bridge", "team":
      let ports = links.values.filter { $0.masterIndex == index }
      let port = ports.min { ($0.hasCarrier ? 0 : 1, $0.index) < ($1.hasCarrier ? 0 : 1, $1.index) }
      guard let port else { return .other }
      return interfaceType(of: port.index, oracle: oracle, depth: depth - 1)
    default:
      return link.hardwareType == 1 && hardware.hasDevice ? .wiredEthernet : .other
    }
  }
}
