/// The program of a window, from its start to the end of its output.
struct ProgramLife {
  /// Upper bound of the output left in a pseudoterminal after its program ended. The pseudoterminal has buffers of 64 KiB and 4 KiB.
  private static let maximumUnreadLength = 128 * 1024

  private(set) var isStarted = false
  /// Nil while the program runs.
  private(set) var end: WindowEnd?
  /// Upper bound of the output that was not read before the program's end, in bytes.
  private(set) var unread = 0
  private(set) var isOutputClosed = false
  /// The helper ended without a report of the program's end.
  private(set) var isHelperLost = false
  /// The time of the next check whether a program that lost its helper still runs.
  var lookDeadline: Duration?

  /// The program ended and all of its output was read.
  var isDrained: Bool { end != nil && unread == 0 }
  /// The program ended, and its last output may still come.
  var isDraining: Bool { end != nil && unread > 0 }

  mutating func start() { isStarted = true }

  mutating func finish(_ end: WindowEnd) {
    self.end = end
    unread = isOutputClosed ? 0 : Self.maximumUnreadLength
    lookDeadline = nil
  }

  /// Gives up the rest of the output.
  mutating func giveUp() {
    end = end ?? .hungUp
    unread = 0
  }

  mutating func read(_ count: Int) {
    if end != nil { unread = max(0, unread - count) }
  }

  /// Call this at a pause. The kernel reports an empty pseudoterminal only after it has flushed all pending output: nothing is left.
  mutating func pause() { unread = 0 }

  mutating func closeOutput() { isOutputClosed = true }

  mutating func loseHelper() { isHelperLost = true }
}
