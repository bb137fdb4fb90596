internal import OverlineSystem
internal import Synchronization

/// What a window has on a descriptor: a terminal to draw on, or lines to write.
func screen(on descriptor: Int32, _ style: TerminalWindow.Style) -> any WindowScreen {
  let isTerminal = isTerminal(descriptor)
  let capabilities = TerminalCapabilities(environment: { ProcessEnvironment[$0] }, isTerminal: isTerminal)
  if capabilities.movesCursor { return TerminalScreen(descriptor, style, capabilities) }
  // What is redirected is data. A terminal of its own has its own reader.
  return PlainScreen(isTerminal && descriptor != 1 ? descriptor : 2, capabilities)
}

/// A terminal that can be drawn on.
final class TerminalScreen: WindowScreen {
  private struct State {
    /// What is on the terminal; nil when that is not known.
    var shown: WindowContent?
    /// When that was drawn.
    var tenure: Int32?
    /// Whether something of ours is on it, which a signal must not leave there.
    var isInUse = false
    /// Whether its size matters: while something shows, or would in a larger one.
    var isWatched = false
    var isClosed = false
  }

  let capabilities: TerminalCapabilities
  private let descriptor: Int32
  private let style: TerminalWindow.Style
  /// Whether what the program prints appears on this terminal.
  private let isStandardOutput: Bool
  private let state = Mutex(State())

  init(_ descriptor: Int32, _ style: TerminalWindow.Style, _ capabilities: TerminalCapabilities) {
    self.descriptor = descriptor
    self.style = style
    self.capabilities = capabilities
    isStandardOutput = descriptor == 1 || OwnTerminal.isSame(1, descriptor)
  }

  var size: WindowSize? { WindowSize(of: descriptor)?.known ?? WindowSize(rows: 24, columns: 80) }
  var belongsToProcess: Bool { true }

  func show(_ content: WindowContent) { state.withLock { show(content, &$0) } }

  private func show(_ content: WindowContent, _ state: inout State) {
    if state.isClosed { return }
    watch(!content.isEmpty || content.waitsForRoom, &state)
    // Other threads go on for a moment while a signal stops the process, and before anybody knows that it goes on.
    let tenure = TerminalGuard.tenure
    if tenure == nil, !content.isEmpty { return }
    if tenure != state.tenure { state.shown = nil }
    state.tenure = tenure
    if content == state.shown || content.isEmpty && !state.isInUse { return }
    // Another program's terminal, until this one is in front again and something changes.
    guard OwnTerminal.isForeground(descriptor) else { return }
    let bytes: [UInt8] =
      switch style {
      case .inline: content.drawnInline(over: state.shown, isReserved: state.isInUse)
      case .fullScreen: content.drawnFullScreen(over: state.shown)
      }
    // Before anything is there that a signal would leave behind.
    if !content.isEmpty { use(true, &state) }
    let isWritten = write(bytes) { content.isEmpty || TerminalGuard.tenure == tenure }
    if content.isEmpty { use(false, &state) }
    if isWritten { state.shown = content }
    // It was on its way while the others were taken away.
    if isWritten, style == .inline, TerminalGuard.tenure == nil { _ = write(Array(InlineRows.release.utf8)) }
  }

  /// It is seen.
  func tell(_ line: String) {}

  func forget() { state.withLock { $0.shown = nil } }

  func close(atExit: Bool) {
    state.withLock { state in
      switch style {
      case .fullScreen where atExit: break
      case .inline, .fullScreen:
        show(WindowContent(size: state.shown?.size ?? WindowSize(rows: 24, columns: 80)), &state)
        use(false, &state)
      }
      state.isClosed = true
    }
  }

  private func watch(_ isOn: Bool, _ state: inout State) {
    guard isOn != state.isWatched else { return }
    state.isWatched = isOn
    TerminalGuard.watchResizes(isOn)
  }

  private func use(_ isOn: Bool, _ state: inout State) {
    guard isOn != state.isInUse else { return }
    state.isInUse = isOn
    switch style {
    case .inline:
      if isOn {
        TerminalGuard.add(descriptor, repairedBy: Array(InlineRows.release.utf8))
      } else {
        TerminalGuard.remove(descriptor)
      }
    // Its program leaves the whole screen as it found it.
    case .fullScreen: break
    }
  }

  /// Everything at once, and nothing that the program prints between.
  ///
  /// - Parameter isWanted: asked at the last moment: it takes as long as the program prints.
  /// - Returns: false where it was not written.
  private func write(_ bytes: [UInt8], if isWanted: () -> Bool = { true }) -> Bool {
    func write() throws(SystemError) -> Bool {
      guard isWanted() else { return false }
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
  /// Nobody sees half of it (mode 2026, ignored where it is unknown).
  private func atOnce(_ bytes: [UInt8]) -> [UInt8] { Array("\u{1b}[?2026h".utf8) + bytes + Array("\u{1b}[?2026l".utf8) }

  /// - Parameters:
  ///   - old: what is there; nil when that is not known.
  ///   - isReserved: whether margins are set.
  fileprivate func drawnInline(over old: WindowContent?, isReserved: Bool) -> [UInt8] {
    if bottom.isEmpty { return atOnce(Array(InlineRows.release.utf8)) }
    let fits = isReserved && old.map { $0.size == size && $0.bottom.count == bottom.count } ?? false
    let reserving = fits ? [] : Array(InlineRows.reserve(bottom.count, of: size.rows).utf8)
    return atOnce(reserving + InlineRows.paint(bottom, from: size.rows - bottom.count + 1))
  }

  fileprivate func drawnFullScreen(over old: WindowContent?) -> [UInt8] {
    // What is no longer ours is blank. After a resize nobody knows where it went, and the program draws all of its own anyway.
    let before = old.flatMap { $0.size == size ? $0 : nil }
    let blank: [[UInt8]] = [Array("\u{1b}[K".utf8)]
    let head = top + Array(repeating: blank[0], count: max(0, (before?.top.count ?? 0) - top.count))
    let foot = Array(repeating: blank[0], count: max(0, (before?.bottom.count ?? 0) - bottom.count)) + bottom
    return atOnce(InlineRows.paint(head, from: 1) + InlineRows.paint(foot, from: size.rows - foot.count + 1))
  }
}
