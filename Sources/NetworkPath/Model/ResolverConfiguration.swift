/// The nameservers of a resolv.conf(5).
package enum ResolverConfiguration {
  /// Lines other than `nameserver ADDRESS` are ignored, as the resolver does.
  package static func nameservers(in text: String) -> [Nameserver] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 2, words[0] == "nameserver" else { return nil }
      return Nameserver(words[1])
    }
  }
}

/// A nameserver of a resolv.conf(5): `192.0.2.53`, `fe80::1%eth0`.
package struct Nameserver: Hashable, Sendable, CustomStringConvertible {
  package var address: AnyIPAddress
  /// The link of a link-local IPv6 address, as a name or a number. The resolver cannot ask such a server without it.
  package var scope: String?

  package init(_ address: AnyIPAddress, scope: String? = nil) {
    self.address = address
    self.scope = scope
  }

  /// The resolver ignores a scope that the address does not need.
  package init?(_ text: some StringProtocol) {
    guard let address = AnyIPAddress(text) else { return nil }
    self.address = address
    let scope = text.drop { $0 != "%" }.dropFirst()
    if address.needsScope, !scope.isEmpty { self.scope = String(scope) }
  }

  package var description: String { address.description + (scope.map { "%\($0)" } ?? "") }
}

extension [Nameserver] {
  /// The resolver asks no more than three (`MAXNS` of resolv.h).
  private static var maximumCount: Int { 3 }

  /// The networks whose routes decide whether the nameservers can be reached.
  package var networks: [IPPrefix] {
    prefix(Self.maximumCount).map(\.address).filter { !$0.isLoopback && !$0.needsScope }.map {
      IPPrefix(address: $0, length: $0.family.width)
    }
  }
}

extension AnyIPAddress {
  /// True for link-local IPv6: the kernel refuses such a destination without a link (`EINVAL`).
  package var needsScope: Bool { family == .ipv6 && isLinkLocal }
}
