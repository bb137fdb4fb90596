internal import OverlineSystem

/// The inputs of a decision besides the kernel's routes.
protocol HostInfo {
  func hardware(of interface: String) -> InterfaceHardware
  func currentNameservers() -> [AnyIPAddress]
}

/// Answers the decision's questions: routes from the kernel, the rest from this machine.
struct KernelOracle: PathOracle {
  let queries: QuerySocket
  let host: any HostInfo

  func route(_ probe: RouteProbe) -> RouteAnswer { queries.route(probe) }

  func routes(by interface: Int) -> [RouteMatch] { queries.routes(by: interface) }

  func marks() -> [UInt32] { queries.marks() }

  func hardware(of interface: String) -> InterfaceHardware {
    let hardware = host.hardware(of: interface)
    queries.recorder?.note(.hardware(interface, hardware))
    return hardware
  }

  func nameservers() -> [AnyIPAddress] {
    let nameservers = host.currentNameservers()
    queries.recorder?.note(.nameservers(nameservers))
    return nameservers
  }
}

/// This machine: hardware from sysfs, nameservers from resolv.conf.
struct SystemHostInfo: HostInfo {
  /// Watches the files; nil reads them each time.
  let resolver: ResolverWatch?
  let files: ResolverFiles

  func hardware(of interface: String) -> InterfaceHardware {
    // The kernel allows no slash in a name. This check keeps a name from leaving the folder all the same.
    guard !interface.isEmpty, !interface.contains("/"), interface != ".." else { return InterfaceHardware() }
    let folder = "/sys/class/net/\(interface)"
    let uevent = (try? Files.read("\(folder)/uevent")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let type = uevent.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }
    return InterfaceHardware(
      hasDevice: Files.exists("\(folder)/device"), hasWirelessPhy: Files.exists("\(folder)/phy80211"),
      deviceType: type.map { String($0.dropFirst(8)) })
  }

  func currentNameservers() -> [AnyIPAddress] { resolver?.nameservers() ?? files.nameservers() }
}
