internal import COverline
package import OverlineSystem

/// A network namespace kept alive by a descriptor (network_namespaces(7)).
package struct NetworkNamespaceHandle: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// A new, empty namespace. Needs root, or a new user namespace (`unshare -r`).
  package init() throws(SystemError) {
    let own = try Self.current()
    try checkedNegative("make a network namespace") { csystem_unshare_network() }
    do {
      descriptor = try Self.current()
    } catch {
      csystem_set_network_namespace(own.rawValue)
      throw error
    }
    csystem_set_network_namespace(own.rawValue)
  }

  /// The namespace's path for other programs, as long as this process lives: `ip link set eth0 netns PATH`.
  package var path: String { "/proc/\(getpid())/fd/\(descriptor.rawValue)" }

  /// Runs `body` with the calling thread in the namespace. Sockets and programs that `body` opens or starts belong to the namespace.
  package func inside<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    let own = try Self.current()
    try checkedNegative("enter a network namespace") { csystem_set_network_namespace(descriptor.rawValue) }
    defer { csystem_set_network_namespace(own.rawValue) }
    return try body()
  }

  /// The calling thread's namespace.
  private static func current() throws(SystemError) -> FileDescriptor {
    let path = "/proc/thread-self/ns/net"
    return FileDescriptor(owning: Int32(try checked("open \(path)") { Int(unsafe open(path, O_RDONLY | O_CLOEXEC)) }))
  }
}
