internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Returns the screen for a descriptor: a terminal to draw on, a window around this program, or a file to write lines to.
func screen(
  on descriptor: Int32, _ style: TerminalWindow.Style, _ ownership: TerminalWindow.Ownership
) -> any WindowScreen {
  let isTerminal = isTerminal(descriptor)
  let capabilities = TerminalCapabilities(environment: { ProcessEnvironment[$0] }, isTerminal: isTerminal)
  if isTerminal, ownership == .automatic, let outer = OuterScreen(around: descriptor, style, capabilities) {
    return outer
  }
  if capabilities.movesCursor { return TerminalScreen(descriptor, style, capabilities) }
  // Redirected output is data, so lines go to standard error. A terminal other than standard output has its own reader and gets them
  // itself.
  return PlainScreen(isTerminal && descriptor != 1 ? descriptor : 2, capabilities)
}

/// A terminal that can be drawn on.
final class TerminalScreen: WindowScreen {
  private struct State {
    /// The content on the terminal; nil while it is unknown.
    var shown: WindowContent?
    /// The `TerminalGuard.foregroundGeneration` at the time of drawing.
    var foregroundGeneration: Int32?
    /// True while our content is on the terminal. A signal must not leave it there.
    var isInUse = false
    /// The size for which the content was computed, while it matters: while content shows, or would show in a larger terminal.
    var watchedSize: WindowSize?
    /// Reports output that may have erased the content, while content shows.
    var output: OutputWatch?
    var isClosed = false
  }

  private struct Keys {
    /// Exists while an alert shows and this program is in the foreground.
    var reader: KeyReader?
    /// Another thread may still be about to capture.
    var isClosed = false
  }

  /// The longest time after which the content is repainted while output continues. After a pause of one frame it is repainted sooner.
  private static let maximumErasure = Duration.milliseconds(250)

  let capabilities: TerminalCapabilities
  private let descriptor: Int32
  private let style: TerminalWindow.Style
  /// Whether the program's standard output appears on this terminal.
  private let isStandardOutput: Bool
  private let state = Mutex(State())
  private let queue = Mutex<DispatchQueue?>(nil)
  private let keys = Mutex(Keys())

  init(_ descriptor: Int32, _ style: TerminalWindow.Style, _ capabilities: TerminalCapabilities) {
    self.descriptor = descriptor
    self.style = style
    self.capabilities = capabilities
    isStandardOutput = descriptor == 1 || OwnTerminal.isSame(1, descriptor)
  }

  var size: WindowSize? { WindowSize(of: descriptor)?.known ?? WindowSize(rows: 24, columns: 80) }
  var belongsToProcess: Bool { true }
  var terminal: Int32? { descriptor }

  func begin(on queue: DispatchQueue, onResize: @escaping @Sendable () -> Void) { self.queue.withLock { $0 = queue } }

  func show(_ content: WindowContent) {
    let hasReleased = state.withLock { state in
      let wasInUse = state.isInUse
      show(content, &state)
      return wasInUse && !state.isInUse
    }
    if hasReleased { ProcessTerminals.shared.repaintOthers(on: descriptor) }
  }

  var hasNewSize: Bool {
    guard let old = state.withLock(\.watchedSize) else { return false }
    return size.map { $0 != old } ?? false
  }

  private func show(_ content: WindowContent, _ state: inout State) {
    if state.isClosed { return }
    watch(content.isEmpty && !content.waitsForRoom ? nil : content.size, &state)
    // Other threads still run for a moment while a signal stops the process. After it continues, they run before this class is notified.
    let foregroundGeneration = TerminalGuard.foregroundGeneration
    if foregroundGeneration == nil, !content.isEmpty { return }
    if foregroundGeneration != state.foregroundGeneration { state.shown = nil }
    state.foregroundGeneration = foregroundGeneration
    if content == state.shown || content.isEmpty && !state.isInUse { return }
    // Another program is in the foreground: wait until this program is in the foreground again and something changes.
    guard OwnTerminal.isForeground(descriptor) else { return }
    let bytes: [UInt8] =
      switch style {
      case .inline: content.drawnInline(over: state.shown, isReserved: state.isInUse)
      case .fullScreen: content.drawnFullScreen(over: state.shown)
      }
    // Guard the terminal before it holds content that a signal could leave behind.
    if !content.isEmpty { use(true, &state) }
    let isWritten = write(bytes, &state) {
      content.isEmpty || TerminalGuard.foregroundGeneration == foregroundGeneration
    }
    if content.isEmpty { use(false, &state) }
    if isWritten { state.shown = content }
    // A signal handler removed the old content during this write: remove the new content too.
    if isWritten, style == .inline, TerminalGuard.foregroundGeneration == nil {
      _ = write(Array(InlineRows.release.utf8), &state)
    }
  }

  /// The window shows the change; no line is needed.
  func tell(_ line: String) {}

  var canAsk: Bool { queue.withLock { $0 } != nil && OwnTerminal.isForeground(descriptor) }

  func capture(_ onKeys: (@Sendable ([AlertKey]) -> Void)?) -> Bool {
    keys.withLock { keys in
      guard !keys.isClosed, let onKeys, let queue = queue.withLock({ $0 }) else {
        keys.reader = nil
        return false
      }
      if let reader = keys.reader {
        reader.takeKeys()
        return false
      }
      keys.reader = KeyReader(
        descriptor, queue: queue, onKeys: onKeys, onFailure: { [weak self] in self?.keys.withLock { $0.reader = nil } })
      return keys.reader != nil
    }
  }

  func forget() { state.withLock { $0.shown = nil } }

