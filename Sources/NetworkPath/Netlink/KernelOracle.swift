internal import OverlineSystem

/// The inputs of a decision besides the kernel's routes.
package protocol HostInfo {
  func hardware(of interface: String) -> InterfaceHardware
  func currentNameservers() -> [Nameserver]
  func refusesConnections(_ family: AddressFamily) -> Bool
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

  func nameservers() -> [Nameserver] {
    let nameservers = host.currentNameservers()
    queries.recorder?.note(.nameservers(nameservers))
    return nameservers
  }

  func refusesConnections(_ family: AddressFamily) -> Bool {
    guard host.refusesConnections(family) else { return false }
    queries.recorder?.note(.refusal(family))
    return true
  }
}

/// This machine: hardware from sysfs, nameservers from resolv.conf, refusals from connect(2).
struct SystemHostInfo: HostInfo {
  /// Watches the files; nil reads them each time.
  let resolver: ResolverWatch?
  let files: ResolverFiles
  let connection: TentativeConnection
  /// Nil where the kernel does not list its sockets.
  let diagnostics: () -> SocketDiagnostics?

  /// The server that the resolver asks if resolv.conf(5) is missing or names none.
  private static let local = Nameserver(AnyIPAddress(family: .ipv4, value: 0x7f00_0001))

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

  func currentNameservers() -> [Nameserver] {
    let listed = resolver?.nameservers() ?? files.nameservers()
    if !listed.isEmpty { return listed }
    let isThere = try? diagnostics()?.hasReceiver(at: Self.local.address, port: 53)
    return isThere == true ? [Self.local] : []
  }

  func refusesConnections(_ family: AddressFamily) -> Bool { connection.isRefused(family) }
}
