internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Reads the keys of a terminal while an alert shows. Its deinit restores the terminal's attributes.
final class KeyReader: Sendable {
  private let before: TerminalAttributes
  private let terminal: Terminal
  private let source: ReadSource
  private let rewriter: Mutex<InputRewriter>

  /// Dispatch may hold the descriptor longer than the reader lives.
  private final class Terminal: Sendable {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    var raw: Int32 { descriptor.rawValue }
  }

  /// An ESC that no byte follows within this time is the Escape key.
  private static let pause = DispatchTimeInterval.milliseconds(25)

  private static let capturing: InputContext = {
    var context = InputContext()
    context.isCapturing = true
    return context
  }()

  /// Nil if the terminal cannot be read, as in the background.
  ///
  /// - Parameter onFailure: called on the queue when the terminal can no longer be read, as when this program is continued in the background.
  ///   The reader must go then: what is typed for another program would wake it for ever.
  init?(
    _ descriptor: Int32, queue: DispatchQueue, onKeys: @escaping @Sendable ([AlertKey]) -> Void,
    onFailure: @escaping @Sendable () -> Void
  ) {
    guard OwnTerminal.isForeground(descriptor), let reopened = OwnTerminal.reopen(descriptor),
      let before = try? TerminalAttributes(of: reopened.rawValue)
    else { return nil }
    let terminal = Terminal(reopened)
    let box = Box()
    guard
      let source = try? ReadSource(
        descriptor: terminal.raw, keeping: terminal, queue: queue,
        handler: { box.reader?.read(queue, onKeys, onFailure) })
    else { return nil }
    self.before = before
    self.terminal = terminal
    self.source = source
    rewriter = Mutex(InputRewriter())
    box.set(self)
    takeKeys()
  }

  /// Gives the source's handler access to the reader, which is initialized after its source.
  private final class Box: Sendable {
    private struct Weak: Sendable { weak var reader: KeyReader? }
    private let held = Mutex(Weak())
    var reader: KeyReader? { held.withLock(\.reader) }
    func set(_ reader: KeyReader) { held.withLock { $0.reader = reader } }
  }

  deinit {
    TerminalAttributes.unguard()
    if OwnTerminal.isForeground(terminal.raw) { try? before.apply(to: terminal.raw) }
  }

  /// Sets the terminal's attributes for reading keys; also called again after a stop.
  func takeKeys() {
    guard OwnTerminal.isForeground(terminal.raw) else { return }
    before.guarding(terminal.raw)
    try? before.keywise.apply(to: terminal.raw)
  }

  private func read(
    _ queue: DispatchQueue, _ onKeys: @escaping @Sendable ([AlertKey]) -> Void, _ onFailure: () -> Void
  ) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try terminal.descriptor.read() } catch {
      if !error.isWouldBlock { onFailure() }
      return
    }
    // The end of a terminal that is gone.
    if bytes.isEmpty { return onFailure() }
    let isUnfinished = rewriter.withLock { rewriter in
      var ignored: [UInt8] = []
      rewriter.rewrite(bytes, Self.capturing, into: &ignored)
      return rewriter.isHolding
    }
    hand(onKeys)
    guard isUnfinished else { return }
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      guard let self else { return }
      rewriter.withLock { rewriter in
        var ignored: [UInt8] = []
        if rewriter.isHolding { rewriter.release(into: &ignored) }
      }
      hand(onKeys)
    }
  }

  private func hand(_ onKeys: ([AlertKey]) -> Void) {
    let keys = rewriter.withLock { $0.takeOverlayInput() }.compactMap { input -> AlertKey? in
      if case .alertKey(let key) = input { key } else { nil }
    }
    if !keys.isEmpty { onKeys(keys) }
  }
}