  func close(atExit: Bool) {
    keys.withLock { $0 = Keys(isClosed: true) }
    state.withLock { state in
      switch style {
      case .fullScreen where atExit: break
      case .inline, .fullScreen:
        show(WindowContent(size: state.shown?.size ?? WindowSize(rows: 24, columns: 80)), &state)
        use(false, &state)
      }
      watch(nil, &state)
      state.isClosed = true
    }
  }

  private func watch(_ size: WindowSize?, _ state: inout State) {
    let was = state.watchedSize != nil
    state.watchedSize = size
    if was != (size != nil) { ProcessTerminals.shared.watchSizes(!was) }
  }

  private func use(_ isOn: Bool, _ state: inout State) {
    guard isOn != state.isInUse else { return }
    state.isInUse = isOn
    // If there is no watch, because the user's inotify instances are used up, an erased banner comes back only at its next change.
    state.output = isOn ? queue.withLock { $0 }.flatMap { try? OutputWatch(descriptor, queue: $0) } : nil
    if isOn { awaitOutput(state) }
    switch style {
    case .inline:
      if isOn {
        TerminalGuard.add(descriptor, repairedBy: Array(InlineRows.release.utf8))
      } else {
        TerminalGuard.remove(descriptor)
      }
    // The program restores the whole screen itself.
    case .fullScreen: break
    }
  }

  // MARK: Output of others

  private func awaitOutput(_ state: State) {
    state.output?.next { [weak self] in self?.outputArrived(since: BootClock.now) }
  }

  /// Waits until nothing was written for one frame: then no sequence is half written.
  private func outputArrived(since first: Duration) {
    let isOver = state.withLock { state in
      guard let output = state.output else { return true }
      if output.takeOutput() { return false }
      // Our own output caused the event.
      awaitOutput(state)
      return true
    }
    if isOver { return }
    queue.withLock { $0 }?.asyncAfter(deadline: .now() + Motion.frameInterval.dispatchInterval) { [weak self] in
      self?.outputContinued(since: first)
    }
  }

  private func outputContinued(since first: Duration) {
    let isQuiet = state.withLock { state in
      guard let output = state.output else { return true }
      if output.takeOutput(), BootClock.now - first < Self.maximumErasure { return false }
      repaint(&state)
      awaitOutput(state)
      return true
    }
    if isQuiet { return }
    queue.withLock { $0 }?.asyncAfter(deadline: .now() + Motion.frameInterval.dispatchInterval) { [weak self] in
      self?.outputContinued(since: first)
    }
  }

  /// Paints the content where it was.
  private func repaint(_ state: inout State) {
    guard let shown = state.shown, !shown.isEmpty, !state.isClosed, size == shown.size,
      let generation = TerminalGuard.foregroundGeneration, generation == state.foregroundGeneration,
      OwnTerminal.isForeground(descriptor)
    else { return }
    _ = write(shown.repainted, &state) { TerminalGuard.foregroundGeneration == generation }
  }

  /// Writes all bytes at once, with no output of the program between them.
  ///
  /// - Parameter isWanted: called right before the write, since waiting for the program's output may take long.
  /// - Returns: false if nothing was written.
  private func write(_ bytes: [UInt8], _ state: inout State, if isWanted: () -> Bool = { true }) -> Bool {
    let output = state.output
    func write() throws(SystemError) -> Bool {
      guard isWanted() else { return false }
      // Discard the event of our own output, which erases nothing, before the program can write again: its output may erase the content.
      defer { _ = output?.takeOutput() }
      try writeAll(bytes, to: descriptor)
      return true
    }
    let result = Result { () throws(SystemError) in
      try isStandardOutput ? StandardOutput.afterEverythingPrinted(write) : write()
    }
    return (try? result.get()) ?? false
  }
}

extension WindowContent {
  /// Prevents a half-drawn frame (mode 2026; other terminals ignore it).
  private func atOnce(_ bytes: [UInt8]) -> [UInt8] { Array("\u{1b}[?2026h".utf8) + bytes + Array("\u{1b}[?2026l".utf8) }

  /// - Parameters:
  ///   - old: the content on the terminal; nil while it is unknown.
  ///   - isReserved: whether margins are set.
  fileprivate func drawnInline(over old: WindowContent?, isReserved: Bool) -> [UInt8] {
    if bottom.isEmpty { return atOnce(Array(InlineRows.release.utf8)) }
    let fits = isReserved && old.map { $0.size == size && $0.bottom.count == bottom.count } ?? false
    let reserving = fits ? [] : Array(InlineRows.reserve(bottom.count, of: size.rows).utf8)
    return atOnce(reserving + InlineRows.paint(bottom, from: size.rows - bottom.count + 1))
  }

  /// The rows at their places, without new margins.
  fileprivate var repainted: [UInt8] {
    atOnce(InlineRows.paint(top, from: 1) + InlineRows.paint(bottom, from: size.rows - bottom.count + 1))
  }

  fileprivate func drawnFullScreen(over old: WindowContent?) -> [UInt8] {
    // Blank the rows that we no longer use. After a resize their places are unknown, and the program redraws everything anyway.
    let before = old.flatMap { $0.size == size ? $0 : nil }
    let blank: [[UInt8]] = [Array("\u{1b}[K".utf8)]
    let head = top + Array(repeating: blank[0], count: max(0, (before?.top.count ?? 0) - top.count))
    let foot = Array(repeating: blank[0], count: max(0, (before?.bottom.count ?? 0) - bottom.count)) + bottom
    return atOnce(InlineRows.paint(head, from: 1) + InlineRows.paint(foot, from: size.rows - foot.count + 1))
  }
}
