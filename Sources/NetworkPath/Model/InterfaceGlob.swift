/// A pattern for interface names: `*` stands for anything, `?` for one character, `[a-z]` and `[!a-z]` for one of (or none of) a
/// set, as in glob(7).
package struct InterfaceGlob: Hashable, Sendable {
  package let pattern: String
  private let parts: [Part]

  private enum Part: Hashable, Sendable {
    case any
    case one
    case literal(Unicode.Scalar)
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  /// The fault of a pattern.
  package struct Invalid: Error, Equatable {
    package let message: String
  }

  package init(_ pattern: String) throws(Invalid) {
    // The kernel's names have 1 to 15 bytes, no slash and no white space (dev_valid_name); a pattern may be longer.
    if pattern.isEmpty { throw Invalid(message: "is empty and matches no interface") }
    if pattern.utf8.count > 64 { throw Invalid(message: "is longer than 64 bytes") }
    for scalar in pattern.unicodeScalars where scalar == "/" || scalar.properties.isWhitespace || scalar.value < 0x20 {
      throw Invalid(message: "has a slash, a space or a control character, which no interface name has")
    }
    self.pattern = pattern
    var parts: [Part] = []
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": if parts.last != .any { parts.append(.any) }
      case "?": parts.append(.one)
      case "[": parts.append(try Self.parseSet(&rest))
      default: parts.append(.literal(scalar))
      }
    }
    self.parts = parts
  }

  private static func parseSet(_ rest: inout Substring.UnicodeScalarView) throws(Invalid) -> Part {
    let isNegated = rest.first == "!"
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    // glob(7): a "]" directly after the opening bracket is a member of the set.
    while let low = rest.popFirst() {
      if low == "]", !ranges.isEmpty { return .set(ranges, isNegated: isNegated) }
      var high = low
      if rest.first == "-", let second = rest.dropFirst().first, second != "]" {
        rest.removeFirst(2)
        high = second
      }
      guard low <= high else { throw Invalid(message: "has a range whose ends are the wrong way round") }
      ranges.append(low...high)
    }
    throw Invalid(message: "has a \"[\" without its \"]\"")
  }

  package func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    // Greedy matching that backtracks only to the newest "*": linear in practice, quadratic at worst, never exponential.
    var part = 0
    var position = 0
    var star: (part: Int, position: Int)?
    while position < name.count {
      if part < parts.count, parts[part] == .any {
        star = (part, position)
        part += 1
      } else if part < parts.count, Self.matches(parts[part], name[position]) {
        part += 1
        position += 1
      } else if let (starPart, starPosition) = star {
        star = (starPart, starPosition + 1)
        part = starPart + 1
        position = starPosition + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }

  private static func matches(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .any, .one: true
    case .literal(let literal): literal == scalar
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
