internal import Synchronization

/// Short feedback that blocks nothing and goes by itself.
///
/// Ask a window for one with ``ToastPresenting/toast(_:message:style:duration:edge:rows:onDismiss:)``.
public final class Toast: Sendable {
  /// The edge that a toast comes from. An inline window shows all above its last row.
  public typealias Edge = VerticalEdge

  private enum Life: Sendable {
    case new
    /// Shows or waits for its turn; the closure takes it away.
    case presented(@Sendable () -> Void)
    case over
  }

  /// What it says.
  public let content: ToastContent

  private let life = Mutex(Life.new)
  private let onDismiss: (@Sendable () -> Void)?

  /// A toast that nobody shows yet: for ``ToastPresenting/present(_:)``.
  ///
  /// - Parameters:
  ///   - content: what it says.
  ///   - onDismiss: is called once, when it is over.
  public init(_ content: ToastContent, onDismiss: (@Sendable () -> Void)? = nil) {
    self.content = content
    self.onDismiss = onDismiss
  }

  /// True from when it was asked for, also while it waits for its turn, until it has gone from the screen.
  public var isPresented: Bool {
    life.withLock {
      switch $0 {
      case .presented: true
      case .new, .over: false
      }
    }
  }

  /// Lets it go, the way it came. Does nothing to one that is gone.
  public func dismiss() {
    let dismissal = life.withLock { life -> (@Sendable () -> Void)? in
      switch life {
      case .presented(let dismissal): dismissal
      case .new, .over: nil
      }
    }
    dismissal?()
  }

  /// For whoever presents it: from now on it counts as presented.
  ///
  /// - Parameter dismissal: what ``dismiss()`` does: lets it go from where it is shown, and calls ``end()`` once it is gone.
  /// - Returns: whether it is to be shown. A toast is presented once.
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

  /// For whoever presents it: it is gone, or will never be shown. Tells whoever asked for it; another time does nothing.
  public func end() {
    // What is let go under the lock may want the lock again.
    let before = life.withLock { life in
      defer { life = .over }
      return life
    }
    switch before {
    case .new, .presented: onDismiss?()
    case .over: break
    }
  }
}

/// Whoever shows toasts: a ``TerminalWindow``, or a test's stand-in. Logic that only wants to say something asks for this, and need not
/// know a terminal.
///
///     struct Uploads<Toasts: ToastPresenting> {
///       let toasts: Toasts
///       func done() { toasts.toast("Uploaded", style: .success) }
///     }
public protocol ToastPresenting {
  /// Shows a toast, now or when its turn comes. By default in ``TerminalWindow/current``.
  ///
  /// One of your own calls ``Toast/begin(dismissal:)`` and shows what ``Toast/content`` says, and ``Toast/end()`` once that is over. A
  /// stand-in that only takes note of what was asked for need not.
  func present(_ toast: Toast)
}

extension ToastPresenting {
  public func present(_ toast: Toast) { TerminalWindow.current.present(toast) }

  /// Shows a toast: one at a time, in the order they were asked for. Of more than 32 that wait, the oldest goes. One that says the same
  /// as one that is there takes its place, and its time begins anew.
  ///
  ///     window.toast("Saved", message: "Your changes have been stored.", style: .success) { print("gone") }
  ///
  /// - Parameters:
  ///   - title: a few words; what a terminal could take for more than text is removed.
  ///   - message: more about it. Empty for none.
  ///   - style: its colours and icon.
  ///   - duration: how long it stays, at least 3 seconds; nil or zero until it is dismissed.
  ///   - edge: where it appears in a full-screen window.
  ///   - rows: content of its own, at most 8 rows, in place of title and message, which are still told where there is no terminal.
  ///   - onDismiss: is called once, when it has gone from the screen, however that came.
  /// - Returns: the toast, to dismiss it.
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
  /// Shows a toast, now or when its turn comes. One that was presented before is not shown again.
  public func present(_ toast: Toast) { core.present(toast) }
}
