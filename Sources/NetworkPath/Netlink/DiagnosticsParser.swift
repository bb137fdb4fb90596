internal import COverlineNetlink

/// Parses the kernel's messages about sockets (sock_diag(7)). A malformed message gives no value.
extension MessageParser {
  /// The offsets of fields in `struct tcp_info` (linux/tcp.h), in bytes. Glibc's header of the same structure lacks some of them, and the
  /// two headers conflict.
  private enum TCPInfo {
    static let retransmits = 2
    static let probes = 3
    static let backoff = 4
    /// Bit 0 is `tcpi_delivery_rate_app_limited`; the next two bits belong to another field.
    static let flags = 7
    static let timeout = 8
    static let segmentSize = 16
    static let unacknowledged = 24
    static let lastDataSent = 44
    static let lastDataReceived = 52
    static let lastAcknowledged = 56
    static let roundTrip = 68
    static let roundTripDeviation = 72
    static let receiverRoundTrip = 92
    static let retransmissions = 100
    static let acknowledgedBytes = 120
    static let receivedBytes = 128
    static let receivedSegments = 140
    static let unsent = 144
    static let shortestRoundTrip = 148
    static let dataSegments = 156
    static let delivered = 192
    /// Since Linux 4.19.
    static let needless = 216
    /// Since Linux 5.4.
    static let window = 228
    /// Since Linux 6.7.
    static let timeoutTime = 244
  }

  /// The inode of the socket in a message about a TCP socket.
  static func inode(_ message: UnsafeMutablePointer<nlmsghdr>) -> UInt32? {
    unsafe header(message, as: inet_diag_msg.self)?.idiag_inode
  }

  static func connection(_ message: UnsafeMutablePointer<nlmsghdr>) -> TCPConnection? {
    guard let header = unsafe header(message, as: inet_diag_msg.self), let id = TCPConnection.ID(header),
      let state = TCPConnection.State(rawValue: header.idiag_state)
    else { return nil }
    var connection = TCPConnection(
      id: id, state: state, timer: TCPConnection.Timer(rawValue: header.idiag_timer) ?? .none,
      expires: .milliseconds(Int64(header.idiag_expires)), inode: header.idiag_inode, owner: header.idiag_uid)
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<inet_diag_msg>.size)
    unsafe attributes.withBytes(INET_DIAG_INFO) { info in
      guard info.count >= TCPInfo.unacknowledged + 4 else { return }
      connection.retransmits = unsafe Int(info[TCPInfo.retransmits])
      connection.backoff = unsafe Int(info[TCPInfo.backoff])
      let timeout = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.timeout, as: UInt32.self)
      connection.retransmissionTimeout = .microseconds(Int64(timeout))
      let count = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.unacknowledged, as: UInt32.self)
      // A listening socket has the length of its queue here.
      connection.unacknowledged = state == .listening ? 0 : Int(count)
      if info.count >= TCPInfo.receivedSegments + 4, state != .listening {
        connection.receivedSegments = unsafe info.loadUnaligned(
          fromByteOffset: TCPInfo.receivedSegments, as: UInt32.self)
      }
      guard state.isConnected, info.count >= TCPInfo.lastAcknowledged + 4 else { return }
      // The later of the two: a connection that only receives gets data, but no new acknowledgements.
      let data = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.lastDataReceived, as: UInt32.self)
      let acknowledgement = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.lastAcknowledged, as: UInt32.self)
      connection.heardAge = .milliseconds(Int64(min(data, acknowledgement)))
      let sent = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.lastDataSent, as: UInt32.self)
      connection.sentAge = .milliseconds(Int64(sent))
      guard info.count >= TCPInfo.roundTripDeviation + 4 else { return }
      let roundTrip = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.roundTrip, as: UInt32.self)
      connection.smoothedRoundTrip = .microseconds(Int64(roundTrip))
      let deviation = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.roundTripDeviation, as: UInt32.self)
      connection.roundTripVariation = .microseconds(Int64(deviation)) * 4
      guard info.count >= TCPInfo.window + 4 else { return }
      connection.probes = unsafe Int(info[TCPInfo.probes])
      connection.segmentSize = unsafe Int(info.loadUnaligned(fromByteOffset: TCPInfo.segmentSize, as: UInt32.self))
      connection.unsent = unsafe Int(info.loadUnaligned(fromByteOffset: TCPInfo.unsent, as: UInt32.self))
      connection.window = unsafe Int(info.loadUnaligned(fromByteOffset: TCPInfo.window, as: UInt32.self))
      connection.acknowledgedBytes = unsafe info.loadUnaligned(
        fromByteOffset: TCPInfo.acknowledgedBytes, as: UInt64.self)
      guard info.count >= TCPInfo.timeoutTime + 4 else { return }
      let timeoutTime = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.timeoutTime, as: UInt32.self)
      connection.timeoutTime = .milliseconds(Int64(timeoutTime))
    }
    return connection
  }

  /// The figures of a connection that was used within `time`; nil for any other.
  ///
  /// - Parameters:
  ///   - owners: the users whose connections count; nil for all.
  ///   - host: the number of a host, made once and only for such a connection.
  static func sample(
    _ message: UnsafeMutablePointer<nlmsghdr>, usedWithin limit: Duration, owners: StallOwners? = nil,
    host: (TCPConnection.ID) -> Int?
  ) -> QualitySample? {
    guard let header = unsafe header(message, as: inet_diag_msg.self), let id = TCPConnection.ID(header),
      TCPConnection.State(rawValue: header.idiag_state)?.isConnected == true,
      owners?.include(header.idiag_uid, inode: header.idiag_inode) != false
    else { return nil }
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<inet_diag_msg>.size)
    var sample: QualitySample?
    unsafe attributes.withBytes(INET_DIAG_INFO) { info in
      guard info.count >= TCPInfo.needless + 4 else { return }
      func number(_ offset: Int) -> UInt32 { unsafe info.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
      func time(_ offset: Int) -> Duration { .microseconds(Int64(number(offset))) }
      let heard = min(number(TCPInfo.lastDataReceived), number(TCPInfo.lastAcknowledged))
      let idle = Duration.milliseconds(Int64(min(heard, number(TCPInfo.lastDataSent))))
      guard idle <= limit, let host = host(id) else { return }
      var found = QualitySample(connection: id.cookie, host: host)
      found.inode = header.idiag_inode
      found.roundTrip = time(TCPInfo.roundTrip)
      found.deviation = time(TCPInfo.roundTripDeviation)
      let shortest = number(TCPInfo.shortestRoundTrip)
      found.shortest = shortest == .max ? nil : .microseconds(Int64(shortest))
      found.receiverRoundTrip = time(TCPInfo.receiverRoundTrip)
      found.sent = number(TCPInfo.dataSegments)
      found.sentAgain = number(TCPInfo.retransmissions)
      found.needless = number(TCPInfo.needless)
      found.delivered = number(TCPInfo.delivered)
      found.receivedSegments = number(TCPInfo.receivedSegments)
      found.receivedBytes = unsafe info.loadUnaligned(fromByteOffset: TCPInfo.receivedBytes, as: UInt64.self)
      found.isApplicationLimited = unsafe info[TCPInfo.flags] & 1 != 0
      found.heardAge = .milliseconds(Int64(heard))
      found.sentAge = .milliseconds(Int64(number(TCPInfo.lastDataSent)))
      found.isWaiting = number(TCPInfo.unacknowledged) > 0
      found.retransmits = unsafe Int(info[TCPInfo.retransmits])
      sample = found
    }
    return sample
  }

  /// The port at which a socket accepts connections; nil for any other.
  static func listeningPort(_ message: UnsafeMutablePointer<nlmsghdr>) -> UInt16? {
    guard let header = unsafe header(message, as: inet_diag_msg.self),
      header.idiag_state == TCPConnection.State.listening.rawValue
    else { return nil }
    return UInt16(bigEndian: header.id.idiag_sport)
  }

  /// A connection in TIME_WAIT. It got there by the last packet of the other end, 60 seconds before its timer expires (`TCP_TIMEWAIT_LEN`).
  static func closedConnection(_ message: UnsafeMutablePointer<nlmsghdr>) -> EndedConnection? {
    guard let header = unsafe header(message, as: inet_diag_msg.self), let id = TCPConnection.ID(header),
      header.idiag_state == TCPConnection.State.timeWait.rawValue
    else { return nil }
    let age = Duration.seconds(60) - .milliseconds(Int64(header.idiag_expires))
    return EndedConnection(host: id.remoteAddress.unmapped, age: max(.zero, age))
  }

  static func datagramSocket(_ message: UnsafeMutablePointer<nlmsghdr>) -> DatagramSocket? {
    guard let header = unsafe header(message, as: inet_diag_msg.self), let id = TCPConnection.ID(header) else {
      return nil
    }
    return DatagramSocket(
      localAddress: id.localAddress, localPort: id.localPort,
      remoteAddress: id.remotePort == 0 ? nil : id.remoteAddress)
  }

  /// A Unix socket and the socket at its other end.
  static func unixPeer(_ message: UnsafeMutablePointer<nlmsghdr>) -> (inode: UInt32, peer: UInt32)? {
    guard let header = unsafe header(message, as: unix_diag_msg.self),
      let peer = unsafe Attributes(message, headerSize: MemoryLayout<unix_diag_msg>.size).u32(UNIX_DIAG_PEER)
    else { return nil }
    return (header.udiag_ino, peer)
  }
}

