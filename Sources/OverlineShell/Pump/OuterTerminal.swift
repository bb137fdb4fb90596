internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// The terminal that the window runs in; raw while the program runs.
struct OuterTerminal: ~Copyable {
  private let own: FileDescriptor?
  /// The shell's modes, restored whenever another process gets the terminal.
  private(set) var modes: TerminalAttributes
  private(set) var isRaw = false

  init() throws(SystemError) {
    modes = try TerminalAttributes(of: 0)
    own = OwnTerminal.reopen(0)
  }

  var reading: Int32 { ownDescriptor ?? 0 }
  var writing: Int32 { ownDescriptor ?? 1 }

  /// The largest write in bytes; nil for no limit. If the terminal could not be reopened, a write may block; small writes block only
  /// briefly.
  var writeLimit: Int? { ownDescriptor == nil ? 256 : nil }

  private var ownDescriptor: Int32? {
    switch own {
    case .some(let descriptor): descriptor.rawValue
    case .none: nil
    }
  }

  /// Nil when the terminal is gone.
  var size: TerminalSize? { WindowSize(of: 0).map(TerminalSize.init) }

  /// Stops the process group while it is in the background. Its first write to the terminal would have the same effect.
  static func waitForForeground(hasProgram: Bool) {
    while !OwnTerminal.isForeground(0), Job.stop(toWrite: true, hasProgram: hasProgram) {}
  }

  mutating func makeRaw() {
    isRaw = (try? modes.raw.apply(to: 0)) != nil
  }

  /// Reads the modes again: the shell may have changed them while it had the terminal.
  mutating func readModes() {
    if let read = try? TerminalAttributes(of: 0) { modes = read }
  }

  mutating func restore() {
    guard isRaw else { return }
    try? modes.apply(to: 0)
    isRaw = false
  }
}
