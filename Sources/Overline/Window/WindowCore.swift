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
  private let queue = DispatchQueue(label: "overline.window")
  /// Runs the program's closures.
  private let executor: QueueExecutor
  private let screen: any WindowScreen
  private let clock: any WindowClock
  let paths: NetworkFeed
  private let state: Mutex<WindowState>
  let insets = Listeners(TerminalInsets())
  /// While it has consumers, the terminal's size is looked at.
  private let rects: Listeners<TerminalRect>
  private let timer = Mutex<(any WindowTimer)?>(nil)
  /// Held while lines are printed, so that the next holder finds all earlier lines printed. The process acquires it before it exits.
  private let printLock = Mutex(())
  /// Whether a check of the terminal's size waits in the queue.
  private let isLooking = Atomic(false)
  private let hadNewSize = Atomic(false)

  init(style: TerminalWindow.Style, screen: any WindowScreen, clock: any WindowClock, paths: NetworkFeed) {
    self.screen = screen
    self.clock = clock
    self.paths = paths
    executor = QueueExecutor(queue)
    let belongsToProcess = screen.belongsToProcess
    rects = Listeners(TerminalRect(row: 1, column: 1, rows: 0, columns: 0)) { isUsed in
      if belongsToProcess { ProcessTerminals.shared.watchSizes(isUsed) }
    }
    state = Mutex(
      WindowState(
        style: style, capabilities: screen.capabilities, drawsAlertsOnly: screen.drawsAlertsOnly, size: screen.size))
    let timer = clock.timer(on: queue) { [weak self] in self?.reachDeadline() }
    self.timer.withLock { $0 = timer }
    screen.begin(on: queue) { [weak self] in self?.lookAgain() }
  }

  var belongsToProcess: Bool { screen.belongsToProcess }

  // MARK: - Events

  /// Returns false once the window is closed.
  @discardableResult
  private func change(_ body: (inout WindowState, Duration) -> Void) -> Bool {
    let mustTurn = state.withLock { state -> Bool? in
      if state.isClosed { return nil }
      let now = clock.now
      let wasDue = state.pending.isTurnDue
      state.resize(to: screen.size, at: now)
      body(&state, now)
      return state.pending.isTurnDue && !wasDue
    }
    guard let mustTurn else { return false }
    // Each of several simultaneous events arms the timer from the newest state, so that no outdated deadline is set last.
    timer.withLock { timer in timer?.arm(state.withLock(\.nextDeadline)) }
    if mustTurn { queue.async { [self] in turn() } }
    return true
  }

  /// Handles an event that may show something, after a look whether the user wants quiet.
  @discardableResult
  private func show(_ body: (inout WindowState, Duration) -> Void) -> Bool {
    let quiet = QuietFile.period(at: clock.now)
    return change { state, now in
      state.handle(.quietChanged(quiet), at: now)
      body(&state, now)
    }
  }

  /// A pause may have been made longer: at its end the window looks again.
  private func reachDeadline() {
    let isQuiet = state.withLock(\.overlays.isQuiet)
    if isQuiet { show { $0.handle(.deadlineReached, at: $1) } } else { change { $0.handle(.deadlineReached, at: $1) } }
  }

  func presentBanner(_ appearance: (_ last: BannerAppearance?) -> BannerAppearance) {
    // Run the user's closure outside the lock.
    let banner = appearance(state.withLock { $0.overlays.banner.lastAppearance })
    if show({ $0.handle(.banner(.bannerPresented(banner)), at: $1) }) { screen.present(banner) }
  }

  func dismissBanner() {
    if change({ $0.handle(.banner(.customBannerDismissed), at: $1) }) { screen.present(nil) }
  }

  var isBannerPresented: Bool { state.withLock { $0.overlays.banner.isBannerPresented } }

  func present(_ toast: Toast) {
    let id = state.withLock { state in
      state.lastToast += 1
      return ToastID(rawValue: state.lastToast)
    }
    let key = "\(ProcessEnvironment.processID).\(id.rawValue)"
    let isNew = toast.begin { [weak self, screen] in
      self?.change { $0.handle(.toast(.toastDismissed(id)), at: $1) }
      screen.dismissToast(key: key)
    }
    guard isNew else { return }
    let isPosted = show { state, now in
      state.posted[id] = toast
      state.handle(.toast(.toastPosted(toast.content, id: id)), at: now)
    }
    if isPosted { screen.present(toast.content, key: key) } else { toast.finish()(executor) }
  }

  /// - Parameter feed: the source of the paths; nil for that of the process.
  func monitorNetwork(
    _ feed: NetworkFeed? = nil, hideDelay: Duration, noConnection: BannerAppearance, restored: BannerAppearance
  ) {
    let feed = feed ?? paths
    endMonitoring(unless: feed)
    change { state, now in
      var settings = state.overlays.banner.settings
      settings.hideDelay = hideDelay
      settings.offline = noConnection
      settings.restored = restored
      state.feed = feed
      state.handle(.banner(.settingsChanged(settings)), at: now)
    }
    feed.add(self)
    // The window may have been closed, or another call may have ended or changed the source, before or during this call.
    if state.withLock({ $0.isClosed || $0.feed !== feed }) { feed.remove(self) }
  }

  /// Ends the network's banner, and the use of its source.
  func endMonitoring(unless next: NetworkFeed? = nil) {
    guard let old = state.withLock(\.feed), old !== next else { return }
    change { state, now in
      state.feed = nil
      state.endNetwork(at: now)
    }
    old.remove(self)
  }

  /// - Parameter isOld: whether the path was known before. Then a newer path may have come already.
  func learn(_ path: NWPath, isOld: Bool, from feed: NetworkFeed) {
    show { state, now in
      if state.feed !== feed || isOld && state.knowsNetwork { return }
      guard let event = path.bannerEvent(isFirst: !state.knowsNetwork) else { return }
      state.knowsNetwork = true
      state.handle(.banner(event), at: now)
    }
  }

  func lookAtSize() {
    // At most one check waits in the queue, even if the terminal accepts no output for a long time.
    guard !isLooking.exchange(true, ordering: .relaxed) else { return }
    queue.async { [self] in
      isLooking.store(false, ordering: .relaxed)
      // Repaint again at the next check: the kernel may report a new size before the terminal itself uses it.
      let isNew = screen.hasNewSize
      if isNew || hadNewSize.exchange(false, ordering: .relaxed) { lookAgain() }
      if isNew { hadNewSize.store(true, ordering: .relaxed) }
      sendRect()
    }
  }

  /// Whether this window has content on that terminal now.
  func isShowing(on terminal: Int32) -> Bool {
    guard let own = screen.terminal, state.withLock({ !$0.isClosed && $0.content?.isEmpty == false }) else {
      return false
    }
    return own == terminal || OwnTerminal.isSame(own, terminal)
  }

  /// Handles a possible new size of the terminal, or its use by another program.
  func lookAgain() {
    // On this window's queue: a terminal that accepts no output blocks the caller that uses its screen.
    queue.async { [self] in
      screen.forget()
      change { state, _ in state.pending.isTurnDue = true }
    }
  }

  /// Removes the content until ``resume()`` has been called as often. Returns when the terminal has accepted the removal.
  func suspend() async {
    change { state, _ in
      state.suspensions += 1
      state.pending.isTurnDue = true
    }
    await withCheckedContinuation { done in
      // Another thread may have marked the turn as due without having queued it yet.
      queue.async { [self] in
        turn()
        done.resume()
      }
    }
  }

  func resume() {
    state.withLock { $0.suspensions -= 1 }
    lookAgain()
  }

  func hardSync() {
    insets.resend()
    rects.resend()
    lookAgain()
  }

  // MARK: - Effects

  private func turn() {
    let (content, isAsking, ended, answers) = state.withLock { state in
      let pending = state.pending
      state.pending = WindowState.Pending(lines: pending.lines)
      return (state.content, state.isAsking, pending.ended, pending.answers)
    }
    if let content { screen.show(content) }
    readKeys(isAsking, content)
    printLines()
    if let content { insets.send(TerminalInsets(top: content.top.count, bottom: content.bottom.count)) }
    sendRect()
    for toast in ended { toast.finish()(executor) }
    for answer in answers { answer.give(answer.answer) }
  }

  // MARK: - Alerts

  /// - Returns: the number of the button, or why there is none.
  func ask(_ alert: Alert) async -> AlertAnswer<Int> {
    let id = state.withLock { state in
      state.lastAlert += 1
      return AlertID(rawValue: state.lastAlert)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        let isPosted =
          screen.canAsk
          && change { state, now in
            state.asked[id] = { done.resume(returning: $0) }
            state.handle(.alert(.alertPosted(alert, id: id)), at: now)
          }
        if !isPosted { done.resume(returning: .impossible) }
        if Task.isCancelled { withdraw(id) }
      }
    } onCancel: {
      withdraw(id)
    }
  }

  private func withdraw(_ id: AlertID) {
    change { state, now in
      state.handle(.alert(.alertWithdrawn(id)), at: now)
      state.answer(id, .dismissed)
    }
  }

  /// Reads keys while an alert shows. Refuses an alert for which there is no room.
  private func readKeys(_ isAsking: Bool, _ content: WindowContent?) {
    guard isAsking else { return _ = screen.capture(nil) }
    guard content?.hasAlert == true else {
      change { $0.handle(.alert(.alertsRefused(.noRoom)), at: $1) }
      return
    }
    let hasBegun = screen.capture { [weak self] keys in
      self?.change { for key in keys { $0.handle(.alert(.keyPressed(key)), at: $1) } }
    }
    if hasBegun { change { $0.handle(.alert(.alertAppeared), at: $1) } }
  }

  private func printLines() {
    printLock.withLock { _ in
      let lines = state.withLock { state in
        defer { state.pending.lines = [] }
        return state.pending.lines
      }
      for line in lines { screen.tell(line) }
    }
  }

  private func sendRect() {
    if rects.hasConsumers { rects.send(contentRect) }
  }

  var contentRect: TerminalRect {
    change { _, _ in }  // Every event updates the size.
    let (inset, known) = state.withLock { ($0.inset, $0.isClosed ? nil : $0.size) }
    let size = known ?? screen.terminalSize ?? WindowSize(rows: 24, columns: 80)
    return TerminalRect(
      row: inset.top + 1, column: 1, rows: size.rows - inset.top - inset.bottom, columns: size.columns)
  }

  func contentRects() -> AsyncStream<TerminalRect> {
    rects.send(contentRect)
    return rects.listen()
  }

  // MARK: - The end

  /// Ends the window. When this returns, pending lines are printed and the window's content is removed.
  func close() {
    let ((toasts, answers), feed) = state.withLock { ($0.isClosed ? ([], []) : $0.close(), $0.feed) }
    feed?.remove(self)
    timer.withLock { $0 = nil }
    printLines()
    screen.close(atExit: false)
    ProcessTerminals.shared.remove(self)
    if let terminal = screen.terminal { ProcessTerminals.shared.repaintOthers(on: terminal) }
    insets.end()
    rects.end()
    let ends = toasts.map { $0.finish() }
    queue.async { [executor] in
      for end in ends { end(executor) }
      for answer in answers { answer.give(answer.answer) }
    }
  }

  /// Prints pending lines before the process ends, and restores the terminal.
  func closeAtExit() {
    printLines()
    screen.close(atExit: true)
  }
}
