internal import COverlineNetlink

/// A program that the kernel runs on each message before it queues the message. With it, a full routing table that comes and goes does not
/// wake this process.
///
/// It drops cloned routes, link messages that carry only a wireless event, and routes whose destination prefix is longer than 8 bits and
/// covers no target. (A route that covers the internet has a shorter prefix.) Everything else passes.
struct SocketFilter {
  // Offsets in a message: the header of 16 bytes, then `struct rtmsg` of 12 or `struct ifinfomsg` of 16.
  private static let messageType: UInt32 = 4
  private static let routeFamily: UInt32 = 16
  private static let routePrefixLength: UInt32 = 17
  private static let routeFlags: UInt32 = 24
  private static let routeAttributes: UInt32 = 28
  private static let linkChange: UInt32 = 28
  private static let linkAttributes: UInt32 = 32
  /// The size of a `struct nlattr`, before its value.
  private static let attributeHeader: UInt32 = 4

  private var program = FilterProgram()

  /// - Parameter targets: networks. A route that covers a target's probe address passes. Routes *within* a target that do not cover its
  ///   probe address change no answer and are dropped.
  init(targets: [IPPrefix] = []) {
    let accept = FilterProgram.Label.named("accept")
    let drop = FilterProgram.Label.named("drop")
    let route = FilterProgram.Label.named("route")
    let isLong = FilterProgram.Label.named("long")
    program.loadHalf(Self.messageType)
    program.jump(if: .isEqual, Self.field(RTM_NEWROUTE), route)
    program.jump(if: .isEqual, Self.field(RTM_DELROUTE), route)
    program.jump(if: .isEqual, Self.field(RTM_NEWLINK), else: accept)
    program.loadWord(Self.linkChange)
    program.jump(if: .isEqual, 0, else: accept)
    program.find(attribute: UInt32(IFLA_WIRELESS), from: Self.linkAttributes)
    program.jump(if: .isEqual, 0, accept, else: drop)
    program.mark(route)
    program.loadWord(Self.routeFlags)
    program.jump(if: .hasBit, UInt32(RTM_F_CLONED).bigEndian, drop)
    program.loadByte(Self.routePrefixLength)
    program.jump(if: .isGreater, UInt32(RouteProbe.maximumAnnouncedPrefixLength), targets.isEmpty ? drop : isLong)
    program.mark(accept)
    program.accept()
    program.mark(drop)
    program.drop()
    if !targets.isEmpty {
      program.mark(isLong)
      for family in AddressFamily.allCases { passCovering(targets.filter { $0.address.family == family }, family) }
      program.drop()
    }
  }

  func attach(to descriptor: Int32) throws(NetlinkError) {
    try program.attach(to: descriptor)
  }

  /// Loads read in network order while the kernel's fields are in host order, so the constants are swapped where needed.
  private static func field(_ value: Int) -> UInt32 { UInt32(UInt16(value).bigEndian) }

  // MARK: Routes for targets

  /// For a route of this family: accepts it if its destination covers a target's probe address, drops it otherwise. A route of another
  /// family continues behind this code.
  ///
  /// Memory slots from 0 on hold the destination's words, slots from 4 on the masks for its prefix length.
  private mutating func passCovering(_ targets: [IPPrefix], _ family: AddressFamily) {
    if targets.isEmpty { return }
    let words = UInt32(family.width / 32)
    let otherFamily = FilterProgram.Label.numbered("not of family", Int(family.rawValue))
    let isOurs = FilterProgram.Label.numbered("of family", Int(family.rawValue))
    program.loadByte(Self.routeFamily)
    program.jump(if: .isEqual, UInt32(family.rawValue), isOurs)
    program.jump(to: otherFamily)
    program.mark(isOurs)
    program.find(attribute: RTA_DST.rawValue, from: Self.routeAttributes)
    program.copyToIndex()
    for word in 0..<words {
      program.loadWord(afterIndex: Self.attributeHeader + 4 * word)
      program.store(memory: word)
    }
    for word in 0..<words { storeMask(of: word, family) }
    for (number, target) in targets.enumerated() {
      let isOther = FilterProgram.Label.numbered("not target of \(family)", number)
      // The probe address is one of a network's first addresses; which one depends on this machine's own addresses. So the last two bits,
      // or as many as there are, do not count.
      let free = UInt32(min(2, family.width - target.length))
      let last = ~((UInt32(1) << free) - 1)
      for word in 0..<words {
        program.load(memory: word)
        program.exclusiveOr(target.base.word(word))
        if word == words - 1, last != .max { program.and(last) }
        program.loadIndex(memory: 4 + word)
        program.andIndex()
        program.jump(if: .isEqual, 0, else: isOther)
      }
      program.accept()
      program.mark(isOther)
    }
    program.drop()
    program.mark(otherFamily)
  }

  /// The bits of a word that the route's prefix length covers: `(~0 << (32 - (length - 32 * word)))`, all or none of them.
  private mutating func storeMask(of word: UInt32, _ family: AddressFamily) {
    func label(_ name: String) -> FilterProgram.Label { .numbered("\(name) of \(family)", Int(word)) }
    program.loadByte(Self.routePrefixLength)
    program.jump(if: .isGreater, 32 * word, else: label("none"))
    program.subtract(32 * word)
    program.jump(if: .isAtLeast, 32, label("all"))
    program.copyToIndex()
    program.load(number: 32)
    program.subtractIndex()
    program.copyToIndex()
    program.load(number: .max)
    program.shiftLeftByIndex()
    program.jump(to: label("store"))
    program.mark(label("all"))
    program.load(number: .max)
    program.jump(to: label("store"))
    program.mark(label("none"))
    program.load(number: 0)
    program.mark(label("store"))
    program.store(memory: 4 + word)
  }
}

extension AnyIPAddress {
  /// 32 bits of the address, the first ones being word 0.
  func word(_ word: UInt32) -> UInt32 {
    let after = UInt128(family.width / 32) - 1 - UInt128(word)
    return UInt32(truncatingIfNeeded: value >> (32 * after))
  }
}
