internal import COverlineNetlink

/// The attributes of one message, in its buffer. libnl walks them and never leaves the given bytes. Each value's size is checked before the
/// value is read: a truncated value counts as missing.
///
/// Valid only as long as the message's buffer.
@safe
struct Attributes {
  private let bytes: UnsafeRawBufferPointer

  /// Attributes in plain bytes, such as those of one leg of a multipath route.
  init(in bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
  }

  /// The attributes after a family header of `headerSize` bytes.
  init(_ message: UnsafeMutablePointer<nlmsghdr>, headerSize: Int) {
    unsafe self.init(
      in: UnsafeRawBufferPointer(
        start: nlmsg_attrdata(message, Int32(headerSize)), count: max(0, Int(nlmsg_attrlen(message, Int32(headerSize))))
      ))
  }

  /// The first attribute of a type.
  func withBytes<Result>(_ type: Int, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    guard let start = unsafe bytes.baseAddress,
      let attribute = unsafe nla_find(start.assumingMemoryBound(to: nlattr.self), Int32(bytes.count), Int32(type))
    else { return nil }
    return unsafe body(UnsafeRawBufferPointer(start: nla_data(attribute), count: Int(nla_len(attribute))))
  }

  func u8(_ type: Int) -> UInt8? { unsafe withBytes(type) { unsafe load($0) } }
  func u16(_ type: Int) -> UInt16? { unsafe withBytes(type) { unsafe load($0) } }
  func u32(_ type: Int) -> UInt32? { unsafe withBytes(type) { unsafe load($0) } }
  /// - Parameter offset: in bytes, of a number in a larger structure.
  func u64(_ type: Int, at offset: Int = 0) -> UInt64? {
    unsafe withBytes(type) { bytes in
      bytes.count >= offset ? unsafe load(UnsafeRawBufferPointer(rebasing: bytes[offset...])) : nil
    }
  }

  /// Text up to a final zero. The kernel sends one; this also accepts text without.
  func string(_ type: Int) -> String? {
    unsafe withBytes(type) { bytes in
      unsafe String(decoding: bytes[..<(bytes.firstIndex(of: 0) ?? bytes.endIndex)], as: UTF8.self)
    }
  }

  func address(_ type: Int) -> AnyIPAddress? { unsafe withBytes(type) { unsafe AnyIPAddress(networkOrder: $0) } }

  func nested(_ type: Int) -> Attributes? { unsafe withBytes(type) { unsafe Attributes(in: $0) } }

  private func load<Number: FixedWidthInteger & BitwiseCopyable>(_ bytes: UnsafeRawBufferPointer) -> Number? {
    bytes.count >= MemoryLayout<Number>.size ? unsafe bytes.loadUnaligned(as: Number.self) : nil
  }
}

extension AnyIPAddress {
  /// From 4 or 16 bytes of a message.
  init?(networkOrder bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 4: self.init(family: .ipv4, value: UInt128(unsafe UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
    case 16: self.init(family: .ipv6, value: unsafe UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self)))
    default: return nil
    }
  }
}
