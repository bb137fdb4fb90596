internal import Dispatch
internal import NetworkPath
internal import OverlineSystem
internal import Synchronization

/// The driver of a window's state machines. Other objects retain the core and not the window, so that releasing the window ends it.
///
/// Events change the state at once, under a lock that is never held during a wait. Their effects on the terminal and the calls of closures
/// happen in a turn of the queue. One turn handles any number of events, with the newest state. So a terminal that accepts no output blocks
/// only the queue.
final class WindowCore: Sendable {
  private struct Listening: Sendable {
    var listeners: [UInt64: AsyncStream<Inset>.Continuation] = [:]
    var last: UInt64 = 0
    /// The inset sent to the listeners last.
    var told = Inset()
    var hasEnded = false
  }

  private let queue = DispatchQueue(label: "overline.window")
  private let screen: any WindowScreen
  private let clock: any WindowClock
  private let paths: NetworkFeed
  private let state: Mutex<WindowState>
  private let listening = Mutex(Listening())
  private let timer = Mutex<(any WindowTimer)?>(nil)
  /// Held while lines are printed. The next holder can rely on all earlier lines being printed; the process takes it before it ends.
  private let telling = Mutex(())

  init(style: TerminalWindow.Style, screen: any WindowScreen, clock: any WindowClock, paths: NetworkFeed) {
    self.screen = screen
    self.clock = clock
    self.paths = paths
    state = Mutex(WindowState(style: style, capabilities: screen.capabilities, size: screen.size))
    let timer = clock.timer(on: queue) { [weak self] in self?.change { $0.handle(.deadlineReached, at: $1) } }
    self.timer.withLock { $0 = timer }
  }

  var belongsToProcess: Bool { screen.belongsToProcess }

  // MARK: - Events

  /// Returns false once the window is closed.
  @discardableResult
  private func change(_ body: (inout WindowState, Duration) -> Void) -> Bool {
    let mustTurn = state.withLock { state -> Bool? in
      if state.isClosed { return nil }
      let now = clock.now
      let wasDue = state.isTurnDue
      state.resize(to: screen.size, at: now)
      body(&state, now)
      return state.isTurnDue && !wasDue
    }
    guard let mustTurn else { return false }
    // Each of several simultaneous events arms the timer from the newest state, so that no outdated deadline is set last.
    timer.withLock { timer in timer?.arm(state.withLock(\.nextDeadline)) }
    if mustTurn { queue.async { [self] in turn() } }
    return true
  }

  func presentBanner(_ appearance: (_ last: Appearance?) -> Appearance) {
    // Run the user's closure outside the lock.
    let banner = appearance(state.withLock { $0.overlays.banner.lastAppearance })
    change { $0.handle(.banner(.bannerPresented(banner)), at: $1) }
  }

  func dismissBanner() { change { $0.handle(.banner(.customBannerDismissed), at: $1) } }

  var isBannerPresented: Bool { state.withLock { $0.overlays.banner.isBannerPresented } }

  func present(_ toast: Toast) {
    let id = state.withLock { state in
      state.lastToast += 1
      return ToastID(rawValue: state.lastToast)
    }
    guard toast.begin(dismissal: { [weak self] in self?.change { $0.handle(.toast(.toastDismissed(id)), at: $1) } })
    else {
      return
    }
    let isPosted = change { state, now in
      state.posted[id] = toast
      state.handle(.toast(.toastPosted(toast.content, id: id)), at: now)
    }
    if !isPosted { queue.async { toast.end() } }
  }

  func monitorNetwork(hideDelay: Duration, noConnection: Appearance, restored: Appearance) {
    change { state, now in
      var settings = state.overlays.banner.settings
      settings.hideDelay = hideDelay
      settings.offline = noConnection
      settings.restored = restored
      state.handle(.banner(.settingsChanged(settings)), at: now)
    }
    paths.add(self)
    // The window may have been closed before or during this call.
    if state.withLock(\.isClosed) { paths.remove(self) }
  }

  /// - Parameter isOld: whether the path was known before. Then a newer path may have come already.
  func learn(_ path: NWPath, isOld: Bool) {
    change { state, now in
      if isOld, state.knowsNetwork { return }
      guard let event = path.bannerEvent(isFirst: !state.knowsNetwork) else { return }
      state.knowsNetwork = true
      state.handle(.banner(event), at: now)
    }
  }

  /// Handles a possible new size of the terminal, or its use by another program.
  func lookAgain() {
    // On this window's queue: a terminal that accepts no output blocks the caller that uses its screen.
    queue.async { [self] in
      screen.forget()
      change { state, _ in state.isTurnDue = true }
    }
  }

  func hardSync() {
    listening.withLock { listening in
      for listener in listening.listeners.values { listener.yield(listening.told) }
    }
    lookAgain()
  }

  // MARK: - Effects

  private func turn() {
    let (content, ended) = state.withLock { state in
      state.isTurnDue = false
      defer { state.ended = [] }
      return (state.content, state.ended)
    }
    if let content { screen.show(content) }
    tellLines()
    if let content { tell(Inset(top: content.top.count, bottom: content.bottom.count)) }
    for toast in ended { toast.end() }
  }

  private func tellLines() {
    telling.withLock { _ in
      let lines = state.withLock { state in
        defer { state.lines = [] }
        return state.lines
      }
      for line in lines { screen.tell(line) }
    }
  }

  private func tell(_ inset: Inset) {
    listening.withLock { listening in
      guard inset != listening.told else { return }
      listening.told = inset
      for listener in listening.listeners.values { listener.yield(inset) }
    }
  }

  var contentRect: TerminalRect {
    change { _, _ in }  // Every event updates the size.
    let (inset, known) = state.withLock { ($0.inset, $0.isClosed ? nil : $0.size) }
    let size = known ?? screen.size ?? WindowSize(rows: 24, columns: 80)
    return TerminalRect(
      row: inset.top + 1, column: 1, rows: size.rows - inset.top - inset.bottom, columns: size.columns)
  }

  var insets: Insets {
    Insets { [weak self] in self?.listen() ?? AsyncStream { $0.finish() } }
  }

  private func listen() -> AsyncStream<Inset> {
    let (stream, continuation) = AsyncStream.makeStream(of: Inset.self, bufferingPolicy: .bufferingNewest(1))
    let number = listening.withLock { listening -> UInt64? in
      if listening.hasEnded { return nil }
      listening.last += 1
      listening.listeners[listening.last] = continuation
      continuation.yield(listening.told)
      return listening.last
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      // Release outside the lock: the released object may take the lock again.
      _ = self?.listening.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  // MARK: - The end

  /// Ends the window. When this returns, pending lines are printed and the window's content is removed.
  func close() {
    let toasts = state.withLock { $0.isClosed ? [] : $0.close() }
    paths.remove(self)
    timer.withLock { $0 = nil }
    tellLines()
    screen.close(atExit: false)
    ProcessTerminals.shared.remove(self)
    let listeners = listening.withLock { listening in
      listening.hasEnded = true
      return listening.listeners.values
    }
    for listener in listeners { listener.finish() }
    if !toasts.isEmpty { queue.async { for toast in toasts { toast.end() } } }
  }

  /// Prints pending lines before the process ends, and restores the terminal.
  func closeAtExit() {
    tellLines()
    screen.close(atExit: true)
  }
}
