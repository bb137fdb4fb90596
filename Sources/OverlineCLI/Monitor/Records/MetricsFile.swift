internal import Dispatch
internal import POSIX

/// Keeps a file at the newest metrics, on a queue of its own: a disk that is slow, or full, holds up nobody.
///
/// All state is touched on `queue` only: that is what makes this class Sendable.
final class MetricsFile: @unchecked Sendable {
  private let queue = DispatchQueue(label: "overline.metrics")
  private let complain: @Sendable (String) -> Void
  private var path: String?
  private var hasComplained = false

  /// - Parameter complain: told once of a file that cannot be written, and again only after it could be.
  init(complain: @escaping @Sendable (String) -> Void) {
    self.complain = complain
  }

  /// Replaces the file; one at another path than before is removed.
  func write(_ text: String, to path: String?) {
    queue.async { [self] in
      if let old = self.path, old != path { try? Files.remove(old) }
      self.path = path
      guard let path else { return }
      do {
        // The exporter runs as another user. What it reads ends in .prom, which the temporary file does not.
        try Files.replace(path, with: Array(text.utf8), permissions: 0o644, through: "\(path).new")
        hasComplained = false
      } catch {
        if !hasComplained { complain("the metrics cannot be written: \(error); the monitor goes on without") }
        hasComplained = true
      }
    }
  }

  /// Removes the file: what nobody keeps up to date would be wrong soon. Waits for that, but not for a disk that does not answer.
  func remove() {
    write("", to: nil)
    let group = DispatchGroup()
    queue.async(group: group) {}
    _ = group.wait(timeout: .now() + .seconds(1))
  }
}
