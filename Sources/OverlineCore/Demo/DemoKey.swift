/// A key of a demonstration.
package enum DemoKey: Equatable, Sendable {
  case quit
  case machine(DemoMachine.Key)

  /// Parses what a terminal sends, arrows in both of their forms (DECCKM). Ignores all other keys.
  package static func keys(in bytes: [UInt8]) -> [DemoKey] {
    var keys: [DemoKey] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "q"), UInt8(ascii: "Q"): keys.append(.quit)
      case UInt8(ascii: " "): keys.append(.machine(.pause))
      case 0x1b where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
        let final = rest.dropFirst().first { (0x40...0x7e).contains($0) }
        rest = rest.dropFirst().drop { !(0x40...0x7e).contains($0) }.dropFirst()
        switch final {
        case UInt8(ascii: "A"), UInt8(ascii: "D"): keys.append(.machine(.previous))
        case UInt8(ascii: "B"), UInt8(ascii: "C"): keys.append(.machine(.next))
        case _: break
        }
      case _: break
      }
    }
    return keys
  }
}
