internal import COverlineNetlink

/// The socket that receives the kernel's messages about some routers' entries in the neighbour table.
///
/// The kernel drops all others before they wake this process: a scan of a network makes a thousand entries fail.
struct NeighbourSocket: ~Copyable {
  var socket: NetlinkChannel

  init() throws(NetlinkError) {
    let socket = try NetlinkSocket()
    // The filter comes before the membership, so that it sees every message.
    try Self.filter([]).attach(to: socket.descriptor)
    try socket.join(Int(RTNLGRP_NEIGH.rawValue))
    self.socket = NetlinkChannel(socket)
  }

  init(_ channel: consuming NetlinkChannel) { socket = channel }

  var descriptor: Int32 { socket.descriptor }

  /// Replaces the filter. Messages that the earlier filter has passed stay in the queue.
  func watch(_ routers: [RouterMachine.Watch]) throws(NetlinkError) {
    if descriptor >= 0 { try Self.filter(routers).attach(to: descriptor) }
  }

  /// The changes that have arrived, from at most `limit` datagrams, and whether messages were lost.
  func receive(limit: Int) throws(NetlinkError) -> (changes: [Neighbour], lost: Bool) {
    var changes: [Neighbour] = []
    var lost = false
    for _ in 0..<limit {
      let received = unsafe try socket.receive { message in
        if let neighbour = unsafe MessageParser.neighbour(message) { changes.append(neighbour) }
      }
      switch received {
      case .datagram: continue
      case .lost: lost = true
      case .nothing: return (changes, lost)
      }
    }
    return (changes, lost)
  }

  // MARK: The filter

  // Offsets in a message: the header of 16 bytes, then `struct ndmsg` of 12.
  private static let messageType: UInt32 = 4
  private static let sender: UInt32 = 12
  private static let family: UInt32 = 16
  private static let interface: UInt32 = 20
  private static let state: UInt32 = 24
  private static let attributes: UInt32 = 28

  private static func filter(_ routers: [RouterMachine.Watch]) -> FilterProgram {
    var program = FilterProgram()
    let drop = FilterProgram.Label.named("drop")
    program.loadHalf(messageType)
    program.jump(if: .isEqual, UInt32(UInt16(RTM_NEWNEIGH).bigEndian), else: drop)
    for (number, router) in routers.enumerated() {
      let next = FilterProgram.Label.numbered("next", number)
      let address = router.gateway.address
      program.loadByte(family)
      program.jump(if: .isEqual, UInt32(address.family.rawValue), else: next)
      program.loadWord(interface)
      program.jump(if: .isEqual, UInt32(router.gateway.interface).bigEndian, else: next)
      program.loadHalf(state)
      program.jump(if: .hasBit, UInt32(mask(router).bigEndian), else: next)
      // A program that removes an entry makes it FAILED first (`ip neigh flush`), whether or not the router answers. The kernel sets the
      // sender to that program's socket, and to 0 when it has itself asked the router in vain. The count of its questions (`NDA_PROBES`)
      // does not tell the two apart: it stays after an answer.
      let isEvidence = FilterProgram.Label.numbered("evidence", number)
      program.jump(if: .hasBit, UInt32(Neighbour.State.failed.rawValue.bigEndian), else: isEvidence)
      program.loadWord(sender)
      program.jump(if: .isEqual, 0, else: next)
      program.mark(isEvidence)
      program.find(attribute: UInt32(NDA_DST), from: attributes)
      program.jump(if: .isEqual, 0, next)
      program.copyToIndex()
      for word in 0..<UInt32(address.family.width / 32) {
        program.loadWord(afterIndex: 4 + 4 * word)
        program.jump(if: .isEqual, address.word(word), else: next)
      }
      program.accept()
      program.mark(next)
    }
    program.mark(drop)
    program.drop()
    return program
  }

  private static func mask(_ router: RouterMachine.Watch) -> UInt16 {
    let states: [Neighbour.State] =
      router.includesAnswers ? [.stale, .failed, .reachable, .permanent, .noARP] : [.stale, .failed]
    return states.reduce(0) { $0 | $1.rawValue }
  }
}

extension MessageParser {
  /// A change of the neighbour table, or an entry that was read.
  static func neighbour(_ message: UnsafeMutablePointer<nlmsghdr>) -> Neighbour? {
    guard unsafe Int(message.pointee.nlmsg_type) == RTM_NEWNEIGH, let header = unsafe header(message, as: ndmsg.self),
      let family = AddressFamily(rawValue: header.ndm_family)
    else { return nil }
    let attributes = unsafe Attributes(message, headerSize: MemoryLayout<ndmsg>.size)
    guard let address = attributes.address(Int(NDA_DST)), address.family == family else { return nil }
    let age: Duration? = unsafe attributes.withBytes(Int(NDA_CACHEINFO)) { bytes in
      guard bytes.count >= MemoryLayout<nda_cacheinfo>.size else { return nil }
      // The kernel counts in hundredths of a second (USER_HZ).
      return .milliseconds(10 * Int(unsafe bytes.loadUnaligned(as: nda_cacheinfo.self).ndm_confirmed))
    }
    return Neighbour(
      Gateway(address, on: Int(header.ndm_ifindex)), state: Neighbour.State(rawValue: header.ndm_state),
      hasLinkAddress: unsafe attributes.withBytes(Int(NDA_LLADDR)) { $0.count } ?? 0 > 0, confirmedAge: age)
  }
}
