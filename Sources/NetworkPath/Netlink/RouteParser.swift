internal import COverlineNetlink

/// A route in the kernel's answer to a look-up or a dump.
struct FoundRoute {
  var match: RouteMatch
  /// The id of a nexthop object that contains the legs (`net.ipv4.nexthop_compat_mode=0`).
  var nexthop: UInt32?
  /// `RTPROT_KERNEL`: the kernel added it for an address of the interface.
  var isOfAnAddress: Bool
}

/// A nexthop object: one leg, or a group of others.
enum Nexthop {
  case leg(RouteMatch.Leg)
  case group([UInt32])
}

extension MessageParser {
  /// Parses `RTM_NEWROUTE`, the answer to a look-up or a dump.
  static func route(_ message: UnsafeMutablePointer<nlmsghdr>) -> FoundRoute? {
    guard unsafe Int(message.pointee.nlmsg_type) == RTM_NEWROUTE, let header = unsafe header(message, as: rtmsg.self),
      let family = AddressFamily(rawValue: header.rtm_family), header.rtm_dst_len <= family.width
    else { return nil }
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<rtmsg>.size)
    let destination = attributes.address(Int(RTA_DST.rawValue)) ?? AnyIPAddress(family: family, value: 0)
    var match = RouteMatch(
      prefix: IPPrefix(address: destination, length: Int(header.rtm_dst_len)), legs: [],
      preferredSource: attributes.address(Int(RTA_PREFSRC.rawValue)),
      table: attributes.u32(Int(RTA_TABLE.rawValue)) ?? UInt32(header.rtm_table),
      lifetime: unsafe attributes.withBytes(Int(RTA_CACHEINFO.rawValue)) { unsafe lifetime($0) })
    var nexthop: UInt32?
    if let legs = unsafe attributes.withBytes(Int(RTA_MULTIPATH.rawValue), { unsafe self.legs($0) }) {
      match.legs = legs
    } else if let id = attributes.u32(Int(RTA_NH_ID.rawValue)), attributes.u32(Int(RTA_OIF.rawValue)) == nil {
      nexthop = id
    } else if let interface = attributes.u32(Int(RTA_OIF.rawValue)) {
      match.legs = [
        RouteMatch.Leg(interface: Int(interface), gateway: gateway(attributes), flags: header.rtm_flags)
      ]
    }
    return FoundRoute(match: match, nexthop: nexthop, isOfAnAddress: header.rtm_protocol == UInt8(RTPROT_KERNEL))
  }

  /// A route's remaining lifetime (`rta_expires`, in hundredths of a second); nil for an unlimited and for an expired route.
  private static func lifetime(_ bytes: UnsafeRawBufferPointer) -> Duration? {
    guard bytes.count >= MemoryLayout<rta_cacheinfo>.size else { return nil }
    let left = unsafe bytes.loadUnaligned(as: rta_cacheinfo.self).rta_expires
    return left > 0 ? .milliseconds(10 * Int64(left)) : nil
  }

  /// The legs of a multipath route: each is a `struct rtnexthop` with its own attributes (rtnetlink(7)).
  private static func legs(_ bytes: UnsafeRawBufferPointer) -> [RouteMatch.Leg] {
    let headerSize = MemoryLayout<rtnexthop>.size
    var legs: [RouteMatch.Leg] = []
    var offset = 0
    while bytes.count - offset >= headerSize {
      let header = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: rtnexthop.self)
      let length = Int(header.rtnh_len)
      guard length >= headerSize, length <= bytes.count - offset else { break }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset + headerSize..<offset + length])
      let attributes = unsafe Attributes(in: rest)
      legs.append(
        RouteMatch.Leg(
          interface: Int(header.rtnh_ifindex), gateway: gateway(attributes), flags: UInt32(header.rtnh_flags)))
      offset += (length + 3) & ~3
    }
    return legs
  }

  /// `RTA_GATEWAY`, or an IPv6 router of an IPv4 route in `RTA_VIA` (a family in 2 bytes, then the address).
  private static func gateway(_ attributes: Attributes) -> AnyIPAddress? {
    if let gateway = attributes.address(Int(RTA_GATEWAY.rawValue)) { return gateway }
    return unsafe attributes.withBytes(Int(RTA_VIA.rawValue)) { bytes in
      bytes.count > 2 ? unsafe AnyIPAddress(networkOrder: UnsafeRawBufferPointer(rebasing: bytes[2...])) : nil
    }
  }

  // MARK: Nexthop objects

  /// The answer to `RTM_GETNEXTHOP` (nexthop.h); also nil for a blackhole, which has no leg.
  static func nexthop(_ message: UnsafeMutablePointer<nlmsghdr>) -> Nexthop? {
    guard unsafe Int(message.pointee.nlmsg_type) == RTM_NEWNEXTHOP, let header = unsafe header(message, as: nhmsg.self)
    else { return nil }
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<nhmsg>.size)
    if let members = unsafe attributes.withBytes(Int(NHA_GROUP), { unsafe members($0) }) { return .group(members) }
    guard let interface = attributes.u32(Int(NHA_OIF)) else { return nil }
    return .leg(
      RouteMatch.Leg(
        interface: Int(interface), gateway: attributes.address(Int(NHA_GATEWAY)), flags: header.nh_flags))
  }

  /// `struct nexthop_grp`: 8 bytes, the id first.
  private static func members(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
    let size = MemoryLayout<nexthop_grp>.stride
    return stride(from: 0, through: bytes.count - size, by: size).map {
      unsafe bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
    }
  }

  // MARK: Rules

  /// The firewall mark of a routing rule; nil for a rule without one.
  static func mark(_ message: UnsafeMutablePointer<nlmsghdr>) -> UInt32? {
    guard unsafe Int(message.pointee.nlmsg_type) == RTM_NEWRULE else { return nil }
    let mark = unsafe Attributes(message, headerSize: MemoryLayout<fib_rule_hdr>.size).u32(Int(FRA_FWMARK))
    return mark == 0 ? nil : mark
  }

  /// The routers in the kernel's routes, nexthop objects and neighbour entries.
  package static func routers(in datagram: [UInt8]) -> [AnyIPAddress] {
    var routers: [AnyIPAddress] = []
    unsafe datagram.withUnsafeBytes { bytes in
      unsafe forEach(in: bytes) { message in
        if let route = unsafe route(message) { routers += route.match.legs.compactMap(\.gateway) }
        if case .leg(let leg) = unsafe nexthop(message) { routers += [leg.gateway].compactMap(\.self) }
        if let neighbour = unsafe neighbour(message) { routers.append(neighbour.gateway.address) }
      }
    }
    return routers
  }
}
