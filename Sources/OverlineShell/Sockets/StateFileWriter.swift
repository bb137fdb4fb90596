internal import Dispatch
package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// Writes the newest state into a ``StateFile``, on its own queue, so that a slow or full disk blocks only that queue.
package final class StateFileWriter: Sendable {
  private struct State {
    /// The state to write next. Older states that were not written are not needed.
    var newest: ObserverState?
    var hasWarned = false
  }

  private let file: StateFile
  private let onError: @Sendable (ObserverSocketError) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "overline.state-file")
  /// Rung when a state is waiting.
  private let bell: QueueBell

  /// - Parameter onError: called on the writer's queue, once when a write fails, and again only after a success.
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

  /// Writes the state now, then calls `completion` on the writer's queue. The file is then at least as new, or a write has failed.
  package func write(_ newest: ObserverState, completion: @escaping @Sendable () -> Void) {
    state.withLock { $0.newest = newest }
    queue.async { [self] in
      writeNewest()
      completion()
    }
  }

  /// Removes the file. A later write would create it again.
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
      defer { if case .failure = attempt { state.hasWarned = true } else { state.hasWarned = false } }
      return !state.hasWarned
    }
    if case .failure(let error) = attempt, isNews { onError(error) }
  }
}
