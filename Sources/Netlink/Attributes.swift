internal import CNetlink
internal import PathModel

/// The attributes that a kind of message may have, as libnl checks them.
struct AttributePolicy: Sendable {
  enum Form {
    case u8, u32, bytes, nested

    /// NLA_… of netlink/attr.h: numbers get the least length of their type, the others none.
    fileprivate var type: Int {
      switch self {
      case .u8: NLA_U8
      case .u32: NLA_U32
      case .bytes: NLA_UNSPEC
      case .nested: NLA_NESTED
      }
    }
  }

  fileprivate let entries: [nla_policy]

  /// Attributes that are not named are passed over.
  init(_ forms: [Int: Form]) {
    entries = (0...(forms.keys.max() ?? 0)).map {
      nla_policy(type: UInt16((forms[$0] ?? .bytes).type), minlen: 0, maxlen: 0)
    }
  }
}

/// The attributes of one message, each checked by libnl against a policy of minimum lengths before anyone reads it.
///
/// Valid only while the message's buffer is.
@safe
struct Attributes {
  private let table: [UnsafeMutablePointer<nlattr>?]

  /// The attributes after a family header of `headerSize` bytes, or nil when the message is not well-formed.
  init?(_ message: UnsafeMutablePointer<nlmsghdr>, headerSize: Int, _ policy: AttributePolicy) {
    unsafe self.init(policy) { table, highest, policy in
      unsafe nlmsg_parse(message, Int32(headerSize), table, highest, policy)
    }
  }

  /// Attributes that lie in plain bytes, such as those of one leg of a multipath route.
  init?(in bytes: UnsafeRawBufferPointer, _ policy: AttributePolicy) {
    unsafe self.init(policy) { table, highest, policy in
      guard let start = bytes.baseAddress else { return 0 }
      let head = unsafe UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: nlattr.self)
      return unsafe nla_parse(table, highest, head, Int32(bytes.count), policy)
    }
  }

  private typealias Table = UnsafeMutablePointer<UnsafeMutablePointer<nlattr>?>

  private init?(_ policy: AttributePolicy, parse: (Table, Int32, UnsafePointer<nla_policy>) -> Int32) {
    var table = unsafe [UnsafeMutablePointer<nlattr>?](repeating: nil, count: policy.entries.count)
    let result = unsafe table.withUnsafeMutableBufferPointer { table in
      unsafe policy.entries.withUnsafeBufferPointer { entries in
        unsafe parse(table.baseAddress!, Int32(entries.count - 1), entries.baseAddress!)
      }
    }
    guard result >= 0 else { return nil }
    unsafe self.table = table
  }

  func u8(_ type: Int) -> UInt8? { unsafe table[type].map { unsafe nla_get_u8($0) } }
  func u32(_ type: Int) -> UInt32? { unsafe table[type].map { unsafe nla_get_u32($0) } }

  func bytes(_ type: Int) -> [UInt8]? { unsafe withBytes(type) { unsafe Array($0) } }

  func withBytes<Result>(_ type: Int, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    guard let attribute = unsafe table[type] else { return nil }
    return unsafe body(UnsafeRawBufferPointer(start: nla_data(attribute), count: Int(nla_len(attribute))))
  }

  /// Text up to its final zero, which the kernel sends and nobody relies on.
  func string(_ type: Int) -> String? {
    bytes(type).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  func address(_ type: Int) -> IPAddress? { bytes(type).flatMap { IPAddress(bytes: $0) } }

  func nested(_ type: Int, _ policy: AttributePolicy) -> Attributes? {
    guard let attribute = unsafe table[type] else { return nil }
    return unsafe Attributes(policy) { table, highest, policy in
      unsafe nla_parse_nested(table, highest, attribute, policy)
    }
  }
}