extension TCPConnection.ID {
  fileprivate init?(_ message: inet_diag_msg) {
    guard let family = AddressFamily(rawValue: message.idiag_family) else { return nil }
    let id = message.id
    self.init(
      family: family, localAddress: AnyIPAddress(words: id.idiag_src, family),
      localPort: UInt16(bigEndian: id.idiag_sport), remoteAddress: AnyIPAddress(words: id.idiag_dst, family),
      remotePort: UInt16(bigEndian: id.idiag_dport), interface: id.idiag_if,
      cookie: UInt64(id.idiag_cookie.0) | UInt64(id.idiag_cookie.1) << 32)
  }

  /// The same as the kernel's structure, for a look-up.
  var kernelID: inet_diag_sockid {
    inet_diag_sockid(
      idiag_sport: localPort.bigEndian, idiag_dport: remotePort.bigEndian, idiag_src: localAddress.words,
      idiag_dst: remoteAddress.words, idiag_if: interface,
      idiag_cookie: (UInt32(truncatingIfNeeded: cookie), UInt32(truncatingIfNeeded: cookie >> 32)))
  }
}

extension AnyIPAddress {
  /// Four words in network order. An IPv4 address is the first one.
  fileprivate typealias Words = (UInt32, UInt32, UInt32, UInt32)

  fileprivate init(words: Words, _ family: AddressFamily) {
    let numbers = [words.0, words.1, words.2, words.3].prefix(family.width / 32)
    self.init(family: family, value: numbers.reduce(0) { $0 << 32 | UInt128(UInt32(bigEndian: $1)) })
  }

  fileprivate var words: Words {
    func word(_ shift: UInt128) -> UInt32 { UInt32(truncatingIfNeeded: value >> shift).bigEndian }
    return family == .ipv4 ? (word(0), 0, 0, 0) : (word(96), word(64), word(32), word(0))
  }
}
