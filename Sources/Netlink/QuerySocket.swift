internal import CNetlink
internal import Glibc
internal import PathModel

/// The socket on which the kernel is asked. It has no filter, which would judge a whole datagram by its first message.
struct QuerySocket: ~Copyable {
  private let socket: NetlinkSocket

  init() throws(NetlinkError) {
    socket = try NetlinkSocket()
    socket.enable(NETLINK_GET_STRICT_CHK)
    socket.enable(NETLINK_EXT_ACK)
  }

  // MARK: Dumps

  /// All links and addresses; `complete` is false when the kernel changed them meanwhile (`NLM_F_DUMP_INTR`).
  func dump() throws(NetlinkError) -> (events: [KernelEvent], complete: Bool) {
    var link = ifinfomsg()
    link.ifi_family = 0
    let links = try dump(Message(RTM_GETLINK, flags: NLM_F_DUMP, header: link))
    let addresses = try dump(Message(RTM_GETADDR, flags: NLM_F_DUMP, header: ifaddrmsg()))
    return (links.events + addresses.events, links.complete && addresses.complete)
  }

  private func dump(_ request: consuming Message) throws(NetlinkError) -> (events: [KernelEvent], complete: Bool) {
    let sequence = try socket.send(request)
    var events: [KernelEvent] = []
    var complete = true
    var isDone = false
    var failure: Int32?
    while !isDone {
      let received = unsafe try socket.receive { message in
        let header = unsafe message.pointee
        guard header.nlmsg_seq == sequence else { return }
        if header.nlmsg_flags & UInt16(NLM_F_DUMP_INTR) != 0 { complete = false }
        if Int32(header.nlmsg_type) == NLMSG_DONE {
          isDone = true
        } else if let error = unsafe MessageParser.error(message), error.code != 0 {
          failure = error.code
          isDone = true
        } else if let event = unsafe MessageParser.event(message) {
          events.append(event)
        }
      }
      switch received {
      case .datagram: continue
      case .lost: complete = false
      // The kernel makes the next part when the last one is read: none means that it will never come.
      case .nothing: throw NetlinkError(code: EAGAIN, attempt: "read all links and addresses")
      }
    }
    if let failure { throw NetlinkError(code: failure, attempt: "read all links and addresses") }
    return (events, complete)
  }

  // MARK: Look-ups

  /// Which route the kernel would take.
  func route(_ probe: RouteProbe) -> RouteAnswer {
    var header = rtmsg()
    header.rtm_family = probe.destination.family.rawValue
    header.rtm_dst_len = UInt8(probe.destination.family.width)
    header.rtm_flags = flags(probe)
    do {
      let request = try Message(RTM_GETROUTE, flags: NLM_F_REQUEST, header: header)
      request.put(RTA_DST.rawValue, probe.destination.bytes)
      if let interface = probe.outputInterface { request.put(RTA_OIF.rawValue, UInt32(interface)) }
      return try answer(to: socket.send(request))
    } catch {
      return .refused(.failed(errno: error.code))
    }
  }

  /// `RTM_F_FIB_MATCH`; for IPv4 `RTM_F_LOOKUP_TABLE` too, without which the answer names table main whatever the table was.
  /// IPv6 refuses the second.
  private func flags(_ probe: RouteProbe) -> UInt32 {
    switch (probe.kind, probe.destination.family) {
    case (.resolve, _): 0
    case (.match, .ipv4): UInt32(RTM_F_FIB_MATCH) | UInt32(RTM_F_LOOKUP_TABLE)
    case (.match, .ipv6): UInt32(RTM_F_FIB_MATCH)
    }
  }

  private func answer(to sequence: UInt32) throws(NetlinkError) -> RouteAnswer {
    var answer: RouteAnswer?
    while answer == nil {
      let received = unsafe try socket.receive { message in
        guard unsafe message.pointee.nlmsg_seq == sequence else { return }
        if let error = unsafe MessageParser.error(message) {
          answer = .refused(refusal(error))
        } else if let match = unsafe MessageParser.route(message) {
          answer = .route(match)
        }
      }
      // The kernel answers before the question's send returns.
      if case .nothing = received, answer == nil { return .refused(.failed(errno: EAGAIN)) }
    }
    return answer ?? .refused(.failed(errno: EAGAIN))
  }

  private func refusal(_ error: (code: Int32, hasText: Bool)) -> RouteRefusal {
    switch error.code {
    case ENETUNREACH: .networkUnreachable
    case EHOSTUNREACH: .hostUnreachable
    case EACCES: .prohibited
    // With a text the kernel found fault with the question.
    case EINVAL where !error.hasText: .blackhole
    default: .failed(errno: error.code)
    }
  }
}
