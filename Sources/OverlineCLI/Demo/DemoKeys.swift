internal import Dispatch
internal import OverlineCore
internal import OverlineSystem

/// The keys of a demonstration, from the terminal until this is released. Ctrl-C and Ctrl-Z stay signals.
final class DemoKeys: Sendable {
  enum Key: Equatable {
    case quit
    case machine(DemoMachine.Key)
  }

  private let terminal: SharedDescriptor
  private let modes: TerminalAttributes
  private let source: ReadSource

  /// Nil without a terminal, or in its background.
  init?(queue: DispatchQueue, pressed: @escaping @Sendable (Key) -> Void) {
    guard let opened = OwnTerminal.open(), OwnTerminal.isForeground(opened.rawValue),
      let modes = try? TerminalAttributes(of: opened.rawValue)
    else { return nil }
    let terminal = SharedDescriptor(opened)
    self.terminal = terminal
    self.modes = modes
    do throws(SystemError) {
      try modes.keywise.apply(to: terminal.descriptor.rawValue)
      source = try ReadSource(descriptor: terminal.descriptor.rawValue, keeping: terminal, queue: queue) {
        guard let bytes = try? terminal.descriptor.read(atMost: 64) else { return }
        Self.keys(bytes).forEach(pressed)
      }
    } catch {
      return nil
    }
  }

  deinit { try? modes.apply(to: terminal.descriptor.rawValue) }

  /// Parses what a terminal sends, arrows in both of their forms (DECCKM). Ignores all other keys.
  static func keys(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
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
