internal import Dispatch
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// Writes the history on its own queue, so that a slow or full disk does not delay the monitor.
///
/// The history is an append-only file of lines, not a database, because users only read it as a whole, and a database would cost a megabyte
/// of memory. A line is one write(2). If the writer is killed, the file contains the whole line, nothing, or a part that does not count as a
/// line. A power cut loses about the last half minute: too little to make each write wait for the disk.
///
/// All state except `incoming` is accessed on `queue` only, which makes this class Sendable.
final class HistoryStore: @unchecked Sendable {
  private let queue = DispatchQueue(label: "overline.history")
  /// Rings when new lines have arrived.
  private let bell: QueueBell
  private let incoming = Mutex<(lines: [[UInt8]], keep: Int)>(([], 0))
  private let place: HistoryPlace
  private let warn: @Sendable (String) -> Void
  private var machine = HistoryFileMachine()
  private var lock: FileLock?

  /// - Parameter warn: called once for each kind of trouble, and again only when that is over.
  init(_ place: HistoryPlace, warn: @escaping @Sendable (String) -> Void) {
    self.place = place
    self.warn = warn
    bell = QueueBell(queue: queue)
    bell.start { [weak self] in self?.takeIncoming() }
  }

  /// Writes a record soon.
  ///
  /// - Parameter keep: how many outages the file keeps.
  func write(_ record: HistoryRecord, keeping keep: Int) {
    incoming.withLock { $0 = ($0.lines.suffix(HistoryFileMachine.maximumWaitingCount - 1) + [record.line], keep) }
    bell.ring()
  }

  /// Waits until the newest lines are written, but at most a second: the disk may not answer.
  func finish() {
    let group = DispatchGroup()
    queue.async(group: group) { [self] in takeIncoming() }
    _ = group.wait(timeout: .now() + .seconds(1))
  }

  private func takeIncoming() {
    let new = incoming.withLock { incoming in
      defer { incoming.lines = [] }
      return incoming
    }
    if new.lines.isEmpty { return }
    var events = [HistoryFileMachine.Event.recorded(new.lines, keep: new.keep)][...]
    while let event = events.popFirst() {
      for effect in machine.handle(event) {
        do throws(SystemError) {
          if let answer = try perform(effect) { events.append(answer) }
        } catch {
          events.append(.failed(why: place.explanation(of: error)))
        }
      }
    }
  }

  private func perform(_ effect: HistoryFileMachine.Effect) throws(SystemError) -> HistoryFileMachine.Event? {
    switch effect {
    case .lock: return .locked(try takeLock())
    case .append(let line):
      try Files.append(line, to: place.file)
      return .appended
    case .countLines: return .counted(try Files.countLines(place.file))
    case .shorten(let keep):
      let newest = History.newest(keep, of: try Files.read(place.file, limit: HistoryPlace.maximumFileSize))
      try Files.replace(place.file, with: newest, through: "\(place.file).new")
      return .counted(newest.count { $0 == 0x0a })
    case .warn(.otherMonitor, _):
      warn("another monitor writes the history \(place.file); this one records nothing there")
      return nil
    case .warn(.writing, let why):
      warn("the history cannot be written: \(why); the monitor goes on without")
      return nil
    case .warn(.shortening, let why):
      warn("the history cannot be shortened: \(why); it goes on growing")
      return nil
    }
  }

  private func takeLock() throws(SystemError) -> HistoryFileMachine.Lock {
    if lock?.isNamed(place.lock) == true { return .held }
    lock = nil
    try Files.makePrivateDirectories(place.folder)
    try Files.checkFolder(place.folder)
    lock = try FileLock.acquire(place.lock)
    switch lock {
    case .some: return .acquired
    case .none: return .another
    }
  }
}
