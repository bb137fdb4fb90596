internal import CNetlink
internal import PathModel

/// The attributes of one message, each checked by libnl against a policy of minimum lengths before anyone reads it.
///
/// Valid only while the message's buffer is.
@safe
struct Attributes {
  enum Form {
    case u8, u16, u32, bytes, nested

    fileprivate var policy: nla_policy {
      switch self {
      case .u8: nla_policy(type: UInt16(NLA_U8), minlen: 0, maxlen: 0)
      case .u16: nla_policy(type: UInt16(NLA_U16), minlen: 0, maxlen: 0)
      case .u32: nla_policy(type: UInt16(NLA_U32), minlen: 0, maxlen: 0)
      case .bytes: nla_policy(type: UInt16(NLA_UNSPEC), minlen: 0, maxlen: 0)
      case .nested: nla_policy(type: UInt16(NLA_NESTED), minlen: 0, maxlen: 0)
      }
    }
  }

  private let table: [UnsafeMutablePointer<nlattr>?]

  /// The attributes after a family header of `headerSize` bytes, or nil when the message is not well-formed.
  init?(_ message: UnsafeMutablePointer<nlmsghdr>, headerSize: Int, forms: [Int: Form]) {
    let (policy, highest) = Self.policy(forms)
    var table = unsafe [UnsafeMutablePointer<nlattr>?](repeating: nil, count: highest + 1)
    let result = unsafe policy.withUnsafeBufferPointer { policy in
      unsafe nlmsg_parse(message, Int32(headerSize), &table, Int32(highest), policy.baseAddress)
    }
    guard result >= 0 else { return nil }
    unsafe self.table = table
  }

  private init?(nestedIn attribute: UnsafeMutablePointer<nlattr>, forms: [Int: Form]) {
    let (policy, highest) = Self.policy(forms)
    var table = unsafe [UnsafeMutablePointer<nlattr>?](repeating: nil, count: highest + 1)
    let result = unsafe policy.withUnsafeBufferPointer { policy in
      unsafe nla_parse_nested(&table, Int32(highest), attribute, policy.baseAddress)
    }
    guard result >= 0 else { return nil }
    unsafe self.table = table
  }

  /// Attributes that lie in plain bytes, such as those of one leg of a multipath route.
  init?(in bytes: UnsafeRawBufferPointer, forms: [Int: Form]) {
    let (policy, highest) = Self.policy(forms)
    var table = unsafe [UnsafeMutablePointer<nlattr>?](repeating: nil, count: highest + 1)
    if let start = bytes.baseAddress {
      let head = unsafe UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: nlattr.self)
      let result = unsafe policy.withUnsafeBufferPointer { policy in
        unsafe nla_parse(&table, Int32(highest), head, Int32(bytes.count), policy.baseAddress)
      }
      guard result >= 0 else { return nil }
    }
    unsafe self.table = table
  }

  private static func policy(_ forms: [Int: Form]) -> (policy: [nla_policy], highest: Int) {
    let highest = forms.keys.max() ?? 0
    var policy = [nla_policy](repeating: Form.bytes.policy, count: highest + 1)
    for (type, form) in forms { policy[type] = form.policy }
    return (policy, highest)
  }

  func u8(_ type: Int) -> UInt8? { unsafe table[type].map { unsafe nla_get_u8($0) } }
  func u16(_ type: Int) -> UInt16? { unsafe table[type].map { unsafe nla_get_u16($0) } }
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

  func nested(_ type: Int, forms: [Int: Form]) -> Attributes? {
    guard let attribute = unsafe table[type] else { return nil }
    return unsafe Attributes(nestedIn: attribute, forms: forms)
  }

  func has(_ type: Int) -> Bool { unsafe table[type] != nil }
}
