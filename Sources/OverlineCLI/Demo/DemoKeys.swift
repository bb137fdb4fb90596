internal import Dispatch
internal import OverlineCore
internal import OverlineSystem

/// The keys of a demonstration, from the terminal until this is released. Ctrl-C and Ctrl-Z stay signals.
final class DemoKeys: Sendable {
  private let terminal: SharedDescriptor
  private let modes: TerminalAttributes
  private let source: ReadSource

  /// Nil without a terminal, or in its background.
  init?(queue: DispatchQueue, pressed: @escaping @Sendable (DemoKey) -> Void) {
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
        DemoKey.keys(in: bytes).forEach(pressed)
      }
    } catch {
      return nil
    }
  }

  deinit { try? modes.apply(to: terminal.descriptor.rawValue) }
}
