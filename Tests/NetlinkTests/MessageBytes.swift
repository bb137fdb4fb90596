/// The kernel's messages as bytes, valid or with any error that a test needs. Numbers are those of rtnetlink.h and related headers.
enum MessageBytes {
  static let newLink: UInt16 = 16
  static let deleteLink: UInt16 = 17
  static let newAddress: UInt16 = 20
  static let newRoute: UInt16 = 24
  static let newRule: UInt16 = 32
  static let newNexthop: UInt16 = 104
  static let error: UInt16 = 2

  /// A message: `length` is the length in its header, when that differs from the true one.
  static func message(_ type: UInt16, flags: UInt16 = 0, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
    let claimed = UInt32(truncatingIfNeeded: length ?? body.count + 16)
    return bytes(claimed) + bytes(type) + bytes(flags) + bytes(UInt32(1)) + bytes(UInt32(0)) + body
  }

  /// An attribute, padded to 4 bytes as the kernel does.
  static func attribute(_ type: UInt16, _ value: [UInt8], length: Int? = nil) -> [UInt8] {
    let unpadded = bytes(UInt16(truncatingIfNeeded: length ?? value.count + 4)) + bytes(type) + value
    return unpadded + [UInt8](repeating: 0, count: (4 - unpadded.count % 4) % 4)
  }

  /// `struct ifinfomsg`, an Ethernet link that is up and has carrier.
  static func linkHeader(index: Int32 = 7, flags: UInt32 = 0x1_1043) -> [UInt8] {
    [0, 0] + bytes(UInt16(1)) + bytes(index) + bytes(flags) + bytes(UInt32.max)
  }

  /// `struct ifaddrmsg`
  static func addressHeader(family: UInt8 = 2, index: UInt32 = 7) -> [UInt8] { [family, 24, 0x80, 0] + bytes(index) }

  /// `struct rtmsg` of a default route
  static func routeHeader(family: UInt8 = 2) -> [UInt8] { [family, 0, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0] }

  /// `struct nhmsg`
  static func nexthopHeader(flags: UInt32 = 0) -> [UInt8] { [2, 0, 0, 0] + bytes(flags) }

  /// `struct rtnexthop` and its attributes.
  static func leg(_ interface: Int32, flags: UInt8 = 0, _ attributes: [UInt8] = [], length: Int? = nil) -> [UInt8] {
    bytes(UInt16(truncatingIfNeeded: length ?? attributes.count + 8)) + [flags, 0] + bytes(interface) + attributes
  }

  static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

  // MARK: Messages with every attribute

  static let link = message(
    newLink,
    linkHeader() + attribute(3, Array("eth0".utf8) + [0]) + attribute(16, [6]) + attribute(5, bytes(UInt32(3)))
      + attribute(10, bytes(UInt32(4))) + attribute(18 | 0x8000, attribute(1, Array("vlan".utf8) + [0])))

  static let address = message(
    newAddress,
    addressHeader() + attribute(1, [192, 0, 2, 9]) + attribute(2, [192, 0, 2, 2]) + attribute(8, bytes(UInt32(0x200))))

  static let multipath = message(
    newRoute,
    routeHeader() + attribute(7, [192, 0, 2, 2])
      + attribute(
        9,
        leg(7, attribute(5, [192, 0, 2, 1]))
          + leg(8, flags: 16, attribute(18, [10, 0, 0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]))))

  static let route = message(
    newRoute, routeHeader() + attribute(4, bytes(UInt32(7))) + attribute(5, [192, 0, 2, 1]))

  static let nexthop = message(
    newNexthop, nexthopHeader() + attribute(5, bytes(UInt32(7))) + attribute(6, [192, 0, 2, 1]))

  static let group = message(
    newNexthop,
    nexthopHeader() + attribute(2, bytes(UInt32(11)) + bytes(UInt32(0)) + bytes(UInt32(12)) + bytes(UInt32(0))))

  static let rule = message(newRule, routeHeader() + attribute(10, bytes(UInt32(0xca6c))))

  static let refusal = message(error, flags: 0x200, bytes(Int32(-101)) + [UInt8](repeating: 0, count: 16))

  static let all = [link, address, multipath, route, nexthop, group, rule, refusal]
}
