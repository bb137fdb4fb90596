/// A question to the kernel: which route would it take? Nothing is sent on the wire.
package struct RouteProbe: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// The matching route of the table, with all its legs (`RTM_F_FIB_MATCH`).
    case match
    /// The result for a packet: one leg, and the source address that the kernel would choose.
    case resolve
  }

  package var destination: AnyIPAddress
  package var kind: Kind
  /// `RTA_OIF`: only by this interface; nil for any.
  package var outputInterface: Int?
  /// `RTA_MARK`: as a packet with this firewall mark; 0 for none. A VPN marks its own packets, and rules identify them by the mark.
  package var mark: UInt32
  /// `RTA_SRC`: as a packet from this address; nil for any.
  package var source: AnyIPAddress?
  /// `RTA_IP_PROTO`: as a packet of TCP. Without it the kernel looks up IPv4 as UDP (`inet_rtm_getroute`).
  package var isTCP: Bool

  package init(
    destination: AnyIPAddress, kind: Kind = .match, outputInterface: Int? = nil, mark: UInt32 = 0,
    source: AnyIPAddress? = nil, isTCP: Bool = false
  ) {
    self.source = source
    self.isTCP = isTCP
    self.destination = destination
    self.kind = kind
    self.outputInterface = outputInterface
    self.mark = mark
  }

  /// Addresses on either side of a VPN's split of the internet into two halves (0/1 and 128/1; 2000::/4 and 3000::/4).
  /// Nothing is ever sent to them.
  package static func destinations(_ family: AddressFamily) -> [AnyIPAddress] {
    switch family {
    case .ipv4: [AnyIPAddress(family: .ipv4, value: 0x4000_0001), AnyIPAddress(family: .ipv4, value: 0xd000_0001)]
    case .ipv6:
      [AnyIPAddress(family: .ipv6, value: 0x2600 << 112 | 1), AnyIPAddress(family: .ipv6, value: 0x3000 << 112 | 1)]
    }
  }
}

/// The kernel's answer to a ``RouteProbe``.
package enum RouteAnswer: Equatable, Sendable {
  case route(RouteMatch)
  case refused(RouteRefusal)
}

/// The errno of a look-up that found no route.
package enum RouteRefusal: Equatable, Sendable {
  /// `ENETUNREACH`: no route, a `throw` route, or a rule of type unreachable.
  case networkUnreachable
  /// `EHOSTUNREACH`: a route of type `unreachable`.
  case hostUnreachable
  /// `EINVAL` without an extended-ack text: a route of type `blackhole`.
  case blackhole
  /// `EACCES`: a route of type `prohibit`.
  case prohibited
  /// Any other errno: the question itself failed.
  case failed(errno: Int32)
}

/// A route that the kernel would take.
package struct RouteMatch: Equatable, Sendable {
  /// One way out; a multipath route has several.
  package struct Leg: Equatable, Sendable {
    package var interface: Int
    package var gateway: AnyIPAddress?
    /// `RTNH_F_…`.
    package var flags: UInt32

    package init(interface: Int, gateway: AnyIPAddress? = nil, flags: UInt32 = 0) {
      self.interface = interface
      self.gateway = gateway
      self.flags = flags
    }

    /// `RTNH_F_DEAD`.
    package var isDead: Bool { flags & 1 != 0 }
    /// `RTNH_F_LINKDOWN`.
    package var isLinkDown: Bool { flags & 16 != 0 }
  }

  /// The destination of the matching route.
  package var prefix: IPPrefix
  package var legs: [Leg]
  /// `RTA_PREFSRC`.
  package var preferredSource: AnyIPAddress?
  /// `RTA_TABLE`: the routing table that the route is in.
  package var table: UInt32
  /// `rta_expires`: the remaining lifetime of the route, as a router advertised it; nil for ever. At its end the kernel stops using the
  /// route, and announces that up to 30 s later.
  package var lifetime: Duration?

  package init(
    prefix: IPPrefix, legs: [Leg], preferredSource: AnyIPAddress? = nil, table: UInt32 = Self.mainTable,
    lifetime: Duration? = nil
  ) {
    self.prefix = prefix
    self.legs = legs
    self.preferredSource = preferredSource
    self.table = table
    self.lifetime = lifetime
  }

  /// `RT_TABLE_MAIN`: the default table of routes and rules.
  package static let mainTable: UInt32 = 254
}

/// Answers the decision's questions: the kernel, or in tests a function.
package protocol PathOracle {
  func route(_ probe: RouteProbe) -> RouteAnswer
  /// The unicast routes by one interface, of all tables, except those that the kernel adds for the interface's own addresses. The kernel
  /// walks its whole table for this: ask only when no look-up has an answer.
  func routes(by interface: Int) -> [RouteMatch]
  /// The firewall marks in the routing rules (`FRA_FWMARK`), each once.
  func marks() -> [UInt32]
  func hardware(of interface: String) -> InterfaceHardware
  /// The resolver's nameservers, in order.
  func nameservers() -> [Nameserver]
  /// Whether this machine refuses TCP connections to the internet although a route leads there. Nothing is sent.
  func refusesConnections(_ family: AddressFamily) -> Bool
}

extension PathOracle {
  package func refusesConnections(_ family: AddressFamily) -> Bool { false }
}
