import OverlineCore

/// The user's history on a disk that can fail, and what the running monitor has written to it.
struct SimulatedHistory {
  private(set) var bytes: [UInt8] = []
  var disk = Day.Disk.fine
  /// Another monitor of this user, in another network namespace, has the lock.
  var isLockedByAnother = false
  /// False after the user has removed the folder.
  private(set) var exists = false
  private(set) var failure: DayFailure?
  private(set) var written = 0
  /// How often a line could not be written.
  private(set) var refused = 0

  /// The running monitor's lines that are not in the file, in order.
  private var due: [[UInt8]] = []
  private var hasLock = false
  /// Whether a warning was printed and no attempt has succeeded since.
  private var hasWarned = false

  private static let keep = 3

  /// A new monitor runs: the kernel has released the lock of the last one.
  mutating func begin() {
    due = []
    (hasLock, hasWarned) = (false, false)
  }

  mutating func remove() {
    (bytes, exists) = ([], false)
  }

  mutating func write(_ record: HistoryRecord, _ machine: inout HistoryFileMachine) {
    due = (due + [record.line]).suffix(HistoryFileMachine.maximumWaitingCount)
    var events = [HistoryFileMachine.Event.recorded([record.line], keep: Self.keep)][...]
    while failure == nil, let event = events.popFirst() {
      for effect in machine.handle(event) {
        if let answer = perform(effect) { events.append(answer) }
      }
    }
    if disk == .fine, !isLockedByAnother || hasLock {
      hasWarned = false
      if !due.isEmpty { fail("\(due.count) lines wait on a disk that can be written") }
      if History.isTooLong(lines: count, keeping: Self.keep) { fail("\(count) lines are in the file") }
    }
    if machine.waiting != due { fail("\(machine.waiting.count) lines wait, \(due.count) are due") }
  }

  private var count: Int { bytes.count { $0 == 0x0a } }

  private mutating func perform(_ effect: HistoryFileMachine.Effect) -> HistoryFileMachine.Event? {
    switch effect {
    case .lock:
      if disk != .fine, !exists { return fault }
      exists = true
      hasLock = !isLockedByAnother
      return .locked(hasLock)
    case .unlock:
      hasLock = false
      return nil
    case .append(let line):
      if !hasLock { fail("a line is written without the lock") }
      if !exists { return .failed(why: "the folder is missing", isMissing: true) }
      if disk != .fine { return fault }
      if due.first != line { fail("a line is written out of order, or twice") }
      due.removeFirst()
      written += 1
      bytes += line
      return .appended
    case .countLines: return .counted(count)
    case .shorten(let keep):
      bytes = History.newest(keep, of: bytes)
      return .counted(count)
    case .warn:
      refused += 1
      if hasWarned { fail("a second warning without a success in between") }
      hasWarned = true
      return nil
    }
  }

  private var fault: HistoryFileMachine.Event {
    .failed(why: disk == .full ? "no space" : "read-only", isMissing: false)
  }

  private mutating func fail(_ detail: String) {
    if failure == nil { failure = DayFailure(kind: .records, detail: detail) }
  }
}
