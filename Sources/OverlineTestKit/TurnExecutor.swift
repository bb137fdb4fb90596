internal import Dispatch
internal import Synchronization

/// Runs a task's code on a queue of its own. So a test knows when all of it waits: then nothing is on the queue.
final class TurnExecutor: TaskExecutor {
  let queue = DispatchQueue(label: "SimulatedNetwork.run")
  /// An element after each turn of the task, and after its end.
  let news: AsyncStream<Void>
  private let turn: AsyncStream<Void>.Continuation
  private let state = Atomic(false)

  init() { (news, turn) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func enqueue(_ job: consuming ExecutorJob) {
    // A job that owns itself cannot be captured. This one runs exactly once.
    let job = UnownedJob(job)
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      turn.yield()
    }
  }

  func end() {
    state.store(true, ordering: .releasing)
    turn.yield()
  }

  var hasEnded: Bool { state.load(ordering: .acquiring) }
}
