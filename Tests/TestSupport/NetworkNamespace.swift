internal import OverlineSystem

/// A test's own network namespace, configured with `ip`. No packet sent in it leaves it.
package final class NetworkNamespace: Sendable {
  private let handle: NetworkNamespaceHandle

  /// - Throws: the kernel's error. A machine that allows no namespaces cannot run such a test, and the test fails.
  package init() throws {
    do {
      handle = try NetworkNamespaceHandle()
    } catch {
      throw TestKitError("\(error). Run the tests as root, or under `unshare --map-root-user --net`.")
    }
    try ip("link set lo up")
  }

  /// Runs `body` with the calling thread in the namespace.
  package func inside<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    try handle.inside(body)
  }

  /// Runs lines of `ip`, each without the word `ip`, in one process where possible.
  package func ip(_ lines: String...) throws {
    var rest = lines[...]
    while let line = rest.first {
      // The address family applies to the whole process.
      let family = line.hasPrefix("-") ? String(line.prefix(2)) : nil
      let together = family == nil ? rest.prefix { !$0.hasPrefix("-") } : rest.prefix(1)
      rest = rest.dropFirst(together.count)
      let input = together.map { family == nil ? $0 : String($0.dropFirst(3)) }.joined(separator: "\n") + "\n"
      let result = try inside {
        try Subprocess.run(
          "ip", (family.map { [$0] } ?? []) + ["-batch", "-"], input: Array(input.utf8), timeout: .seconds(60))
      }
      if result.status != 0 { throw TestKitError("ip: \(result.errorText) in: \(input)") }
    }
  }

  /// Moves a link of this namespace into another one: the far end of a cable.
  package func move(_ link: String, to other: NetworkNamespace) throws {
    try ip("link set \(link) netns \(other.handle.path)")
  }

  /// Writes a sysctl, named with slashes: `net/ipv4/conf/all/ignore_routes_with_linkdown`.
  package func sysctl(_ name: String, _ value: String) throws {
    try inside {
      // /proc/sys/net shows the namespace of the thread that opens it.
      let result = try Subprocess.run("sh", ["-c", "echo \"$1\" >/proc/sys/\"$2\"", "sh", value, name])
      if result.status != 0 { throw TestKitError("sysctl \(name): \(result.errorText)") }
    }
  }

  /// Adds a veth pair `name` and `name + "p"`, both up, the first with an address and, if given, a default route by it.
  ///
  /// - Parameter isAsked: whether the kernel asks for the gateway's hardware address. By default no router is there, and none is missed.
  package func addUplink(
    _ name: String, address: String = "192.0.2.2/24", gateway: String? = "192.0.2.1", metric: Int? = nil,
    isAsked: Bool = false
  ) throws {
    let metric = metric.map { " metric \($0)" } ?? ""
    try ip(
      "link add \(name) type veth peer name \(name)p", "link set \(name) arp \(isAsked ? "on" : "off")",
      "link set \(name)p up", "link set \(name) up", "addr add \(address) dev \(name) nodad")
    if let gateway {
      let family = gateway.contains(":") ? "-6 " : ""
      try ip("\(family)route add default via \(gateway) dev \(name)\(metric)")
    }
  }
}

/// A failure in a test's environment.
package struct TestKitError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
