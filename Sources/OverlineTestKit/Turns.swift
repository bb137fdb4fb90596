internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// The parts of a task that run on a queue of their own. So a test knows when all of it waits: then nothing is on the queue.
final class Turns: Sendable {
  let executor: QueueExecutor
  /// An element after each turn of the task, and after its end.
  let news: AsyncStream<Void>
  private let turn: AsyncStream<Void>.Continuation
  private let count: Counter
  private let state = Atomic(false)

  private final class Counter: Sendable { let value = Atomic(0) }

  init() {
    let (news, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.news, self.turn) = (news, turn)
    let count = Counter()
    self.count = count
    executor = QueueExecutor(DispatchQueue(label: "SimulatedNetwork.run")) {
      count.value.add(1, ordering: .relaxed)
      turn.yield()
    }
  }

  /// The number of turns so far.
  var number: Int { count.value.load(ordering: .relaxed) }

  func end() {
    state.store(true, ordering: .releasing)
    turn.yield()
  }

  var hasEnded: Bool { state.load(ordering: .acquiring) }
}
