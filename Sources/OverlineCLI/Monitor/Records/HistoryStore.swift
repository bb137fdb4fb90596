internal import Dispatch
internal import OverlineMonitor
internal import OverlineSystem
internal import Synchronization

/// Writes the history down, on a queue of its own: a disk that is slow, or full, holds up nobody.
///
/// An append-only file of lines and not a database: all that is ever asked of it is to be read as a whole, by a person. A line is one
/// write(2), which a killed writer either did or did not do, or did in part, and then it is no line; a database of the same records
/// would be a megabyte of the monitor's memory for what forty lines do. What a power cut takes is the last half minute, which nobody
/// waits for a disk to keep.
///
/// All state but what comes in is touched on `queue` only: that is what makes this class Sendable.
final class HistoryStore: @unchecked Sendable {
  private let queue = DispatchQueue(label: "overline.history")
  /// Rings when something came in.
  private let bell: QueueBell
  private let incoming = Mutex<(lines: [[UInt8]], keep: Int)>(([], 0))
  private let place: HistoryPlace
  private let complain: @Sendable (String) -> Void
  private var lock: FileLock?
  /// Lines that are not on the disk yet. They wait for room there.
  private var waiting: [[UInt8]] = []
  private var lines: Int?
  private var keep = 0
  private var hasComplained = false

  /// A full disk is found out at an outage, and may be so for a few hundred.
  private static let mostWaiting = 1000

  /// - Parameter complain: told once of a history that cannot be written, and again only after it could be.
  init(_ place: HistoryPlace, complain: @escaping @Sendable (String) -> Void) {
    self.place = place
    self.complain = complain
    bell = QueueBell(queue: queue)
    bell.start { [weak self] in self?.takeIncoming() }
  }

  /// Writes a record soon.
  ///
  /// - Parameter keep: how many outages the file is to remember.
  func write(_ record: HistoryRecord, keeping keep: Int) {
    incoming.withLock { $0 = ($0.lines.suffix(Self.mostWaiting - 1) + [record.line], keep) }
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
    waiting.removeFirst(max(0, waiting.count - Self.mostWaiting))
    writeWaiting()
  }

  /// Waits until what there is to write is written, but not for a disk that does not answer.
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
      hasComplained = false
      if let lines, History.isTooLong(lines: lines, keeping: keep) { try shorten() }
    } catch {
      if error.isNoSuchFile, !isAgain {
        // Somebody has removed the folder, which is how to forget the history.
        lock = nil
        lines = nil
        return writeWaiting(isAgain: true)
      }
      complainOnce("the history cannot be written: \(error); the monitor goes on without")
    }
  }

  /// Another monitor of this user, in another network namespace, may be writing already.
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
    complainOnce("another monitor writes the history \(place.file); what this one sees is not in it")
    return false
  }

  private func shorten() throws(SystemError) {
    let newest = History.newest(keep, of: try Files.read(place.file, limit: HistoryPlace.largestFile))
    try Files.replace(place.file, with: newest, through: "\(place.file).new")
    lines = newest.count { $0 == 0x0a }
  }

  private func complainOnce(_ sentence: String) {
    if !hasComplained { complain(sentence) }
    hasComplained = true
  }
}
