internal import Synchronization

/// Short feedback that blocks nothing and disappears by itself.
///
/// Create one with ``ToastPresenting/toast(_:message:style:duration:edge:rows:onDismiss:)`` of a window.
public final class Toast: Sendable {
  /// The edge from which a toast enters. An inline window shows all toasts above its last row.
  public typealias Edge = VerticalEdge

  private enum Life: Sendable {
    case new
    /// Shows or waits for its turn; the closure dismisses it.
    case presented(@Sendable () -> Void)
    case over
  }

  /// The content of the toast.
  public let content: ToastContent

  private let life = Mutex(Life.new)
  private let onDismiss: (@Sendable () -> Void)?
  /// The streams that end with the toast.
  private let waiting = Mutex<[AsyncStream<Void>.Continuation]>([])

  /// Creates a toast for ``ToastPresenting/present(_:)``. It is not presented yet.
  ///
  /// - Parameters:
  ///   - content: the content of the toast.
  ///   - onDismiss: called once, when the toast has ended.
  public init(_ content: ToastContent, onDismiss: (@Sendable () -> Void)? = nil) {
    self.content = content
    self.onDismiss = onDismiss
  }

  /// True from presentation until the toast has left the screen, including the wait for its turn.
  ///
  /// Setting it to false dismisses the toast. Setting it to true presents a toast that was never presented, in ``TerminalWindow/current``.
  /// A toast that has ended is not presented again.
  public var isPresented: Bool {
    get {
      life.withLock {
        switch $0 {
        case .presented: true
        case .new, .over: false
        }
      }
    }
    set { if newValue { TerminalWindow.current.present(self) } else { dismiss() } }
  }

  /// Waits until the toast has left the screen, or will never be shown. Returns early if the task is cancelled.
  public func ended() async {
    let (end, continuation) = AsyncStream.makeStream(of: Void.self)
    let isOver = life.withLock { life in
      if case .over = life { return true }
      waiting.withLock { $0.append(continuation) }
      return false
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
  public func end() { finish()() }

  /// Marks the toast as gone.
  ///
  /// - Returns: a function that reports the end. Call it without a lock.
  func finish() -> @Sendable () -> Void {
    // Release outside the lock: a deinit may take the lock again.
    let before = life.withLock { life in
      defer { life = .over }
      return life
    }
    return { [self] in
      switch before {
      case .new, .presented: onDismiss?()
      case .over: break
      }
      for end in waiting.withLock({ waiting in
        defer { waiting = [] }
        return waiting
      }) { end.finish() }
    }
  }
}

/// A presenter of toasts: a ``TerminalWindow``, or a test's stand-in. Logic that only posts messages needs only this protocol, no terminal.
///
///     struct Uploads<Toasts: ToastPresenting> {
///       let toasts: Toasts
///       func done() { toasts.toast("Uploaded", style: .success) }
///     }
public protocol ToastPresenting {
  /// Shows a toast, now or when its turn comes; by default in ``TerminalWindow/current``.
  ///
  /// An implementation calls ``Toast/begin(dismissal:)``, shows ``Toast/content``, and calls ``Toast/end()`` when the toast has left the
  /// screen. A stand-in that only records requests need not do this.
  func present(_ toast: Toast)
}

extension ToastPresenting {
  public func present(_ toast: Toast) { TerminalWindow.current.present(toast) }

  /// Shows a toast. Toasts show one at a time, in the order of the calls. When more than 32 wait, the oldest is dropped. A toast with the
  /// same content as a shown or waiting one replaces it, and its time starts again.
  ///
  ///     window.toast("Saved", message: "Your changes have been stored.", style: .success) { print("gone") }
  ///
  /// - Parameters:
  ///   - title: a few words; control characters are removed.
  ///   - message: further text. Empty for none.
  ///   - style: its colours and icon.
  ///   - duration: the time for which it stays, at least 3 seconds; nil or zero until dismissed.
  ///   - edge: the edge at which it appears in a full-screen window.
  ///   - rows: custom content, at most 8 rows, in place of title and message. Without a terminal, title and message are printed.
  ///   - onDismiss: called once, when it has left the screen for any reason.
  /// - Returns: the toast, for dismissing it.
  @discardableResult
  public func toast(
    _ title: String, message: String = "", style: ToastStyle = .info,
    duration: Duration? = ToastContent.minimumDuration, edge: Toast.Edge = .top, rows: [[StyledText]] = [],
    onDismiss: (@Sendable () -> Void)? = nil
  ) -> Toast {
    let content = ToastContent(
      title: title, message: message, style: style, duration: duration, edge: edge, rows: rows)
    let toast = Toast(content, onDismiss: onDismiss)
    present(toast)
    return toast
  }
}

extension TerminalWindow: ToastPresenting {
  /// Shows a toast, now or when its turn comes. A toast that was presented before is not shown again.
  public func present(_ toast: Toast) { core.present(toast) }
}
