internal import PathModel
internal import POSIX

/// Answers the decision's questions from the running system: routes from the kernel, hardware from sysfs, nameservers from
/// resolv.conf.
struct KernelOracle: PathOracle {
  let sockets: NetlinkSockets
  /// Path of the resolv.conf(5).
  let resolverConfiguration: String

  func route(_ probe: RouteProbe) -> RouteAnswer { sockets.queries.route(probe) }

  func marks() -> [UInt32] { sockets.queries.marks() }

  func hardware(of interface: String) -> InterfaceHardware {
    // The kernel allows no slash in a name; this keeps a strange one from leaving the folder.
    guard !interface.isEmpty, !interface.contains("/"), interface != ".." else { return InterfaceHardware() }
    let folder = "/sys/class/net/\(interface)"
    let uevent = (try? Files.read("\(folder)/uevent")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let type = uevent.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }
    return InterfaceHardware(
      hasDevice: Files.exists("\(folder)/device"), hasWirelessPhy: Files.exists("\(folder)/phy80211"),
      deviceType: type.map { String($0.dropFirst(8)) })
  }

  func nameservers() -> [IPAddress] {
    let listed = nameservers(in: resolverConfiguration)
    // systemd-resolved's stub asks the servers of this file (systemd-resolved(8)).
    guard listed == [IPAddress("127.0.0.53")] else { return listed }
    let upstream = nameservers(in: "/run/systemd/resolve/resolv.conf")
    return upstream.isEmpty ? listed : upstream
  }

  private func nameservers(in path: String) -> [IPAddress] {
    guard let bytes = try? Files.read(path) else { return [] }
    return ResolverConfiguration.nameservers(in: String(decoding: bytes, as: UTF8.self))
  }
}
