/// Writes lines to the history in order. While the file cannot be written, lines wait until the next line is recorded; of more than
/// ``maximumWaitingCount`` the oldest are dropped. The file is shortened once it has become long.
///
///     recorded ──► lock ──► append each line ──► countLines ──► shorten
///
/// The shell performs each effect and answers it before the next ``Event/recorded(_:keep:)``; only ``Effect/warn(_:why:)`` has no answer. A
/// failure ends the attempt.
package struct HistoryFileMachine: Sendable {
  package enum Event: Equatable, Sendable {
    /// - Parameter keep: how many outages the file keeps.
    case recorded([[UInt8]], keep: Int)
    /// The answer to ``Effect/lock``.
    case locked(Lock)
    case appended
    /// The answer to ``Effect/countLines`` and ``Effect/shorten(keep:)``: the number of lines in the file.
    case counted(Int)
    /// The effect failed.
    case failed(why: String)
  }

  package enum Lock: Equatable, Sendable {
    /// It was held already, and its file is still there.
    case held
    case acquired
    /// Another monitor of this user has it, for example in another network namespace.
    case another
  }

  package enum Effect: Equatable, Sendable {
    /// Acquire the lock, unless this monitor holds it. If the user has removed the lock's file, another monitor can lock a new file of the
    /// same name. Then acquire the lock of the new file.
    case lock
    /// Append a line with one write(2).
    case append([UInt8])
    case countLines
    /// Replace the file by its newest lines.
    case shorten(keep: Int)
    /// Sent once for each kind of trouble, until that is over.
    case warn(Trouble, why: String)
  }

  package enum Trouble: Equatable, Sendable {
    case otherMonitor, writing, shortening
  }

  /// Lines that are not in the file yet.
  package private(set) var waiting: [[UInt8]] = []
  /// The number of lines in the file, once it is known.
  private var lines: Int?
  private var keep = 0
  private var warned: Set<Trouble> = []

  /// About 500 outages.
  package static let maximumWaitingCount = 1000

  package init() {}

  package mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .recorded(let new, let keep):
      self.keep = keep
      waiting = (waiting + new).suffix(Self.maximumWaitingCount)
      return [.lock]
    case .locked(.another):
      // The other monitor records the same outages.
      (waiting, lines) = ([], nil)
      return warn(.otherMonitor, "")
    case .locked(let lock):
      warned.remove(.otherMonitor)
      if lock == .acquired { lines = nil }
      return proceed()
    case .appended:
      warned.remove(.writing)
      waiting.removeFirst()
      if let known = lines { lines = known + 1 }
      return proceed()
    case .counted(let count):
      lines = count
      return proceed()
    case .failed(let why): return warn(waiting.isEmpty ? .shortening : .writing, why)
    }
  }

  private mutating func proceed() -> [Effect] {
    if let line = waiting.first { return [.append(line)] }
    guard let lines else { return [.countLines] }
    if History.isTooLong(lines: lines, keeping: keep) { return [.shorten(keep: keep)] }
    warned.remove(.shortening)
    return []
  }

  private mutating func warn(_ trouble: Trouble, _ why: String) -> [Effect] {
    warned.insert(trouble).inserted ? [.warn(trouble, why: why)] : []
  }
}
