/// The address families a path is decided for. Raw values are the kernel's `AF_…`.
public enum AddressFamily: UInt8, Hashable, Sendable, CaseIterable {
  /// `AF_INET`.
  case ipv4 = 2
  /// `AF_INET6`.
  case ipv6 = 10

  /// Bits in an address.
  package var width: Int { self == .ipv4 ? 32 : 128 }
}

/// The value of an IPv4 or IPv6 address, as in a ``PathTarget``'s network. ``IPAddress`` is Apple's protocol.
public struct AnyIPAddress: Hashable, Sendable, CustomStringConvertible {
  /// IPv4 or IPv6.
  public let family: AddressFamily
  /// The address as a number, IPv4 in the low 32 bits.
  package let value: UInt128

  /// An address from its number: see ``value``.
  package init(family: AddressFamily, value: UInt128) {
    self.family = family
    self.value = value
  }

  /// From the kernel's bytes in network order: 4 or 16 of them.
  public init?(bytes: some Collection<UInt8>) {
    switch bytes.count {
    case 4: family = .ipv4
    case 16: family = .ipv6
    default: return nil
    }
    value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Network order: 4 or 16 bytes.
  public var bytes: [UInt8] {
    (0..<family.width / 8).reversed().map { UInt8(truncatingIfNeeded: value >> (UInt128($0) * 8)) }
  }

  /// 169.254.0.0/16 (RFC 3927) and fe80::/10 (RFC 4291).
  public var isLinkLocal: Bool {
    switch family {
    case .ipv4: value >> 16 == 0xa9fe
    case .ipv6: value >> 118 == 0x3fa
    }
  }

  /// 127.0.0.0/8 and ::1.
  public var isLoopback: Bool {
    switch family {
    case .ipv4: value >> 24 == 127
    case .ipv6: value == 1
    }
  }

  /// Dotted decimal, or RFC 5952 for IPv6.
  public var description: String {
    switch family {
    case .ipv4: bytes.map { String($0) }.joined(separator: ".")
    case .ipv6: ipv6Description
    }
  }

  private var ipv6Description: String {
    let groups = (0..<8).reversed().map { UInt16(truncatingIfNeeded: value >> (UInt128($0) * 16)) }
    // RFC 5952, 4.2: the longest run of two or more zero groups is written "::", the first of equals.
    var longest = 0..<0
    var start = 0
    while start < 8 {
      guard groups[start] == 0 else {
        start += 1
        continue
      }
      let end = groups[start...].firstIndex { $0 != 0 } ?? 8
      if end - start > max(1, longest.count) { longest = start..<end }
      start = end
    }
    func text(_ part: ArraySlice<UInt16>) -> String { part.map { String($0, radix: 16) }.joined(separator: ":") }
    guard !longest.isEmpty else { return text(groups[...]) }
    return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
  }

  /// From text: `192.0.2.1`, `2001:db8::1`, with an optional scope (`fe80::1%eth0`), which is dropped. A number with a leading zero is
  /// rejected, as by inet_pton(3), since other programs read it as octal.
  public init?(_ text: some StringProtocol) {
    let address = String(text.prefix { $0 != "%" })
    if address.contains(":") {
      guard let value = Self.ipv6(address) else { return nil }
      self.init(family: .ipv6, value: value)
    } else {
      let parts = address.split(separator: ".", omittingEmptySubsequences: false)
      let numbers = parts.compactMap(Self.byte)
      guard parts.count == 4, numbers.count == 4 else { return nil }
      self.init(bytes: numbers)
    }
  }

  /// Rejects signs, which Swift's integer initializers accept.
  private static func byte(_ text: Substring) -> UInt8? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.count == 1 || text.utf8.first != 0x30 else {
      return nil
    }
    return UInt8(text)
  }

  private static func group(_ text: Substring) -> UInt16? {
    guard text.utf8.count <= 4, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
    return UInt16(text, radix: 16)
  }

  private static func ipv6(_ text: String) -> UInt128? {
    var text = text
    // A dotted IPv4 tail counts as two groups.
    if let colon = text.lastIndex(of: ":"), text[colon...].contains(".") {
      guard let tail = AnyIPAddress(text[text.index(after: colon)...]), tail.family == .ipv4 else { return nil }
      text = text[...colon] + String(tail.value >> 16, radix: 16) + ":" + String(tail.value & 0xffff, radix: 16)
    }
    func groups(_ part: Substring) -> [UInt16]? {
      if part.isEmpty { return [] }
      let pieces = part.split(separator: ":", omittingEmptySubsequences: false)
      let numbers = pieces.compactMap(group)
      return numbers.count == pieces.count ? numbers : nil
    }
    let all: [UInt16]
    if let gap = text.indices.first(where: { text[$0...].hasPrefix("::") }) {
      guard let head = groups(text[..<gap]), let tail = groups(text[gap...].dropFirst(2)) else { return nil }
      guard head.count + tail.count < 8 else { return nil }
      all = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    } else {
      guard let whole = groups(text[...]), whole.count == 8 else { return nil }
      all = whole
    }
    return all.reduce(0) { $0 << 16 | UInt128($1) }
  }
}

/// An address and the number of its leading bits that count: `192.0.2.0/24`.
public struct IPPrefix: Hashable, Sendable, CustomStringConvertible {
  /// The first address of the network.
  public let address: AnyIPAddress
  /// Bits that all addresses of the network share: 0 to 32, or to 128 for IPv6.
  public let length: Int

  /// A network by its first address and the length of its prefix in bits.
  public init(address: AnyIPAddress, length: Int) {
    self.address = address
    self.length = length
  }

  /// `default` for the prefix that covers everything, as `ip route` prints it.
  public var description: String { length == 0 ? "default" : "\(address)/\(length)" }
}

extension AnyIPAddress {
  /// The IPv4 address in an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`); any other address unchanged.
  var unmapped: AnyIPAddress {
    family == .ipv6 && value >> 32 == 0xffff ? AnyIPAddress(family: .ipv4, value: value & 0xffff_ffff) : self
  }
}
