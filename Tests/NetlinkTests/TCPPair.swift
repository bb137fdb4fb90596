import Glibc
import NetworkPath
import OverlineSystem
import OverlineTestSupport

/// Two namespaces on one cable, `client` with 192.0.2.2 and `server` with 192.0.2.1.
final class TCPPair {
  static let canRun = Files.exists("/usr/sbin/nft")

  let client: NetworkNamespace
  let server: NetworkNamespace
  private let listener: FileDescriptor
  private var connections: [(near: SharedDescriptor, far: SharedDescriptor)] = []

  init() throws {
    client = try NetworkNamespace()
    server = try NetworkNamespace()
    try client.ip("link add eth0 type veth peer name eth1")
    try client.move("eth1", to: server)
    try client.ip("link set eth0 up", "addr add 192.0.2.2/24 dev eth0", "-6 addr add 2001:db8::2/64 dev eth0 nodad")
    try server.ip("link set eth1 up", "addr add 192.0.2.1/24 dev eth1", "-6 addr add 2001:db8::1/64 dev eth1 nodad")
    listener = try server.inside { try FileDescriptor(owning: Self.open(AF_INET6)) }
    var address = Self.any
    try Self.check(
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }, "bind")
    try Self.check(listen(listener.rawValue, 1000), "listen")
  }

  /// Connects the client to the server, and returns the client's descriptor.
  func connect(to text: String) throws -> Int32 {
    let near = try client.inside { try FileDescriptor(owning: Self.open(AF_INET6)) }
    var address = Self.any
    try Self.check(inet_pton(AF_INET6, text, &address.sin6_addr) - 1, "parse \(text)")
    try Self.check(
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(near.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }, "connect")
    let far = FileDescriptor(owning: accept(listener.rawValue, nil, nil))
    let raw = near.rawValue
    connections.append((SharedDescriptor(near), SharedDescriptor(far)))
    return raw
  }

  /// Closes all connections, the server's side first.
  ///
  /// A program that another test starts at this moment holds a copy of each descriptor for a while, and `close` then closes nothing.
  /// `shutdown` ends the connection even then.
  func closeAll() {
    for connection in connections { shutdown(connection.far.descriptor.rawValue, Int32(SHUT_RDWR)) }
    for connection in connections { shutdown(connection.near.descriptor.rawValue, Int32(SHUT_RDWR)) }
    connections = []
  }

  /// The server drops what it gets, as a router does that has lost its uplink: nothing comes back, not even an error.
  func silence() throws {
    try nft("table inet test { chain c { type filter hook input priority 0; meta l4proto tcp drop; }; }")
  }
  func wake() throws { try nft("delete table inet test") }

  private func nft(_ rules: String) throws {
    let result = try server.inside { try Subprocess.run("/usr/sbin/nft", [rules], timeout: .seconds(60)) }
    if result.status != 0 { throw TestKitError("nft: \(result.errorText)") }
  }

  static func inode(of descriptor: Int32) throws -> UInt32 {
    let target = Files.linkTarget("/proc/self/fd/\(descriptor)") ?? ""
    guard let inode = UInt32(target.dropFirst("socket:[".count).dropLast()) else { throw TestKitError(target) }
    return inode
  }

  private static var any: sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = UInt16(7000).bigEndian
    return address
  }

  private static func open(_ family: Int32) throws -> Int32 {
    let raw = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try check(raw, "make a socket")
    return raw
  }

  private static func check(_ result: Int32, _ what: String) throws {
    if result < 0 { throw TestKitError("\(what): \(String(cString: strerror(errno)))") }
  }
}
