import OverlineCore

/// The user's history on a disk that can fail, and what the running monitor has written to it.
struct SimulatedHistory {
  private(set) var bytes: [UInt8] = []
  var disk = Day.Disk.fine
  /// Another monitor of this user, in another network namespace, runs. It has the lock if it came first.
  var hasOtherMonitor = false {
    didSet { isLockedByAnother = hasOtherMonitor && !isLocked }
  }
  private var isLockedByAnother = false
  /// False after the user has removed the folder.
  private var exists = false
  private(set) var failure: DayFailure?
  private(set) var written = 0
  /// How often the monitor said that it cannot write or shorten the file.
  private(set) var warnings = 0

  /// The running monitor's lines that are not in the file, in order.
  private var due: [[UInt8]] = []
  /// Whether the running monitor has the lock.
  private var isLocked = false
  private var warned: Set<HistoryFileMachine.Trouble> = []

  private static let keep = 3

  /// A new monitor runs: the kernel has released the lock of the last one.
  mutating func begin() {
    (due, isLocked, warned) = ([], false, [])
    isLockedByAnother = hasOtherMonitor
  }

  /// The user removes the folder, and with it the lock's file. If another monitor runs, it writes first and gets the lock of the new file.
  mutating func remove() {
    (bytes, exists, isLocked) = ([], false, false)
    isLockedByAnother = hasOtherMonitor
  }

  mutating func write(_ record: HistoryRecord, _ machine: inout HistoryFileMachine) {
    due = (due + [record.line]).suffix(HistoryFileMachine.maximumWaitingCount)
    var events = [HistoryFileMachine.Event.recorded([record.line], keep: Self.keep)][...]
    while failure == nil, let event = events.popFirst() {
      for effect in machine.handle(event) {
        if let answer = perform(effect) { events.append(answer) }
      }
    }
    if isLocked, disk == .fine || disk == .nearlyFull {
      warned.subtract(disk == .fine ? [.otherMonitor, .writing, .shortening] : [.otherMonitor, .writing])
      if !due.isEmpty { fail("\(due.count) lines wait for a disk that can be written") }
      if disk == .fine, History.isTooLong(lines: count, keeping: Self.keep) { fail("\(count) lines are in the file") }
    }
    if machine.waiting != due { fail("\(machine.waiting.count) lines wait, \(due.count) are due") }
  }

  private var count: Int { bytes.count { $0 == 0x0a } }

  private mutating func perform(_ effect: HistoryFileMachine.Effect) -> HistoryFileMachine.Event? {
    switch effect {
    case .lock:
      if isLocked { return .locked(.held) }
      // Neither the folder nor the lock's file can be made or opened for writing.
      if disk == .readOnly || disk == .full && !exists { return fault }
      exists = true
      if isLockedByAnother {
        due = []
        return .locked(.another)
      }
      isLocked = true
      return .locked(.acquired)
    case .append(let line):
      if !isLocked { fail("a line is written without the lock") }
      if disk == .full || disk == .readOnly { return fault }
      if due.first != line { fail("a line is written out of order, or twice") }
      due.removeFirst()
      written += 1
      bytes += line
      return .appended
    case .countLines: return .counted(count)
    case .shorten(let keep):
      // A file can be replaced only where there is room for both.
      if disk == .nearlyFull { return fault }
      bytes = History.newest(keep, of: bytes)
      return .counted(count)
    case .warn(let trouble, _):
      warnings += 1
      if !warned.insert(trouble).inserted { fail("a second warning about \(trouble), which is not over") }
      return nil
    }
  }

  private var fault: HistoryFileMachine.Event { .failed(why: "\(disk)") }

  private mutating func fail(_ detail: String) {
    if failure == nil { failure = DayFailure(kind: .records, detail: detail) }
  }
}
