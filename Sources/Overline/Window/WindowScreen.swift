package import Dispatch
package import OverlineSystem

/// The output of a window: a terminal to draw on, or a file for lines.
package protocol WindowScreen: Sendable {
  /// The size; nil if drawing is impossible.
  var size: WindowSize? { get }
  var capabilities: TerminalCapabilities { get }
  /// True if signals and the end of the process must be watched for this screen.
  var belongsToProcess: Bool { get }

  /// The size of the terminal that the program draws on, also if this screen draws nothing there.
  var terminalSize: WindowSize? { get }
  /// The terminal's descriptor; nil if nothing is drawn.
  var terminal: Int32? { get }
  /// Whether the terminal has another size than the shown content.
  var hasNewSize: Bool { get }

  /// Called once, before anything shows. The screen may do work of its own on this queue.
  ///
  /// - Parameter onResize: the screen may call this when its size has changed; otherwise the window looks.
  func begin(on queue: DispatchQueue, onResize: @escaping @Sendable () -> Void)
  /// Shows these rows in place of the previous ones. May wait for the terminal.
  func show(_ content: WindowContent)
  /// Prints a change as one line, if the screen cannot draw it.
  func tell(_ line: String)
  /// Whether another program shows the banner and the toasts.
  var drawsAlertsOnly: Bool { get }
  /// Whether the screen can read keys.
  var canAsk: Bool { get }
  /// Reads the terminal's keys from now on; nil ends this.
  ///
  /// - Returns: whether the reading has begun with this call.
  func capture(_ onKeys: (@Sendable ([AlertKey]) -> Void)?) -> Bool
  /// Hands a custom banner to the owner of the screen, if that is another program; nil dismisses it.
  func present(_ banner: BannerAppearance?)
  /// Hands a toast to that program.
  func present(_ toast: ToastContent, key: String)
  func dismissToast(key: String)
  /// Forgets the content: another program may have moved or removed it.
  func forget()
  /// Removes all content for good.
  ///
  /// - Parameter atExit: true when the process ends. By then a full-screen program has left its alternate screen, and the terminal shows
  ///   the screen of another program.
  func close(atExit: Bool)
}

/// For a screen without a terminal.
extension WindowScreen {
  package var terminalSize: WindowSize? { size }
  package var terminal: Int32? { nil }
  package var hasNewSize: Bool { false }

  package var drawsAlertsOnly: Bool { false }
  package var canAsk: Bool { false }

  package func begin(on queue: DispatchQueue, onResize: @escaping @Sendable () -> Void) {}
  package func capture(_ onKeys: (@Sendable ([AlertKey]) -> Void)?) -> Bool { false }
  package func present(_ banner: BannerAppearance?) {}
  package func present(_ toast: ToastContent, key: String) {}
  package func dismissToast(key: String) {}
}

/// The rows that a window has painted at the edges of its terminal.
package struct WindowContent: Equatable, Sendable {
  /// The bytes that print each row, from the first one, with the default pen.
  package var top: [[UInt8]] = []
  /// The last rows, in order: the terminal's last row is last.
  package var bottom: [[UInt8]] = []
  package var size: WindowSize
  /// Whether an alert is among the rows.
  package var hasAlert = false
  /// True if a larger terminal would show rows.
  package var waitsForRoom = false

  package init(size: WindowSize) { self.size = size }

  package var isEmpty: Bool { top.isEmpty && bottom.isEmpty }
}

/// The source of time for a window.
package protocol WindowClock: Sendable {
  /// The time, on the clock of all deadlines, which counts suspended time.
  var now: Duration { get }
  func timer(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> any WindowTimer
}

/// Runs a handler at a time that may be changed.
package protocol WindowTimer: Sendable {
  func arm(_ deadline: Duration?)
}
