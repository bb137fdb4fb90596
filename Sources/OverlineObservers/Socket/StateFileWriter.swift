internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Keeps a ``StateFile`` at the newest state, on a queue of its own: a disk that is slow, or full, holds up nobody.
package final class StateFileWriter: Sendable {
  private struct State {
    /// The one state that waits; an older one that nobody wrote yet is not missed.
    var newest: ObserverState?
    var hasComplained = false
  }

  private let file: StateFile
  private let onError: @Sendable (ObserverSocketError) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "overline.state-file")
  /// Rings when a state waits.
  private let bell: QueueBell

  /// - Parameter onError: told once of a file that cannot be written, and again only after it could be; called on the writer's queue.
  package init(_ file: StateFile, onError: @escaping @Sendable (ObserverSocketError) -> Void) {
    self.file = file
    self.onError = onError
    bell = QueueBell(queue: queue)
    bell.start { [weak self] in self?.writeNewest() }
  }

  /// Writes the state soon.
  package func write(_ newest: ObserverState) {
    state.withLock { $0.newest = newest }
    bell.ring()
  }

  /// Writes the state now, and calls `completion` on the writer's queue: the file is at least as new then, or could not be written.
  package func write(_ newest: ObserverState, completion: @escaping @Sendable () -> Void) {
    state.withLock { $0.newest = newest }
    queue.async { [self] in
      writeNewest()
      completion()
    }
  }

  /// Removes the file, for good if nothing is written after it.
  package func remove() {
    queue.sync {
      state.withLock { $0.newest = nil }
      file.remove()
    }
  }

  private func writeNewest() {
    guard let newest = state.withLock({ $0.newest.take() }) else { return }
    let attempt = Result { () throws(ObserverSocketError) in try file.write(newest) }
    let isNews = state.withLock { state in
      defer { if case .failure = attempt { state.hasComplained = true } else { state.hasComplained = false } }
      return !state.hasComplained
    }
    if case .failure(let error) = attempt, isNews { onError(error) }
  }
}
