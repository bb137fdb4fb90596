internal import Dispatch
package import Overline
package import OverlineCore
package import OverlineSystem
internal import Synchronization

/// A tmux server as a window for banners and toasts. Pass it each new frame of both.
///
/// Calls never wait. There is one slot: while tmux works on a frame, only the newest of the following frames is kept. At most one `tmux`
/// runs per server, and between frames none.
///
///     let window = TmuxWindow(server: server, guardian: guardian, onInset: …, onGone: …, onError: …)
///     window.update(banner: banner.frame, toast: toasts.frame)    // at once, and after each change; nil when hidden
///     window.close { … }
package final class TmuxWindow: Sendable {
  package let server: TmuxServer

  private let queue: DispatchQueue
  /// Rings when the slot has work.
  private let bell: QueueBell
  private let slot: Mutex<Slot>
  private let presenter: Mutex<TmuxPresenter>
  private let onInset: @Sendable (Inset) -> Void
  private let onGone: @Sendable () -> Void
  private let onError: @Sendable (String) -> Void

  /// At most six frames in a fade of 250 ms or a slide of 300 ms, the first and the last included.
  private static let frameInterval: Duration = .milliseconds(50)
  /// The pauses between attempts, doubling each time: a stopped server or a sleeping machine may recover soon or only after hours.
  private static let retryPauses = Duration.milliseconds(500)...Duration.seconds(60)

  private struct Slot {
    var content = TmuxContent()
    var reserve: TmuxReserve
    var isAnew = false
    var isScheduled = false
    var isEnded = false
    /// Non-nil once ``TmuxWindow/close(completion:)`` was called.
    var completions: [@Sendable (TmuxError?) -> Void]?
    var lastFrame: Duration = .zero
    /// Failed attempts since the last success.
    var failures = 0
    /// The last attempt's error. It is reported once, not with every attempt.
    var lastError: String?
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
    end: BootTimer? = nil, onInset: @escaping @Sendable (Inset) -> Void = { _ in },
    onGone: @escaping @Sendable () -> Void = {},
    onError: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.server = server
    self.onInset = onInset
    self.onGone = onGone
    self.onError = onError
    queue = DispatchQueue(label: "overline.tmux")
    slot = Mutex(Slot(reserve: reserve))
    presenter = Mutex(
      TmuxPresenter(server: server, sessions: sessions, guardian: guardian, end: end, reserve: reserve))
    bell = QueueBell(queue: queue)
    // This retains the window until it has ended. So close the window instead of just releasing it.
    bell.start { self.work() }
  }

  /// Shows both frames, each in its own status line; nil means no line. The first call, even without frames, undoes a crashed monitor's
  /// changes in the server.
  ///
  /// A toast's line is at the edge of the user's status lines, even if the toast requests another edge. It shows title and message without
  /// the toast's own rows.
  package func update(banner: BannerFrame?, toast: ToastFrame?) {
    change { $0.content = TmuxContent(banner: banner, toast: toast) }
  }

  /// Reads the server's options again, and reserves lines anew. For the plugin's call after a reload of the configuration, which may have
  /// reset any option.
  package func reload(reserve: TmuxReserve) {
    change {
      $0.reserve = reserve
      $0.isAnew = true
    }
  }

  /// Gives all lines back, then calls `completion` on another thread, with an error if that failed. The guardian then tries again when this
  /// process ends. Later calls of other methods do nothing.
  package func close(completion: @escaping @Sendable (TmuxError?) -> Void = { _ in }) {
    let isOver = slot.withLock { slot in
      if slot.isEnded { return true }
      slot.completions = (slot.completions ?? []) + [completion]
      return false
    }
    if isOver { return queue.async { completion(nil) } }
    change { _ in }
  }

  private func change(_ body: (inout Slot) -> Void) {
    let isNew = slot.withLock { slot in
      if slot.isEnded { return false }
      body(&slot)
      defer { slot.isScheduled = true }
      return !slot.isScheduled
    }
    if isNew { bell.ring() }
  }

  /// Presents the slot's content, or closes the window. Runs on the serial queue, so never twice at a time.
  private func work() {
    let isShowing = presenter.withLock { $0.isShowing }
    var wait: Duration = .zero
    let taken = slot.withLock { slot -> Slot? in
      wait = slot.lastFrame + Self.frameInterval - BootClock.now
      if isShowing, !slot.content.isEmpty, slot.completions == nil, wait > .zero { return nil }
      defer {
        slot.isScheduled = false
        slot.isAnew = false
        slot.lastFrame = BootClock.now
      }
      return slot
    }
    guard let taken else {
      queue.asyncAfter(deadline: .now() + wait.dispatchInterval) { self.work() }
      return
    }
    perform(taken)
  }

  private func perform(_ taken: Slot) {
    let isClosing = taken.completions != nil
    let before = presenter.withLock { $0.inset }
    var isGone = false
    var failure: TmuxError?
    do throws(TmuxError) {
      try presenter.withLock { presenter throws(TmuxError) in
        if isClosing { return try presenter.leave() }
        try presenter.present(taken.content, reserve: taken.reserve, anew: taken.isAnew, warn: onError)
      }
      slot.withLock { slot in
        slot.failures = 0
        slot.lastError = nil
      }
    } catch {
      isGone = error.code == .serverGone
      // If the last restore failed, the guardian keeps the server in its list and tries again when this process ends.
      if isGone { presenter.withLock { $0.forget() } }
      if !isGone {
        failure = error
        handleFailure(error, of: taken)
      }
    }
    let inset = presenter.withLock { $0.inset }
    if inset != before { onInset(inset) }
    if isGone || isClosing { end(isGone: isGone && !isClosing, failure) }
  }

  /// Retries the newest frame. The next frame may be hours away, especially when the failed attempt was a removal.
  private func handleFailure(_ error: TmuxError, of taken: Slot) {
    let (isNews, attempt, pause) = slot.withLock { slot in
      defer { slot.lastError = error.description }
      slot.failures += 1
      if taken.isAnew { slot.isAnew = true }
      let pause = Self.retryPauses.lowerBound * (1 << min(slot.failures - 1, 16))
      return (slot.lastError != error.description, slot.failures, min(pause, Self.retryPauses.upperBound))
    }
    if isNews { onError(error.description) }
    // A later attempt would meet every other error again.
    guard error.code == .failed, taken.completions == nil else { return }
    queue.asyncAfter(deadline: .now() + pause.dispatchInterval) {
      // Otherwise a later attempt has succeeded, or has scheduled a retry itself.
      if self.slot.withLock({ $0.failures == attempt }) { self.change { _ in } }
    }
  }

  private func end(isGone: Bool, _ failure: TmuxError?) {
    let completions = slot.withLock { slot in
      slot.isEnded = true
      return slot.completions ?? []
    }
    bell.cancel()
    if isGone { onGone() }
    for completion in completions { completion(failure) }
  }
}
