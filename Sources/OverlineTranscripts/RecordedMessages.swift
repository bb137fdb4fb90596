internal import COverlineNetlink
internal import NetworkPath

/// The part of the kernel's messages that a recording keeps: what ``MessageParser`` reads, and no more.
///
/// The kernel's messages also contain what the user wrote for other readers (an interface's alias and alternative names, an address's
/// label), what a driver knows (hardware addresses, names of ports, wireless events) and the settings of tunnels. No decision uses it, and
/// the user could not find it in hexadecimal before sending the recording. So it is left out here. A parser that reads another attribute
/// needs it in this table, or a replay decides without it.
enum RecordedMessages {
  /// What to keep of an attribute.
  private indirect enum Kept {
    case whole
    /// Only its length.
    case length
    /// Only its first bytes.
    case first(Int)
    case nested([Int: Kept])
    /// `IFLA_LINKINFO`: its attributes mean something else in each kind of link.
    case linkInfo
    /// `RTA_MULTIPATH`: each leg is a `struct rtnexthop` with its own attributes.
    case legs([Int: Kept])
  }

  /// By the message's type: the size of its fixed header, a multiple of 4, and its attributes. Of other types the recording keeps only the type.
  private static let table: [Int: (headerSize: Int, attributes: [Int: Kept])] = [
    RTM_NEWLINK: (
      MemoryLayout<ifinfomsg>.size,
      [
        IFLA_IFNAME: .whole, IFLA_OPERSTATE: .whole, IFLA_LINK: .whole, IFLA_MASTER: .whole, IFLA_LINK_NETNSID: .whole,
        IFLA_LINKINFO: .linkInfo,
        // Whether there is a device, but not which; of the counters only the packets.
        MessageParser.parentDeviceName: .length, IFLA_STATS64: .first(16),
      ]
    ),
    RTM_DELLINK: (MemoryLayout<ifinfomsg>.size, [:]),
    RTM_NEWADDR: (MemoryLayout<ifaddrmsg>.size, addressAttributes),
    RTM_DELADDR: (MemoryLayout<ifaddrmsg>.size, addressAttributes),
    RTM_NEWROUTE: (
      MemoryLayout<rtmsg>.size,
      [
        Int(RTA_DST.rawValue): .whole, Int(RTA_OIF.rawValue): .whole, Int(RTA_PREFSRC.rawValue): .whole,
        Int(RTA_TABLE.rawValue): .whole, Int(RTA_CACHEINFO.rawValue): .whole, Int(RTA_NH_ID.rawValue): .whole,
        Int(RTA_MULTIPATH.rawValue): .legs(gateways),
      ].merging(gateways) { first, _ in first }
    ),
    RTM_NEWNEXTHOP: (
      MemoryLayout<nhmsg>.size, [Int(NHA_GROUP): .whole, Int(NHA_OIF): .whole, Int(NHA_GATEWAY): .whole]
    ),
    RTM_NEWRULE: (MemoryLayout<fib_rule_hdr>.size, [Int(FRA_FWMARK): .whole]),
    // The decision needs to know whether the router has a hardware address, but not which.
    RTM_NEWNEIGH: (
      MemoryLayout<ndmsg>.size, [Int(NDA_DST): .whole, Int(NDA_CACHEINFO): .whole, Int(NDA_LLADDR): .length]
    ),
    // An error repeats the question, and can have a text of the kernel's.
    Int(NLMSG_ERROR): (MemoryLayout<nlmsgerr>.size, [:]),
    Int(NLMSG_DONE): (MemoryLayout<Int32>.size, [:]),
  ]

  private static let addressAttributes: [Int: Kept] = [
    Int(IFA_ADDRESS): .whole, Int(IFA_LOCAL): .whole, Int(IFA_FLAGS): .whole,
  ]

  private static let gateways: [Int: Kept] = [Int(RTA_GATEWAY.rawValue): .whole, Int(RTA_VIA.rawValue): .whole]

  private static let linkData: [String: [Int: Kept]] = [
    "tun": [Int(IFLA_TUN_TYPE): .whole], "vxlan": [Int(IFLA_VXLAN_LINK): .whole],
  ]

