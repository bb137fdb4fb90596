internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Keeps a file at the newest metrics, on a queue of its own: a disk that is slow, or full, holds up nobody.
///
/// All state but what is wanted is touched on `queue` only: that is what makes this class Sendable.
final class MetricsFile: @unchecked Sendable {
  struct Contents: Sendable {
    var path: String
    var text: String
  }

  private let queue = DispatchQueue(label: "overline.metrics")
  /// Rings when something else is wanted.
  private let bell: QueueBell
  private let wanted = Mutex<Contents?>(nil)
  private let complain: @Sendable (String) -> Void
  /// The file that there is.
  private var path: String?
  private var hasComplained = false

  /// - Parameter complain: told once of a file that cannot be written, and again only after it could be.
  init(complain: @escaping @Sendable (String) -> Void) {
    self.complain = complain
    bell = QueueBell(queue: queue)
    bell.start { [weak self] in self?.follow() }
  }

  /// Replaces the file soon; one at another path than before is removed, and with nil there is none.
  func write(_ contents: Contents?) {
    let hasAny = wanted.withLock { wanted in
      defer { wanted = contents }
      return wanted != nil || contents != nil
    }
    if hasAny { bell.ring() }
  }

  private func follow() {
    let contents = wanted.withLock { $0 }
    if let path, path != contents?.path { try? Files.remove(path) }
    path = contents?.path
    guard let contents else { return }
    do {
      // The exporter runs as another user. What it reads ends in .prom, which the temporary file does not.
      try Files.replace(
        contents.path, with: Array(contents.text.utf8), permissions: 0o644, through: "\(contents.path).new")
      hasComplained = false
    } catch {
      if !hasComplained { complain("the metrics cannot be written: \(error); the monitor goes on without") }
      hasComplained = true
    }
  }

  /// Removes the file: what nobody keeps up to date would be wrong soon. Waits for that, but not for a disk that does not answer.
  func remove() {
    write(nil)
    let group = DispatchGroup()
    queue.async(group: group) { [self] in follow() }
    _ = group.wait(timeout: .now() + .seconds(1))
  }
}
