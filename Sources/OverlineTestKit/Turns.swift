internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Runs a task's code on a queue of its own. While that queue is empty, all of the task waits.
final class Turns: Sendable {
  let executor: QueueExecutor
  /// An element after each turn of the task, and after its end.
  let news: AsyncStream<Void>
  private let turn: AsyncStream<Void>.Continuation
  private let count: Counter
  private let isOver = Atomic(false)

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
    isOver.store(true, ordering: .releasing)
    turn.yield()
  }

  var hasEnded: Bool { isOver.load(ordering: .acquiring) }
}
