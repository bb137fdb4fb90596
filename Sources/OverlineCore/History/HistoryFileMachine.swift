/// Which lines are written to the history, and when: each in order, and once. While the disk is full or the file cannot be written, the lines
/// wait for the next one.
///
///     idle ──recorded──► locking ──► appending ──► counting ──► shortening ──► idle
///                           └─────── a failure ends the attempt ──────────────►┘
///
/// The shell performs each effect and answers it before the next ``Event/recorded(_:keep:)``; ``Effect/unlock`` and ``Effect/warn(_:)`` have
/// no answer.
package struct HistoryFileMachine: Sendable {
  package enum Event: Hashable, Sendable {
    /// - Parameter keep: how many outages the file keeps.
    case recorded([[UInt8]], keep: Int)
    /// The answer to ``Effect/lock``. False if another monitor of this user writes, for example in another network namespace.
    case locked(Bool)
    case appended
    /// The answer to ``Effect/countLines`` and ``Effect/shorten(keep:)``: the number of lines in the file.
    case counted(Int)
    /// The effect failed.
    ///
    /// - Parameter isMissing: whether a file or folder was missing.
    case failed(why: String, isMissing: Bool)
  }

  package enum Effect: Hashable, Sendable {
    /// Make the folder, and acquire the lock in it.
    case lock
    case unlock
    /// Append a line with one write(2).
    case append([UInt8])
    case countLines
    /// Replace the file by its newest lines.
    case shorten(keep: Int)
    /// The history cannot be written, for this reason. Sent once until a success.
    case warn(Fault)
  }

  package enum Fault: Hashable, Sendable {
    case isWrittenByAnother
    case failure(String)
  }

  /// Lines that are not in the file yet.
  package private(set) var waiting: [[UInt8]] = []
  private var isLocked = false
  /// The number of lines in the file, once it is known.
  private var lines: Int?
  private var keep = 0
  private var hasWarned = false
  /// The folder was missing once in this attempt.
  private var wasMissing = false

  /// The disk may stay full for a few hundred outages.
  package static let maximumWaitingCount = 1000

  package init() {}

  package mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .recorded(let new, let keep):
      self.keep = keep
      waiting = (waiting + new).suffix(Self.maximumWaitingCount)
      wasMissing = false
      return proceed()
    case .locked(let isOurs):
      isLocked = isOurs
      return isOurs ? proceed() : end(.isWrittenByAnother)
    case .appended:
      waiting.removeFirst()
      guard let known = lines else { return [.countLines] }
      lines = known + 1
      return proceed()
    case .counted(let count):
      lines = count
      return proceed()
    case .failed(_, true) where !wasMissing:
      // The user has removed the folder to delete the history.
      wasMissing = true
      (isLocked, lines) = (false, nil)
      return [.unlock] + proceed()
    case .failed(let why, _): return end(.failure(why))
    }
  }

  private mutating func proceed() -> [Effect] {
    if !isLocked { return [.lock] }
    if let line = waiting.first { return [.append(line)] }
    if let lines, History.isTooLong(lines: lines, keeping: keep) { return [.shorten(keep: keep)] }
    hasWarned = false
    return []
  }

  /// The lines wait for the next record.
  private mutating func end(_ fault: Fault) -> [Effect] {
    defer { hasWarned = true }
    return hasWarned ? [] : [.warn(fault)]
  }
}
