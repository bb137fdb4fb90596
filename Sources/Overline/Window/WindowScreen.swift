package import Dispatch
package import OverlineSystem

/// The output of a window: a terminal to draw on, or a file for lines.
package protocol WindowScreen: Sendable {
  /// The size; nil if drawing is impossible.
  var size: WindowSize? { get }
  var capabilities: TerminalCapabilities { get }
  /// True if signals and the end of the process must be watched for this screen.
  var belongsToProcess: Bool { get }

  /// Shows these rows in place of the previous ones. May wait for the terminal.
  func show(_ content: WindowContent)
  /// Prints a change as one line, if the screen cannot draw it.
  func tell(_ line: String)
  /// Forgets the content: another program may have moved or removed it.
  func forget()
  /// Removes all content for good.
  ///
  /// - Parameter atExit: true when the process ends. By then a full-screen program has left its alternate screen, and the terminal shows
  ///   the screen of another program.
  func close(atExit: Bool)
}

/// The rows that a window has painted at the edges of its terminal.
package struct WindowContent: Hashable, Sendable {
  /// The bytes that print each row, from the first one, with the default pen.
  package var top: [[UInt8]] = []
  /// The last rows, in order: the terminal's last row is last.
  package var bottom: [[UInt8]] = []
  package var size: WindowSize
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
