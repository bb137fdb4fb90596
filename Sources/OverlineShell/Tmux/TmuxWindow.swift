internal import Dispatch
package import Overline
package import OverlineCore
internal import OverlineProcess
package import OverlineSystem
internal import Synchronization

/// A tmux server as a window for banners and toasts. Pass it each new frame of both.
///
/// Calls never wait. ``TmuxWindowMachine`` decides when a frame is due. This window runs at most one `tmux`
/// at a time, and none between frames. ``TmuxFleet`` asks its questions beside it.
///
///     let window = TmuxWindow(server: server, guardian: guardian, onInset: …, onGone: …, onError: …)
///     window.show(TmuxContent(banner: …, toast: …))    // at once, and after each change
///     window.close { … }
package final class TmuxWindow: Sendable {
  package let server: TmuxServer

  private let queue: DispatchQueue
  /// Rings when there are effects.
  private let bell: QueueBell
  private let state: Mutex<State>
  /// Used on the queue only.
  private let presenter: Mutex<TmuxPresenter<TmuxClient>>
  private let onInset: @Sendable (TerminalInsets) -> Void
  private let onGone: @Sendable () -> Void
  private let onError: @Sendable (String) -> Void

  private struct State {
    var machine: TmuxWindowMachine
    /// Effects that wait for the queue.
    var effects: [TmuxWindowMachine.Effect] = []
    var armed: Duration?
    var completions: [@Sendable (TmuxError?) -> Void] = []
  }

  /// - Parameters:
  ///   - sessions: the sessions that the caller has found in the server; they spare a reading.
  ///   - reserve: the setting of the server's owner, or else the configuration's.
  ///   - guardian: gives the lines back if this process dies. Nil only in tests.
  ///   - end: when it is due, it ends every wait for `tmux`, also one in progress. For the end of this process.
  ///   - onInset: called whenever the rows that our lines occupy at the edge of `status-position` change.
  ///   - onGone: called once when the server has ended. All three are called on another thread.
  ///   - onError: called with a log message after a failure. The window retries by itself, with ever longer pauses.
  package init(
    server: TmuxServer, sessions: Set<String> = [], reserve: TmuxReserve = .auto, guardian: GuardianProcess? = nil,
    end: BootTimer? = nil, onInset: @escaping @Sendable (TerminalInsets) -> Void = { _ in },
    onGone: @escaping @Sendable () -> Void = {},
    onError: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.server = server
    self.onInset = onInset
    self.onGone = onGone
    self.onError = onError
    queue = DispatchQueue(label: "overline.tmux")
    state = Mutex(State(machine: TmuxWindowMachine(reserve: reserve)))
    presenter = Mutex(
      TmuxPresenter(TmuxClient(server, guardian: guardian, until: end), sessions: sessions, reserve: reserve))
    bell = QueueBell(queue: queue)
    // This retains the window until it has ended. So close the window instead of just releasing it.
    bell.start { self.work() }
  }

  /// Shows both frames, each in its own status line; nil means no line. The first call, even without frames, undoes a crashed monitor's
  /// changes in the server.
  ///
  /// A toast's line is at the edge of the user's status lines, even if the toast requests another edge. It shows title and message without
  /// the toast's own rows.
  package func show(_ content: TmuxContent) { handle(.contentChanged(content)) }

  /// Reads the server's options again, and reserves lines anew. For the plugin's call after a reload of the configuration, which may have
  /// reset any option.
  package func reload(reserve: TmuxReserve) { handle(.reloaded(reserve)) }

  /// Gives all lines back, then calls `completion` on another thread, with an error if that failed. The guardian then tries again when this
  /// process ends. Later calls of other methods do nothing.
  package func close(completion: @escaping @Sendable (TmuxError?) -> Void = { _ in }) {
    let isOver = state.withLock { state in
      if state.machine.hasEnded { return true }
      state.completions.append(completion)
      return false
    }
    if isOver { return queue.async { completion(nil) } }
    handle(.closed)
  }

  /// Ends the window of a server that has ended. Later calls of other methods do nothing.
  func abandon() { handle(.abandoned) }

  private func handle(_ event: TmuxWindowMachine.Event) {
    let (hasEffects, deadline) = state.withLock { state in
      state.effects += state.machine.handle(event, at: BootClock.now)
      let deadline = state.machine.nextDeadline
      defer { state.armed = deadline }
      return (!state.effects.isEmpty, deadline == state.armed ? nil : deadline)
    }
    if hasEffects { bell.ring() }
    guard let deadline else { return }
    queue.asyncAfter(deadline: .now() + (deadline - BootClock.now).dispatchInterval) {
      // If this is early, the deadline is armed anew.
      self.state.withLock { $0.armed = nil }
      self.handle(.deadlineReached)
    }
  }

  /// Carries out what is due. Runs on the serial queue, so never twice at a time.
  private func work() {
    let effects = state.withLock { state in
      defer { state.effects = [] }
      return state.effects
    }
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: TmuxWindowMachine.Effect) {
    switch effect {
    case .present(let content, let reserve, let isAnew):
      run { presenter throws(TmuxError) in
        try presenter.present(content, reserve: reserve, anew: isAnew, warn: onError)
      }
    case .leave: run { presenter throws(TmuxError) in try presenter.leave() }
    case .warn(let text): onError(text)
    case .end(let isGone, let error):
      let completions = state.withLock(\.completions)
      bell.cancel()
      if isGone { onGone() }
      for completion in completions { completion(error) }
    }
  }

  private func run(_ body: (inout TmuxPresenter<TmuxClient>) throws(TmuxError) -> Void) {
    if state.withLock(\.machine.isAbandoned) { return handle(.done(nil, isShowing: false)) }
    let before = presenter.withLock { $0.inset }
    var failure: TmuxError?
    do throws(TmuxError) {
      try presenter.withLock { presenter throws(TmuxError) in try body(&presenter) }
    } catch {
      failure = error
      // After another error the guardian keeps the server in its list, and tries again when this process ends.
      let isOurs = state.withLock { !$0.machine.isAbandoned }
      if error.code == .serverGone, isOurs { presenter.withLock { $0.forget() } }
    }
    let (inset, isShowing) = presenter.withLock { ($0.inset, $0.isShowing) }
    if inset != before { onInset(inset) }
    handle(.done(failure, isShowing: isShowing))
  }
}
