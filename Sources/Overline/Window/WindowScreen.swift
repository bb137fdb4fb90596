package import Dispatch
package import OverlineSystem

/// What a window draws on, or writes to.
package protocol WindowScreen: Sendable {
  /// Nil where nothing can be drawn.
  var size: WindowSize? { get }
  var capabilities: TerminalCapabilities { get }
  /// Whether it has to be watched for signals and the end of the process.
  var belongsToProcess: Bool { get }

  /// Shows these rows in place of those before. May wait for the terminal.
  func show(_ content: WindowContent)
  /// Says a change in one line, where it cannot be seen.
  func tell(_ line: String)
  /// What was shown may have been moved or removed by others.
  func forget()
  /// Removes everything, for good.
  ///
  /// - Parameter atExit: whether the process ends. By then a full-screen program has left the screen that it drew on, and what is there
  ///   is somebody else's.
  func close(atExit: Bool)
}

/// The rows that a window has painted at the edges of its terminal.
package struct WindowContent: Hashable, Sendable {
  /// For each row from the first one what prints it, with the default pen.
  package var top: [[UInt8]] = []
  /// The last rows, the terminal's last one last.
  package var bottom: [[UInt8]] = []
  package var size: WindowSize
  /// Whether there would be rows in a larger terminal.
  package var waitsForRoom = false

  package init(size: WindowSize) { self.size = size }

  package var isEmpty: Bool { top.isEmpty && bottom.isEmpty }
}

/// What a window knows of time.
package protocol WindowClock: Sendable {
  /// On the clock of all deadlines, which counts suspend.
  var now: Duration { get }
  func timer(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> any WindowTimer
}

/// Runs a handler at a time, which may be changed.
package protocol WindowTimer: Sendable {
  func arm(_ deadline: Duration?)
}
