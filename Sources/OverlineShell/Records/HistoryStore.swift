internal import Dispatch
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// Writes the history on its own queue, so that a slow or full disk does not delay the monitor.
///
/// The history is an append-only file of lines, not a database, because users only read it as a whole. A line is one write(2). If the
/// writer is killed, the file contains the whole line, nothing, or a part that does not count as a line. A database of the same records
/// would occupy a megabyte of the monitor's memory in place of forty lines of code. A power cut loses the last half minute. That is too
/// little to make each write wait for the disk.
///
/// All state except `incoming` is accessed on `queue` only, which makes this class Sendable.
final class HistoryStore: @unchecked Sendable {
  private let queue = DispatchQueue(label: "overline.history")
  /// Rings when new lines have arrived.
  private let bell: QueueBell
  private let incoming = Mutex<(lines: [[UInt8]], keep: Int)>(([], 0))
  private let place: HistoryPlace
  private let warn: @Sendable (String) -> Void
  private var lock: FileLock?
  /// Lines that are not on the disk yet, because it is full.
  private var waiting: [[UInt8]] = []
  private var lines: Int?
  private var keep = 0
  private var hasWarned = false

  /// The disk may stay full for a few hundred outages.
  private static let maximumWaitingCount = 1000

  /// - Parameter warn: called once if the history cannot be written, and again only after a success.
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
    incoming.withLock { $0 = ($0.lines.suffix(Self.maximumWaitingCount - 1) + [record.line], keep) }
    bell.ring()
  }

  private func takeIncoming() {
    let new = incoming.withLock { incoming in
      defer { incoming.lines = [] }
      return incoming
    }
    if new.lines.isEmpty { return }
    keep = new.keep
    waiting += new.lines
    waiting.removeFirst(max(0, waiting.count - Self.maximumWaitingCount))
    writeWaiting()
  }

  /// Waits until all lines are written, but at most a second: the disk may not answer.
  func finish() {
    let group = DispatchGroup()
    queue.async(group: group) { [self] in takeIncoming() }
    _ = group.wait(timeout: .now() + .seconds(1))
  }

  private func writeWaiting(isAgain: Bool = false) {
    do throws(SystemError) {
      guard try takeLock() else { return }
      while let line = waiting.first {
        try Files.append(line, to: place.file)
        waiting.removeFirst()
        if let known = lines { lines = known + 1 } else { lines = try Files.countLines(place.file) }
      }
      hasWarned = false
      if let lines, History.isTooLong(lines: lines, keeping: keep) { try shorten() }
    } catch {
      if error.isNoSuchFile, !isAgain {
        // The user has removed the folder to delete the history.
        lock = nil
        lines = nil
        return writeWaiting(isAgain: true)
      }
      warnOnce("the history cannot be written: \(place.explanation(of: error)); the monitor goes on without")
    }
  }

  /// Acquires the lock. False if another monitor of this user already writes, for example in another network namespace.
  private func takeLock() throws(SystemError) -> Bool {
    switch lock {
    case .some: return true
    case .none: break
    }
    try Files.makePrivateDirectories(place.folder)
    try Files.checkFolder(place.folder)
    lock = try FileLock.acquire(place.lock)
    switch lock {
    case .some: return true
    case .none: break
    }
    warnOnce("another monitor writes the history \(place.file); this one records nothing there")
    return false
  }

  private func shorten() throws(SystemError) {
    let newest = History.newest(keep, of: try Files.read(place.file, limit: HistoryPlace.maximumFileSize))
    try Files.replace(place.file, with: newest, through: "\(place.file).new")
    lines = newest.count { $0 == 0x0a }
  }

  private func warnOnce(_ sentence: String) {
    if !hasWarned { warn(sentence) }
    hasWarned = true
  }
}
