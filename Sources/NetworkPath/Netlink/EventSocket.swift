internal import COverlineNetlink
internal import OverlineSystem

/// The socket that receives the kernel's announcements.
struct EventSocket: ~Copyable {
  var socket: NetlinkChannel
  /// The networks whose routes pass the filter.
  private var passing: [IPPrefix] = []

  private static let groups = [
    RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,
    RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE, RTNLGRP_NEXTHOP,
    // Only these groups announce the sysctls that make the kernel skip routes without carrier.
    RTNLGRP_IPV4_NETCONF, RTNLGRP_IPV6_NETCONF,
  ]

  init(receiveBuffer: Int32) throws(NetlinkError) {
    let socket = try NetlinkSocket()
    socket.reserve(receiveBuffer: receiveBuffer)
    // The filter comes before the first membership, so that it sees every message.
    try SocketFilter().attach(to: socket.descriptor)
    for group in Self.groups { try socket.join(Int(group.rawValue)) }
    self.socket = NetlinkChannel(socket)
  }

  init(_ channel: consuming NetlinkChannel) { socket = channel }

  var descriptor: Int32 { socket.descriptor }

  /// From now on the filter also passes routes that cover one of these networks. The caller must look again afterwards: earlier ones were
  /// dropped.
  mutating func pass(_ networks: [IPPrefix]) throws(NetlinkError) {
    if networks == passing { return }
    try SocketFilter(targets: networks).attach(to: descriptor)
    passing = networks
  }

  /// About six times the datagrams that the largest buffer holds. A reader that has read so many does not catch up.
  private static let maximumDatagramsPerRead = 1 << 16

  /// Reads and discards all waiting messages. The kernel reports dropped messages once. It reports more only after a read that finds no
  /// message.
  ///
  /// Throws `ENOBUFS` when messages come faster than they can be read.
  func drain() throws(NetlinkError) {
    for _ in 0..<Self.maximumDatagramsPerRead {
      if case .nothing = try socket.discard() { return }
    }
    let error = NetlinkError(code: ENOBUFS, attempt: "catch up with the kernel")
    socket.recorder?.note(.failed(errno: error.code))
    throw error
  }

  /// The events that have arrived, from at most `limit` datagrams, and whether messages were lost.
  func receive(limit: Int) throws(NetlinkError) -> (events: [KernelEvent], lost: Bool) {
    var events: [KernelEvent] = []
    var lost = false
    for _ in 0..<limit {
      let received = unsafe try socket.receive { message in
        if let event = unsafe MessageParser.event(message) { events.append(event) }
      }
      switch received {
      case .datagram: continue
      case .lost: lost = true
      case .nothing: return (events, lost)
      }
    }
    return (events, lost)
  }
}
