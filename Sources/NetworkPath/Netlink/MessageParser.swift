internal import COverlineNetlink

/// Parses kernel messages. A malformed or unknown message gives no value and does not stop the reader.
///
/// libnl-route-3 parses addresses. This parser reads the following messages, because libnl's objects lose values that the decision needs:
///
/// - Links: no getter distinguishes an absent attribute from 0 (operational state, master, lower link), and libnl 3.7 does not read the
///   kind of a tun device.
/// - Routes: libnl has no getter for the remaining lifetime (`rta_expires`) and the id of a nexthop object (`RTA_NH_ID`).
/// - Nexthop objects and `RTM_NEWNETCONF`: libnl 3.7 does not parse them.
/// - Rules: the decision needs only the mark, and libnl would make an object for each of possibly thousands of rules.
package enum MessageParser {
  /// Walks the messages of one datagram.
  static func forEach(
    in datagram: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<nlmsghdr>) -> Void
  ) {
    guard let start = datagram.baseAddress else { return }
    var remaining = Int32(datagram.count)
    var message = unsafe UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: nlmsghdr.self)
    while unsafe nlmsg_ok(message, remaining) != 0 {
      unsafe body(message)
      unsafe message = nlmsg_next(message, &remaining)
    }
  }

  /// The event of one message, or nil when the message does not concern a path.
  static func event(_ message: UnsafeMutablePointer<nlmsghdr>) -> KernelEvent? {
    switch unsafe Int(message.pointee.nlmsg_type) {
    case RTM_NEWLINK: unsafe linkChange(message).map(KernelEvent.linkChanged)
    case RTM_DELLINK: unsafe linkRemoval(message)
    case RTM_NEWADDR: unsafe address(message).map(KernelEvent.addressChanged)
    case RTM_DELADDR: unsafe address(message).map { .addressRemoved($0.key) }
    case RTM_NEWROUTE, RTM_DELROUTE, RTM_NEWRULE, RTM_DELRULE, RTM_NEWNEXTHOP, RTM_DELNEXTHOP, RTM_NEWNETCONF,
      RTM_DELNETCONF:
      .routingChanged
    default: nil
    }
  }

  // MARK: Links

  private static func linkHeader(_ message: UnsafeMutablePointer<nlmsghdr>) -> ifinfomsg? {
    unsafe header(message, as: ifinfomsg.self)
  }

  private static func linkChange(_ message: UnsafeMutablePointer<nlmsghdr>) -> LinkChange? {
    // Messages of family AF_BRIDGE announce a bridge's ports, those of AF_INET6 the settings of IPv6. Neither reports the link's own state.
    guard let header = unsafe linkHeader(message), header.ifi_family == 0, header.ifi_index > 0 else { return nil }
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<ifinfomsg>.size)
    let state = attributes.u8(IFLA_OPERSTATE)
    // A whole message contains an operstate. If a whole message names no master or lower link, the link has none.
    let isWhole = state != nil
    return LinkChange(
      index: Int(header.ifi_index), flags: header.ifi_flags, hardwareType: header.ifi_type,
      name: attributes.string(IFLA_IFNAME), operationalState: state.map { OperationalState(rawValue: $0) ?? .unknown },
      kind: attributes.nested(IFLA_LINKINFO).flatMap(kind),
      lowerIndex: (attributes.u32(IFLA_LINK) ?? attributes.nested(IFLA_LINKINFO).flatMap(vxlanLink)).map { Int($0) }
        ?? (isWhole ? 0 : nil),
      masterIndex: attributes.u32(IFLA_MASTER).map { Int($0) } ?? (isWhole ? 0 : nil),
      isLowerElsewhere: attributes.u32(IFLA_LINK_NETNSID) != nil ? true : (isWhole ? false : nil),
      hasParentDevice: attributes.string(parentDeviceName) != nil ? true : (isWhole ? false : nil))
  }

  /// `IFLA_PARENT_DEV_NAME`, which older headers lack.
  package static let parentDeviceName = 56

  /// The packets of a message's link: the first two numbers of `struct rtnl_link_stats64`.
  static func packets(_ message: UnsafeMutablePointer<nlmsghdr>) -> PacketCount? {
    guard unsafe linkHeader(message) != nil else { return nil }
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<ifinfomsg>.size)
    guard let received = attributes.u64(IFLA_STATS64), let sent = attributes.u64(IFLA_STATS64, at: 8) else {
      return nil
    }
    return PacketCount(received: received, sent: sent)
  }

  private static func kind(_ info: Attributes) -> String? {
    guard let kind = info.string(Int(IFLA_INFO_KIND)) else { return nil }
    let isTap = kind == "tun" && info.nested(Int(IFLA_INFO_DATA))?.u8(Int(IFLA_TUN_TYPE)) == UInt8(IFF_TAP)
    return isTap ? "tap" : kind
  }

  /// The interface by which a vxlan's packets leave. `IFLA_LINK` does not contain it.
  private static func vxlanLink(_ info: Attributes) -> UInt32? {
    guard info.string(Int(IFLA_INFO_KIND)) == "vxlan" else { return nil }
    return info.nested(Int(IFLA_INFO_DATA))?.u32(Int(IFLA_VXLAN_LINK))
  }

  private static func linkRemoval(_ message: UnsafeMutablePointer<nlmsghdr>) -> KernelEvent? {
    // A port that leaves its bridge is announced as a removed link of family AF_BRIDGE: the link itself stays.
    guard let header = unsafe linkHeader(message), header.ifi_family == 0 else { return nil }
    return .linkRemoved(index: Int(header.ifi_index))
  }

  // MARK: Addresses

  private static func address(_ message: UnsafeMutablePointer<nlmsghdr>) -> InterfaceAddress? {
    // libnl parses only messages in its own memory.
    guard let copy = unsafe nlmsg_convert(message) else { return nil }
    defer { unsafe nlmsg_free(copy) }
    unsafe nlmsg_set_proto(copy, NETLINK_ROUTE)
    var address: InterfaceAddress?
    _ = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe nl_msg_parse(
        copy,
        { object, result in
          unsafe result!.assumingMemoryBound(to: InterfaceAddress?.self).pointee = InterfaceAddress(object!)
        }, $0)
    }
    return address
  }

  // MARK: Errors

  /// The errno of an error message, positive; 0 for an acknowledgement, nil for another message.
  static func error(_ message: UnsafeMutablePointer<nlmsghdr>) -> (code: Int32, hasText: Bool)? {
    guard unsafe Int32(message.pointee.nlmsg_type) == NLMSG_ERROR,
      let header = unsafe header(message, as: nlmsgerr.self)
    else { return nil }
    // Wrapping subtraction, because the lowest Int32 has no negation.
    return (0 &- header.error, unsafe message.pointee.nlmsg_flags & UInt16(NLM_F_ACK_TLVS) != 0)
  }

  /// The errno with which the kernel ended a dump, positive; 0 for a complete dump, nil when the message holds none.
  static func doneCode(_ message: UnsafeMutablePointer<nlmsghdr>) -> Int32? {
    unsafe header(message, as: Int32.self).map { 0 &- $0 }
  }

  static func header<Header>(_ message: UnsafeMutablePointer<nlmsghdr>, as: Header.Type) -> Header? {
    guard unsafe nlmsg_datalen(message) >= MemoryLayout<Header>.size else { return nil }
    return unsafe nlmsg_data(message).loadUnaligned(as: Header.self)
  }
}

extension InterfaceAddress {
  /// From a `struct rtnl_addr`. On a point-to-point link it also contains the peer's address.
  fileprivate init?(_ object: OpaquePointer) {
    guard let address = unsafe AnyIPAddress(rtnl_addr_get_local(object)),
      unsafe Int32(address.family.rawValue) == rtnl_addr_get_family(object)
    else { return nil }
    let key = unsafe Key(
      index: Int(rtnl_addr_get_ifindex(object)), address: address, prefixLength: Int(rtnl_addr_get_prefixlen(object)),
      peer: AnyIPAddress(rtnl_addr_get_peer(object)))
    unsafe self.init(
      key: key, flags: rtnl_addr_get_flags(object), scope: UInt8(truncatingIfNeeded: rtnl_addr_get_scope(object)))
  }
}

extension AnyIPAddress {
  /// From a `struct nl_addr`; nil without an address, and for a length other than 4 or 16 bytes.
  fileprivate init?(_ address: OpaquePointer?) {
    guard let address = unsafe address else { return nil }
    unsafe self.init(
      networkOrder: UnsafeRawBufferPointer(
        start: nl_addr_get_binary_addr(address), count: Int(nl_addr_get_len(address))))
  }
}