  /// A datagram with only what a recording keeps. Never empty: without any message it is one zero byte, which the parser ignores too.
  static func kept(of datagram: [UInt8]) -> [UInt8] {
    var rest = datagram[...]
    var kept: [UInt8] = []
    let headerSize = MemoryLayout<nlmsghdr>.size
    while rest.count >= headerSize {
      let length = Int(rest.number(at: 0, as: UInt32.self))
      guard length >= headerSize, length <= rest.count else { break }
      var message = Array(rest.prefix(headerSize))
      if let (size, attributes) = table[Int(rest.number(at: 4, as: UInt16.self))] {
        let data = rest.prefix(length).dropFirst(headerSize)
        message += data.prefix(size)
        message += self.attributes(data.dropFirst(size), keeping: attributes)
      }
      message.set(UInt32(message.count), at: 0)
      kept.appendAligned(message)
      rest = rest.dropFirst(length.aligned)
    }
    return kept.isEmpty ? [0] : kept
  }

  private static func attributes(_ bytes: ArraySlice<UInt8>, keeping kept: [Int: Kept]) -> [UInt8] {
    var result: [UInt8] = []
    forEachAttribute(in: bytes) { type, header, value in
      guard let rule = kept[type] else { return }
      switch rule {
      case .whole: result.append(attribute: header, Array(value))
      case .length: result.append(attribute: header, Array(repeating: 0, count: value.count))
      case .first(let count): result.append(attribute: header, Array(value.prefix(count)))
      case .nested(let inner): result.append(attribute: header, attributes(value, keeping: inner))
      case .linkInfo: result.append(attribute: header, attributes(value, keeping: linkInfo(value)))
      case .legs(let inner): result.append(attribute: header, legs(value, keeping: inner))
      }
    }
    return result
  }

  private static func linkInfo(_ bytes: ArraySlice<UInt8>) -> [Int: Kept] {
    var kind = ""
    forEachAttribute(in: bytes) { type, _, value in
      if type == Int(IFLA_INFO_KIND), kind.isEmpty { kind = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return [Int(IFLA_INFO_KIND): .whole, Int(IFLA_INFO_DATA): .nested(linkData[kind] ?? [:])]
  }

  private static func legs(_ bytes: ArraySlice<UInt8>, keeping kept: [Int: Kept]) -> [UInt8] {
    let headerSize = MemoryLayout<rtnexthop>.size
    var rest = bytes
    var result: [UInt8] = []
    while rest.count >= headerSize {
      let length = Int(rest.number(at: 0, as: UInt16.self))
      guard length >= headerSize, length <= rest.count else { break }
      var leg = rest.prefix(headerSize) + attributes(rest.prefix(length).dropFirst(headerSize), keeping: kept)
      leg.set(UInt16(leg.count), at: 0)
      result += leg
      rest = rest.dropFirst(length.aligned)
    }
    return result
  }

  /// Ends at the first attribute that lies about its length, as libnl does.
  private static func forEachAttribute(
    in bytes: ArraySlice<UInt8>, _ body: (_ type: Int, _ header: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void
  ) {
    let headerSize = MemoryLayout<nlattr>.size
    var rest = bytes
    while rest.count >= headerSize {
      let length = Int(rest.number(at: 0, as: UInt16.self))
      guard length >= headerSize, length <= rest.count else { return }
      // The two highest bits say that the value is nested, and in which byte order it is.
      let type = Int(rest.number(at: 2, as: UInt16.self) & 0x3fff)
      body(type, rest.prefix(headerSize), rest.prefix(length).dropFirst(headerSize))
      rest = rest.dropFirst(length.aligned)
    }
  }
}

extension Int {
  /// Netlink aligns messages and attributes to 4 bytes.
  fileprivate var aligned: Int { (self + 3) & ~3 }
}

extension ArraySlice<UInt8> {
  /// A number in the machine's byte order, which netlink uses.
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as: Number.Type) -> Number {
    unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }

  fileprivate mutating func set(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    let start = startIndex + offset
    unsafe Swift.withUnsafeBytes(of: number) { unsafe replaceSubrange(start..<start + $0.count, with: $0) }
  }
}

extension [UInt8] {
  fileprivate mutating func set(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    unsafe Swift.withUnsafeBytes(of: number) { unsafe replaceSubrange(offset..<offset + $0.count, with: $0) }
  }

  fileprivate mutating func appendAligned(_ bytes: some Collection<UInt8>) {
    self += bytes
    self += Array(repeating: 0, count: count.aligned - count)
  }

  /// Appends an attribute with a new value under its old header.
  fileprivate mutating func append(attribute header: ArraySlice<UInt8>, _ value: [UInt8]) {
    var attribute = Array(header) + value
    attribute.set(UInt16(attribute.count), at: 0)
    appendAligned(attribute)
  }
}
