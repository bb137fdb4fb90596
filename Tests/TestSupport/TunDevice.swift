internal import COverline
internal import OverlineSystem

/// A tun or tap device in a test's namespace, held open here like a running VPN client. Releasing this object removes it.
package final class TunDevice: Sendable {
  private let end: FileDescriptor

  /// Whether this process may create a device. Without udev, only root may open `/dev/net/tun` (mode 0600), and root of a user namespace,
  /// as in `make test`, is another user.
  package static let canBeMade = unsafe access("/dev/net/tun", R_OK | W_OK) == 0

  package init(_ name: String, isTap: Bool = false, in namespace: NetworkNamespace) throws {
    let descriptor = try namespace.inside { unsafe csystem_open_tun(name, isTap ? 1 : 0) }
    guard descriptor >= 0 else { throw TestKitError("a tun device cannot be made here: errno \(-descriptor)") }
    end = FileDescriptor(owning: descriptor)
  }

  /// For a relay, which reads and writes packets without waiting.
  var rawValue: Int32 { end.rawValue }

  func setNonBlocking() throws { try end.setNonBlocking() }

  /// Takes the next packet that the kernel sends by the device, as a VPN client does; waits for one. Only then does the kernel count it.
  package func take() throws { _ = try end.read() }

  /// Delivers an IPv4 packet to the kernel, as a VPN client does with a packet from its server.
  package func deliver() throws {
    let header: [UInt8] = [0x45, 0, 0, 28, 0, 0, 0x40, 0, 64, 17, 0, 0, 10, 8, 0, 1, 10, 8, 0, 2]
    try end.writeAll(header + [0, 9, 0, 9, 0, 8, 0, 0])
  }
}
