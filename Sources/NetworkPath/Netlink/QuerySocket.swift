internal import COverlineNetlink
internal import OverlineSystem

/// The socket for questions to the kernel, in the network namespace of the thread that opens it. It has no filter: a filter judges a whole
/// datagram by its first message.
///
/// Not thread-safe.
package final class QuerySocket {
  var socket: NetlinkChannel
  /// The error of a question that got no answer.
  private var fault: NetlinkError?

  package init() throws(NetlinkError) {
    let socket = try NetlinkSocket()
    socket.enable(NETLINK_GET_STRICT_CHK)
    socket.enable(NETLINK_EXT_ACK)
    self.socket = NetlinkChannel(socket)
  }

  init(_ channel: consuming NetlinkChannel) { socket = channel }

  var recorder: (any PathRecorder)? {
    get { socket.recorder }
    set { socket.recorder = newValue }
  }

  /// Returns the result of several questions. Throws when one question got no answer, because the result is then incomplete.
  func answered<Result>(_ ask: () -> Result) throws(NetlinkError) -> Result {
    fault = nil
    let result = ask()
    if let fault { throw fault }
    return result
  }

  /// Sends a question and walks its answers until `body` returns true for the last one. Returns true if no answer was lost.
  private func ask(
    _ question: consuming Message, _ body: (UnsafeMutablePointer<nlmsghdr>) -> Bool
  ) throws(NetlinkError) -> Bool {
    var isAnswered = false
    var isWhole = true
    do throws(NetlinkError) {
      let sequence = try socket.send(question)
      while !isAnswered {
        let received = unsafe try socket.receive { message in
          if unsafe message.pointee.nlmsg_seq == sequence, unsafe body(message) { isAnswered = true }
        }
        switch received {
        case .datagram: continue
        case .lost: isWhole = false
        // The kernel answers before the send returns, and makes the next part of a dump while the previous part is read. If no datagram is
        // here now, none will come.
        case .nothing: throw NetlinkError(code: EAGAIN, attempt: "get an answer from the kernel")
        }
      }
      return isWhole
    } catch {
      fault = error
      throw error
    }
  }

  // MARK: Dumps

  /// All links and addresses. `complete` is false when they changed during the dump (`NLM_F_DUMP_INTR`).
  func dump() throws(NetlinkError) -> (events: [KernelEvent], complete: Bool) {
    var link = ifinfomsg()
    link.ifi_family = 0
    let links = try dump(Message(RTM_GETLINK, flags: NLM_F_DUMP, header: link))
    let addresses = try dump(Message(RTM_GETADDR, flags: NLM_F_DUMP, header: ifaddrmsg()))
    return (links.events + addresses.events, links.complete && addresses.complete)
  }

  private func dump(_ request: consuming Message) throws(NetlinkError) -> (events: [KernelEvent], complete: Bool) {
    var events: [KernelEvent] = []
    let complete = unsafe try dump(request) { message in
      if let event = unsafe MessageParser.event(message) { events.append(event) }
    }
    return (events, complete)
  }

  /// Returns whether the tables stayed unchanged during the dump.
  private func dump(
    _ request: consuming Message, _ body: (UnsafeMutablePointer<nlmsghdr>) -> Void
  ) throws(NetlinkError) -> Bool {
    var complete = true
    var failure: Int32?
    let isWhole = unsafe try ask(request) { message in
      let header = unsafe message.pointee
      if header.nlmsg_flags & UInt16(NLM_F_DUMP_INTR) != 0 { complete = false }
      if Int32(header.nlmsg_type) == NLMSG_DONE {
        // The kernel stopped early: the dump is incomplete.
        if let code = unsafe MessageParser.doneCode(message), code != 0 { failure = code }
        return true
      }
      if let error = unsafe MessageParser.error(message), error.code != 0 {
        failure = error.code
        return true
      }
      unsafe body(message)
      return false
    }
    if let failure { throw NetlinkError(code: failure, attempt: "read the kernel's tables") }
    return complete && isWhole
  }

  /// The firewall marks of the rules, each once; empty when the kernel does not answer.
  func marks() -> [UInt32] {
    var marks: [UInt32] = []
    for family in AddressFamily.allCases {
      var header = fib_rule_hdr()
      header.family = family.rawValue
      _ = try? unsafe dump(Message(RTM_GETRULE, flags: NLM_F_DUMP, header: header)) { message in
        if let mark = unsafe MessageParser.mark(message), !marks.contains(mark) { marks.append(mark) }
      }
    }
    return marks
  }

  /// The unicast routes by one interface, of all tables, except those of its addresses; empty when the kernel does not answer. The kernel
  /// does the selection (`NETLINK_GET_STRICT_CHK`).
  func routes(by interface: Int) -> [RouteMatch] {
    var routes: [FoundRoute] = []
    for family in AddressFamily.allCases {
      var header = rtmsg()
      header.rtm_family = family.rawValue
      header.rtm_type = UInt8(RTN_UNICAST)
      guard let request = try? Message(RTM_GETROUTE, flags: NLM_F_DUMP, header: header) else { continue }
      request.put(RTA_OIF.rawValue, UInt32(interface))
      _ = try? unsafe dump(request) { message in
        if let route = unsafe MessageParser.route(message), !route.isOfAnAddress { routes.append(route) }
      }
    }
    return routes.map(match)
  }

  // MARK: Neighbours

  /// The entries of these routers in the neighbour table; a router without an entry is left out. Linux 5.0 or newer answers.
  func neighbours(_ gateways: [Gateway]) -> [Neighbour] {
    gateways.compactMap { gateway in
      var header = ndmsg()
      header.ndm_family = gateway.address.family.rawValue
      header.ndm_ifindex = Int32(gateway.interface)
      guard let request = try? Message(RTM_GETNEIGH, flags: NLM_F_REQUEST, header: header) else { return nil }
      request.put(UInt32(NDA_DST), gateway.address.bytes)
      guard case .value(let neighbour) = unsafe try? reply(to: request, { unsafe MessageParser.neighbour($0) }) else {
        return nil
      }
      return neighbour
    }
  }

  // MARK: Counters

  /// The packets of these links so far; a link without an answer is left out.
  func packets(of links: [Int]) -> [Int: PacketCount] {
    var counts: [Int: PacketCount] = [:]
    for link in links {
      var header = ifinfomsg()
      header.ifi_index = Int32(link)
      guard let request = try? Message(RTM_GETLINK, flags: NLM_F_REQUEST, header: header) else { continue }
      guard case .value(let count) = unsafe try? reply(to: request, { unsafe MessageParser.packets($0) }) else {
        continue
      }
      counts[link] = count
    }
    return counts
  }

  // MARK: Look-ups

  /// The route that the kernel would take.
  func route(_ probe: RouteProbe) -> RouteAnswer {
    var header = rtmsg()
    header.rtm_family = probe.destination.family.rawValue
    header.rtm_dst_len = UInt8(probe.destination.family.width)
    if probe.source != nil { header.rtm_src_len = header.rtm_dst_len }
    header.rtm_flags = flags(probe)
    do {
      let request = try Message(RTM_GETROUTE, flags: NLM_F_REQUEST, header: header)
      request.put(RTA_DST.rawValue, probe.destination.bytes)
      if let interface = probe.outputInterface { request.put(RTA_OIF.rawValue, UInt32(interface)) }
      if let source = probe.source { request.put(RTA_SRC.rawValue, source.bytes) }
      if probe.mark != 0 { request.put(RTA_MARK.rawValue, probe.mark) }
      if probe.isTCP { request.put(RTA_IP_PROTO.rawValue, [UInt8(IPPROTO_TCP)]) }
      switch unsafe try reply(to: request, { unsafe MessageParser.route($0) }) {
      case .value(let found?): return .route(match(found))
      case .error(let code, let hasText): return .refused(RouteRefusal(errno: code, hasText: hasText))
      case .value(nil): return .refused(.failed(errno: EBADMSG))
      }
    } catch {
      return .refused(.failed(errno: error.code))
    }
  }

  /// `RTM_F_FIB_MATCH`; for IPv4 also `RTM_F_LOOKUP_TABLE`, since otherwise the answer always names table main. IPv6 refuses the second
  /// flag.
  private func flags(_ probe: RouteProbe) -> UInt32 {
    switch (probe.kind, probe.destination.family) {
    case (.resolve, _): 0
    case (.match, .ipv4): UInt32(RTM_F_FIB_MATCH) | UInt32(RTM_F_LOOKUP_TABLE)
    case (.match, .ipv6): UInt32(RTM_F_FIB_MATCH)
    }
  }

  private func match(_ found: FoundRoute) -> RouteMatch {
    var match = found.match
    if let nexthop = found.nexthop { match.legs = legs(of: nexthop) }
    return match
  }

  /// The legs of a nexthop object. A group holds no other groups (nexthop.c).
  private func legs(of nexthop: UInt32) -> [RouteMatch.Leg] {
    switch self.nexthop(nexthop) {
    case .leg(let leg): [leg]
    case .group(let members):
      members.compactMap { member in if case .leg(let leg) = self.nexthop(member) { leg } else { nil } }
    case nil: []
    }
  }

  private func nexthop(_ id: UInt32) -> Nexthop? {
    guard let request = try? Message(RTM_GETNEXTHOP, flags: NLM_F_REQUEST, header: nhmsg()) else { return nil }
    request.put(UInt32(NHA_ID), id)
    guard case .value(let nexthop) = unsafe try? reply(to: request, { unsafe MessageParser.nexthop($0) }) else {
      return nil
    }
    return nexthop
  }

  private enum Reply<Value> {
    /// Nil for a message without a usable value.
    case value(Value?)
    case error(code: Int32, hasText: Bool)
  }

  /// Sends a question that one message answers.
  private func reply<Value>(
    to question: consuming Message, _ parse: (UnsafeMutablePointer<nlmsghdr>) -> Value?
  ) throws(NetlinkError) -> Reply<Value> {
    var reply = Reply<Value>.value(nil)
    _ = unsafe try ask(question) { message in
      if let error = unsafe MessageParser.error(message) {
        reply = .error(code: error.code, hasText: error.hasText)
      } else {
        reply = .value(unsafe parse(message))
      }
      return true
    }
    return reply
  }
}

extension RouteRefusal {
  /// - Parameter hasText: whether the kernel explains the error (extended ack). Then it rejected the question itself.
  package init(errno: Int32, hasText: Bool) {
    self =
      switch errno {
      case ENETUNREACH: .networkUnreachable
      case EHOSTUNREACH: .hostUnreachable
      case EACCES: .prohibited
      case EINVAL where !hasText: .blackhole
      default: .failed(errno: errno)
      }
  }
}
