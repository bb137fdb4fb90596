internal import COverlineNetlink
internal import OverlineSystem

/// Questions about the machine's sockets (sock_diag(7)), in the network namespace of the thread that opens it. The kernel answers every
/// user, also about the sockets of others.
///
/// Not thread-safe.
package final class SocketDiagnostics {
  /// How often a dump is repeated that the kernel has interrupted, or that overran the receive buffer.
  private static let maximumAttempts = 3

  private let socket: NetlinkSocket

  package init() throws(NetlinkError) {
    do throws(NetlinkError) { socket = try NetlinkSocket(NETLINK_SOCK_DIAG) } catch {
      // A kernel that is built without it.
      throw error.code == EPROTONOSUPPORT ? .noDiagnostics("TCP") : error
    }
  }

  /// Throws where the kernel lists no TCP sockets or no Unix sockets.
  package func check() throws(NetlinkError) {
    _ = try connections(in: [.listening]) { _ in false }
    _ = try unixPeers(of: [])
  }

  /// The TCP sockets in these states, of IPv4 and IPv6.
  ///
  /// Sockets come and go during a dump: each that lasted from its beginning to its end is in the result.
  ///
  /// - Parameters:
  ///   - filter: a program for the kernel, of ``DestinationFilter``; empty for all sockets.
  ///   - isWanted: selects sockets by their inodes before they are parsed.
  package func connections(
    in states: Set<TCPConnection.State>, filter: [UInt8] = [], where isWanted: (UInt32) -> Bool = { _ in true }
  ) throws(NetlinkError) -> [TCPConnection] {
    unsafe try connections(in: states, filter: filter) { message in
      guard let inode = unsafe MessageParser.inode(message), isWanted(inode) else { return nil }
      return unsafe MessageParser.connection(message)
    }
  }

  /// The connections that have ended by a packet of the other end within the last minute, and were closed here first.
  func closedConnections(filter: [UInt8]) throws(NetlinkError) -> [EndedConnection] {
    unsafe try connections(in: [.timeWait], filter: filter) { unsafe MessageParser.closedConnection($0) }
  }

  /// The figures of the connections that this machine has made and used within `limit`. Those that it has accepted are as good as the
  /// ways of strangers to it.
  ///
  /// - Parameters:
  ///   - owners: the users whose connections count.
  ///   - host: the number of a connection's host; nil for one that does not count.
  func samples(
    filter: [UInt8], usedWithin limit: Duration, owners: StallOwners, host: (TCPConnection.ID) -> Int?
  ) throws(NetlinkError) -> [QualitySample] {
    var accepting: Set<UInt16> = []
    let states = Set(TCPConnection.State.allCases.filter { $0.isConnected || $0 == .listening })
    let found = unsafe try connections(in: states, filter: filter) {
      message -> (sample: QualitySample, port: UInt16)? in
      if let port = unsafe MessageParser.listeningPort(message) { accepting.insert(port) }
      var port: UInt16 = 0
      let sample = unsafe MessageParser.sample(message, usedWithin: limit, owners: owners) {
        port = $0.localPort
        return host($0)
      }
      return sample.map { ($0, port) }
    }
    return found.filter { !accepting.contains($0.port) }.map(\.sample)
  }

  private func connections<Value>(
    in states: Set<TCPConnection.State>, filter: [UInt8], _ parse: (UnsafeMutablePointer<nlmsghdr>) -> Value?
  ) throws(NetlinkError) -> [Value] {
    var values: [Value] = []
    for family in AddressFamily.allCases {
      var request = Self.request(family)
      request.idiag_states = states.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
      values += unsafe try dump(request, "TCP", filter: filter, parse)
    }
    return values
  }

  /// The UDP sockets that can receive, of IPv4 and IPv6.
  func datagramSockets() throws(NetlinkError) -> [DatagramSocket] {
    var sockets: [DatagramSocket] = []
    for family in AddressFamily.allCases {
      var request = Self.request(family)
      request.sdiag_protocol = UInt8(IPPROTO_UDP)
      request.idiag_ext = 0
      request.idiag_states = .max
      sockets += unsafe try dump(request, "UDP") { unsafe MessageParser.datagramSocket($0) }
    }
    return sockets
  }

  /// One socket's newest state; nil if it is gone.
  package func connection(_ id: TCPConnection.ID) throws(NetlinkError) -> TCPConnection? {
    unsafe try lookUp(id) { unsafe MessageParser.connection($0) }
  }

  /// The figures of one connection; nil if it is gone or not connected.
  package func sample(_ id: TCPConnection.ID, host: Int) throws(NetlinkError) -> QualitySample? {
    unsafe try lookUp(id) { unsafe MessageParser.sample($0, usedWithin: .seconds(Int.max)) { _ in host } }
  }

  private func lookUp<Value>(
    _ id: TCPConnection.ID, _ parse: (UnsafeMutablePointer<nlmsghdr>) -> Value?
  ) throws(NetlinkError) -> Value? {
    var request = Self.request(id.family)
    request.idiag_states = .max
    request.id = id.kernelID
    let message = try Message(Int(SOCK_DIAG_BY_FAMILY), flags: NLM_F_REQUEST, header: request)
    var found: Value?
    let outcome = unsafe try socket.ask(message) { answer in
      if let value = unsafe parse(answer) { found = value }
      return true
    }
    switch outcome {
    case .answered: return found
    case .refused(let code):
      // ENOENT: no socket has these addresses. ESTALE: another one has them.
      if code == ENOENT || code == ESTALE { return nil }
      throw NetlinkError(code: code, attempt: "look up a TCP socket")
    case .incomplete: throw NetlinkError(code: ENOBUFS, attempt: "look up a TCP socket")
    }
  }

  /// Whether a UDP socket of this machine would receive a datagram that is sent from here to this address.
  func hasReceiver(at address: AnyIPAddress, port: UInt16) throws(NetlinkError) -> Bool {
    var request = Self.request(address.family)
    request.sdiag_protocol = UInt8(IPPROTO_UDP)
    request.idiag_ext = 0
    request.idiag_states = .max
    // For UDP the kernel takes the other end of the question for its own (udp_diag.c, "swapped for historical reasons").
    let id = TCPConnection.ID(
      family: address.family, localAddress: address, localPort: 9, remoteAddress: address, remotePort: port,
      cookie: .max)
    request.id = id.kernelID
    let message = try Message(Int(SOCK_DIAG_BY_FAMILY), flags: NLM_F_REQUEST, header: request)
    if case .answered = unsafe try socket.ask(message, { _ in true }) { return true }
    return false
  }

  /// For each Unix socket of `inodes` that is connected, the inode of the socket at its other end.
  package func unixPeers(of inodes: Set<UInt32>) throws(NetlinkError) -> [UInt32: UInt32] {
    var request = unix_diag_req()
    request.sdiag_family = UInt8(AF_UNIX)
    request.udiag_states = .max
    request.udiag_show = UInt32(UDIAG_SHOW_PEER)
    request.udiag_cookie = (.max, .max)
    let pairs = unsafe try dump(request, "Unix") { message -> (UInt32, UInt32)? in
      guard let pair = unsafe MessageParser.unixPeer(message), inodes.contains(pair.inode) else { return nil }
      return (pair.inode, pair.peer)
    }
    return Dictionary(pairs) { $1 }
  }

  private static func request(_ family: AddressFamily) -> inet_diag_req_v2 {
    var request = inet_diag_req_v2()
    request.sdiag_family = family.rawValue
    request.sdiag_protocol = UInt8(IPPROTO_TCP)
    request.idiag_ext = 1 << UInt8(INET_DIAG_INFO - 1)
    // INET_DIAG_NOCOOKIE
    request.id.idiag_cookie = (.max, .max)
    return request
  }

  // MARK: - Requests

  /// - Parameters:
  ///   - kind: the sockets' kind, for messages.
  ///   - filter: as for ``connections(in:filter:where:)``.
  private func dump<Header: BitwiseCopyable, Value>(
    _ request: Header, _ kind: String, filter: [UInt8] = [], _ parse: (UnsafeMutablePointer<nlmsghdr>) -> Value?
  ) throws(NetlinkError) -> [Value] {
    for _ in 0..<Self.maximumAttempts {
      var values: [Value] = []
      let message = try Message(
        Int(SOCK_DIAG_BY_FAMILY), flags: NLM_F_REQUEST | NLM_F_DUMP, header: request, room: filter.count)
      if !filter.isEmpty { message.put(UInt32(INET_DIAG_REQ_BYTECODE), filter) }
      let outcome = unsafe try socket.ask(message) { answer in
        if let value = unsafe parse(answer) { values.append(value) }
        return false
      }
      switch outcome {
      case .answered: return values
      case .incomplete: continue
      // The kernel is built without the part for these sockets, or cannot load it.
      case .refused(ENOENT), .refused(EPROTONOSUPPORT): throw .noDiagnostics(kind)
      case .refused(let code): throw NetlinkError(code: code, attempt: "list \(kind) sockets")
      }
    }
    throw NetlinkError(code: ENOBUFS, attempt: "list \(kind) sockets")
  }
}

extension NetlinkError {
  /// A kernel without `CONFIG_INET_DIAG` or `CONFIG_UNIX_DIAG`.
  fileprivate static func noDiagnostics(_ kind: String) -> NetlinkError {
    NetlinkError(code: EOPNOTSUPP, attempt: "list \(kind) sockets")
  }
}
