internal import Dispatch
internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// Keeps the newest metrics in a file. It writes on its own queue, so that a slow or full disk does not delay the monitor.
///
/// All state except `wanted` is accessed on `queue` only, which makes this class Sendable.
final class MetricsFile: @unchecked Sendable {
  struct Contents: Sendable {
    var path: String
    var text: String
  }

  private let queue = DispatchQueue(label: "overline.metrics")
  /// Rings when `wanted` has changed.
  private let bell: QueueBell
  private let wanted = Mutex<Contents?>(nil)
  private let warn: @Sendable (String) -> Void
  /// The path of the written file.
  private var path: String?
  private var hasWarned = false

  /// - Parameter warn: called once if the file cannot be written, and again only after a success.
  init(warn: @escaping @Sendable (String) -> Void) {
    self.warn = warn
    bell = QueueBell(queue: queue)
    bell.start { [weak self] in self?.follow() }
  }

  /// Replaces the file soon. If the path has changed, first removes the file at the old path. Nil only removes the file.
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
      // The exporter runs as another user, so the file is readable for all. It reads only names that end in .prom, so not the temporary
      // file.
      try Files.replace(
        contents.path, with: Array(contents.text.utf8), permissions: 0o644, through: "\(contents.path).new")
      hasWarned = false
    } catch {
      if !hasWarned {
        warn(
          "the metrics cannot be written: \(error); the monitor goes on without, and overline doctor prints what to do")
      }
      hasWarned = true
    }
  }

  /// Removes the file, since without updates it would soon be wrong. Waits at most a second: the disk may not answer.
  func remove() {
    write(nil)
    let group = DispatchGroup()
    queue.async(group: group) { [self] in follow() }
    _ = group.wait(timeout: .now() + .seconds(1))
  }
}
