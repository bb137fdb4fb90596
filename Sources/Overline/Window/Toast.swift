internal import OverlineSystem
internal import Synchronization

/// Short feedback that blocks nothing and disappears by itself.
///
/// Create one with ``ToastPresenting/toast(_:message:style:duration:edge:key:rows:onDismiss:)`` of a window.
public final class Toast: Sendable {
  private enum Life: Sendable {
    case new
    /// Shows or waits for its turn; the closure dismisses it.
    case presented(@Sendable () -> Void)
    case over
  }

  /// The content of the toast.
  public let content: ToastContent

  private let life = Mutex(Life.new)
  private let onDismiss: (@isolated(any) @Sendable () -> Void)?
  /// The streams that end with the toast; nil afterwards.
  private let waiting = Mutex<[AsyncStream<Void>.Continuation]?>([])

  /// Creates a toast for ``ToastPresenting/present(_:)``. It is not presented yet.
  ///
  /// - Parameters:
  ///   - content: the content of the toast.
  ///   - onDismiss: called once, when the toast has ended, on the actor that created it, such as the main actor. A closure of no actor
  ///     runs on the window's queue.
  // `Task.init` inherits the caller's actor by the same attribute: there is no other way yet.
  public init(
    _ content: ToastContent, @_inheritActorContext onDismiss: (@isolated(any) @Sendable () -> Void)? = nil
  ) {
    self.content = content
    self.onDismiss = onDismiss
  }

  /// True from presentation until the toast has left the screen, including the wait for its turn.
  public var isPresented: Bool {
    life.withLock {
      switch $0 {
      case .presented: true
      case .new, .over: false
      }
    }
  }

  /// Waits until the toast has left the screen, or will never be shown, and its `onDismiss` has run. Returns early if the task is cancelled.
  public func ended() async {
    let (end, continuation) = AsyncStream.makeStream(of: Void.self)
    let isOver = waiting.withLock { waiting in
      waiting?.append(continuation)
      return waiting == nil
    }
    if isOver { return }
    for await _ in end {}
  }

  /// Dismisses the toast to the edge it came from. Has no effect after its end.
  public func dismiss() {
    let dismissal = life.withLock { life -> (@Sendable () -> Void)? in
      switch life {
      case .presented(let dismissal): dismissal
      case .new, .over: nil
      }
    }
    dismissal?()
  }

  /// Marks the toast as presented. Called by its presenter.
  ///
  /// - Parameter dismissal: the action of ``dismiss()``: removes the toast from the screen, and calls ``end()`` once it is gone.
  /// - Returns: whether to show it. A toast is presented only once.
  public func begin(dismissal: @escaping @Sendable () -> Void) -> Bool {
    life.withLock { life in
      switch life {
      case .presented, .over: return false
      case .new:
        life = .presented(dismissal)
        return true
      }
    }
  }

  /// Reports that the toast is gone or will never be shown. Called by its presenter; runs `onDismiss`. Further calls have no effect.
  public func end() { finish()(nil) }

  /// Marks the toast as gone.
  ///
  /// - Returns: a function that reports the end, and runs `onDismiss` on an executor if it belongs to no actor. Call it without a lock.
  func finish() -> @Sendable (QueueExecutor?) -> Void {
    // Release outside the lock: a deinit may take the lock again.
    let before = life.withLock { life in
      defer { life = .over }
      return life
    }
    return { [self] executor in
      switch before {
      case .over: break
      case .new, .presented:
        guard let onDismiss else { return finishWaiting() }
        Task(executorPreference: executor) {
          await onDismiss()
          self.finishWaiting()
        }
      }
    }
  }

  private func finishWaiting() {
    let ends = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    for end in ends ?? [] { end.finish() }
  }
}

/// A presenter of toasts: a ``TerminalWindow``, or a test's stand-in. Logic that only posts messages needs only this protocol, no terminal.
///
///     struct Uploads<Toasts: ToastPresenting> {
///       let toasts: Toasts
///       func done() { toasts.toast("Uploaded", style: .success) }
///     }
public protocol ToastPresenting {
  /// Shows a toast, now or when its turn comes.
  ///
  /// An implementation calls ``Toast/begin(dismissal:)``, shows ``Toast/content``, and calls ``Toast/end()`` when the toast has left the
  /// screen. A stand-in that only records requests need not do this: then ``Toast/ended()`` never returns, and ``Toast/isPresented`` stays false.
  func present(_ toast: Toast)
}

extension ToastPresenting {
  /// Shows a toast. Toasts show one at a time, in the order of the calls. When more than 32 wait, the oldest is dropped. A toast with the
  /// same content as a shown or waiting one replaces it, and its time starts again.
  ///
  ///     window.toast("Saved", message: "Your changes have been stored.", style: .success) { print("gone") }
  ///
  /// - Parameters:
  ///   - title: a few words; control characters are removed.
  ///   - message: further text.
  ///   - style: its colours and icon.
  ///   - duration: the time for which it stays, at least 3 seconds; nil or zero until dismissed.
  ///   - edge: the edge at which it appears in a full-screen window.
  ///   - key: a toast with the key of a shown or waiting one replaces it: one toast that changes.
  ///   - rows: custom content, at most 8 rows, in place of title and message. Without a terminal, title and message are printed.
  ///   - onDismiss: called once, when it has left the screen for any reason, on the caller's actor: see
  ///     ``Toast/init(_:onDismiss:)``.
  /// - Returns: the toast, for dismissing it.
  @discardableResult
  public func toast(
    _ title: String, message: String? = nil, style: ToastStyle = .info,
    duration: Duration? = ToastContent.minimumDuration, edge: ToastEdge = .top, key: String? = nil,
    rows: [[StyledText]] = [], @_inheritActorContext onDismiss: (@isolated(any) @Sendable () -> Void)? = nil
  ) -> Toast {
    let content = ToastContent(
      title: title, message: message, style: style, duration: duration, edge: edge, key: key, rows: rows)
    let toast = Toast(content, onDismiss: onDismiss)
    present(toast)
    return toast
  }
}

extension ToastPresenting {
  /// Shows a toast with nothing but a message: ``toast(_:message:style:duration:edge:key:rows:onDismiss:)`` with the message as its title.
  @discardableResult
  public func toast(
    message: String, style: ToastStyle = .info, duration: Duration? = ToastContent.minimumDuration,
    edge: ToastEdge = .top, @_inheritActorContext onDismiss: (@isolated(any) @Sendable () -> Void)? = nil
  ) -> Toast {
    toast(message, style: style, duration: duration, edge: edge, onDismiss: onDismiss)
  }
}

/// A type that shows its toasts in ``TerminalWindow/current``, without a window of its own.
///
///     struct Uploads: ToastDisplayable {
///       func done() { toast("Uploaded", style: .success) }
///     }
///
/// A type that should show nothing in a test takes a ``ToastPresenting`` in place of this.
public protocol ToastDisplayable: ToastPresenting {}

extension ToastDisplayable {
  public func present(_ toast: Toast) { TerminalWindow.current.present(toast) }
}

extension TerminalWindow: ToastPresenting {
  /// Shows a toast, now or when its turn comes. A toast that was presented before is not shown again.
  public func present(_ toast: Toast) { core.present(toast) }
}
