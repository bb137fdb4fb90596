internal import COverlineNetlink
internal import OverlineSystem

/// The hosts with which the machine's last connections ended in order, from the kernel's cache of TCP metrics (ip-tcp_metrics(8)), in the
/// network namespace of the thread that opens it.
///
/// The kernel notes a host when it receives the last acknowledgement or the FIN of a connection. A connection that was opened, answered and
/// closed between two looks leaves no socket, but its host is here. The kernel tells every user. With `net.ipv4.tcp_no_metrics_save` it
/// notes nothing.
///
/// Not thread-safe.
final class EndedConnections {
  private let socket: NetlinkSocket
  /// The number that this kernel gave to the family `tcp_metrics`.
  private let family: Int

  init() throws(NetlinkError) {
    socket = try NetlinkSocket(NETLINK_GENERIC)
    family = try Self.family(socket)
  }

  /// The hosts, those of the last connections first.
  func hosts() throws(NetlinkError) -> [EndedConnection] {
    let header = genlmsghdr(cmd: UInt8(TCP_METRICS_CMD_GET), version: UInt8(TCP_METRICS_GENL_VERSION), reserved: 0)
    var hosts: [EndedConnection] = []
    let question = try Message(family, flags: NLM_F_REQUEST | NLM_F_DUMP, header: header)
    let outcome = unsafe try socket.ask(question) { answer in
      if let host = unsafe MessageParser.endedConnection(answer) { hosts.append(host) }
      return false
    }
    switch outcome {
    // The table may change meanwhile: each look reads it again.
    case .answered, .incomplete: return hosts.sorted { $0.age < $1.age }
    case .refused(let code): throw NetlinkError(code: code, attempt: "read the TCP metrics")
    }
  }

  private static func family(_ socket: borrowing NetlinkSocket) throws(NetlinkError) -> Int {
    let header = genlmsghdr(cmd: UInt8(CTRL_CMD_GETFAMILY), version: 1, reserved: 0)
    let question = try Message(Int(GENL_ID_CTRL), flags: NLM_F_REQUEST, header: header)
    question.put(UInt32(CTRL_ATTR_FAMILY_NAME), Array(TCP_METRICS_GENL_NAME.utf8) + [0])
    var number: UInt16?
    let outcome = unsafe try socket.ask(question) { answer in
      unsafe number = Attributes(answer, headerSize: MemoryLayout<genlmsghdr>.size).u16(CTRL_ATTR_FAMILY_ID)
      return true
    }
    if case .refused(let code) = outcome { throw NetlinkError(code: code, attempt: "find the TCP metrics") }
    guard let number else { throw NetlinkError(code: EPROTO, attempt: "find the TCP metrics") }
    return Int(number)
  }
}

extension MessageParser {
  static func endedConnection(_ message: UnsafeMutablePointer<nlmsghdr>) -> EndedConnection? {
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<genlmsghdr>.size)
    guard
      let host = attributes.address(TCP_METRICS_ATTR_ADDR_IPV4)
        ?? attributes.address(TCP_METRICS_ATTR_ADDR_IPV6),
      let age = attributes.u64(TCP_METRICS_ATTR_AGE)
    else { return nil }
    return EndedConnection(host: host, age: .milliseconds(Int64(clamping: age)))
  }
}
