internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// The parts of a task that run on a queue of their own. So a test knows when all of it waits: then nothing is on the queue.
final class Turns: Sendable {
  let executor: QueueExecutor
  /// An element after each turn of the task, and after its end.
  let news: AsyncStream<Void>
  private let turn: AsyncStream<Void>.Continuation
  private let state = Atomic(false)

  init() {
    let (news, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.news, self.turn) = (news, turn)
    executor = QueueExecutor(DispatchQueue(label: "SimulatedNetwork.run")) { turn.yield() }
  }

  func end() {
    state.store(true, ordering: .releasing)
    turn.yield()
  }

  var hasEnded: Bool { state.load(ordering: .acquiring) }
}
