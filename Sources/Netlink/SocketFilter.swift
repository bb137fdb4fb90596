internal import CNetlink
internal import CSystem
internal import PathModel

/// A program that the kernel runs on each message before it is queued, so that a full routing table that comes and goes wakes
/// nobody (socket filter of filter.h).
///
/// Dropped: routes whose destination prefix is longer than 8 bits (nothing that covers the internet is), cloned routes, and link
/// messages that carry only a wireless event. Everything else passes.
struct SocketFilter {
  /// `struct sock_filter`.
  private struct Instruction {
    var code: UInt16
    var ifTrue: UInt8 = 0
    var ifFalse: UInt8 = 0
    var value: UInt32
  }

  private static let loadByte: UInt16 = 0x30
  private static let loadHalf: UInt16 = 0x28
  private static let loadWord: UInt16 = 0x20
  private static let loadImmediate: UInt16 = 0x00
  private static let loadIndex: UInt16 = 0x01
  private static let jumpIfEqual: UInt16 = 0x15
  private static let jumpIfGreater: UInt16 = 0x25
  private static let jumpIfSet: UInt16 = 0x45
  private static let end: UInt16 = 0x06

  /// `SKF_AD_OFF + SKF_AD_NLATTR`: the offset of the attribute of type X, searched from offset A; 0 when there is none.
  private static let findAttribute: UInt32 = 0xffff_f00c

  private var program: [Instruction]

  /// Loads read in network order while the kernel's fields are in host order, so the constants are swapped where needed.
  private static func field(_ value: Int) -> UInt32 { UInt32(UInt16(value).bigEndian) }

  init() {
    let accept = 14
    let drop = 15
    program = [
      Instruction(code: Self.loadHalf, value: 4),  // 0: nlmsg_type
      Self.jump(at: 1, Self.jumpIfEqual, Self.field(RTM_NEWROUTE), then: 4, otherwise: 2),
      Self.jump(at: 2, Self.jumpIfEqual, Self.field(RTM_DELROUTE), then: 4, otherwise: 3),
      Self.jump(at: 3, Self.jumpIfEqual, Self.field(RTM_NEWLINK), then: 8, otherwise: accept),
      Instruction(code: Self.loadByte, value: 17),  // 4: rtm_dst_len
      Self.jump(at: 5, Self.jumpIfGreater, UInt32(RouteProbe.longestAnnouncedPrefix), then: drop, otherwise: 6),
      Instruction(code: Self.loadWord, value: 24),  // 6: rtm_flags
      Self.jump(at: 7, Self.jumpIfSet, UInt32(RTM_F_CLONED).bigEndian, then: drop, otherwise: accept),
      Instruction(code: Self.loadWord, value: 28),  // 8: ifi_change
      Self.jump(at: 9, Self.jumpIfEqual, 0, then: 10, otherwise: accept),
      Instruction(code: Self.loadIndex, value: UInt32(IFLA_WIRELESS)),
      Instruction(code: Self.loadImmediate, value: 32),  // 11: where the attributes of a link message begin
      Instruction(code: Self.loadWord, value: Self.findAttribute),
      Self.jump(at: 13, Self.jumpIfEqual, 0, then: accept, otherwise: drop),
      Instruction(code: Self.end, value: .max),  // 14: the whole message
      Instruction(code: Self.end, value: 0),  // 15: none of it
    ]
  }

  private static func jump(at index: Int, _ code: UInt16, _ value: UInt32, then: Int, otherwise: Int) -> Instruction {
    Instruction(code: code, ifTrue: UInt8(then - index - 1), ifFalse: UInt8(otherwise - index - 1), value: value)
  }

  func attach(to descriptor: Int32) throws(NetlinkError) {
    let result = unsafe program.withUnsafeBytes {
      unsafe csystem_attach_filter(descriptor, $0.baseAddress!, UInt16(program.count))
    }
    if result < 0 { throw NetlinkError(code: -result, attempt: "attach the route filter") }
  }
}
