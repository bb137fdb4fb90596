package import Dispatch

/// Runs the code of a task on a queue, unless that code belongs to an actor.
package final class QueueExecutor: TaskExecutor {
  package let queue: DispatchQueue
  private let onTurn: @Sendable () -> Void

  /// - Parameter onTurn: called on the queue after each part of a task that ran there.
  package init(_ queue: DispatchQueue, onTurn: @escaping @Sendable () -> Void = {}) {
    self.queue = queue
    self.onTurn = onTurn
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    // A job that owns itself cannot be captured. This one runs exactly once.
    let job = UnownedJob(job)
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      onTurn()
    }
  }
}
