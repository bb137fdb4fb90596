internal import Dispatch
public import Testing

/// Runs each test of a suite on a thread of its own. Every suite here asks for it with `@Suite(.ownThread)`.
///
/// Swift Testing runs tests on Swift's cooperative pool, which has as many threads as the machine has cores. The tests wait for processes,
/// terminals and the kernel: on the pool they would use up its threads, and asynchronous tests could not go on.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    await Places.all.occupy()
    defer { Places.all.leave() }
    try await withTaskExecutorPreference(ThreadExecutor()) { try await body() }
  }
}

extension Trait where Self == OwnThread {
  public static var ownThread: Self { Self() }
}

/// Dispatch gives each serial queue that has work a thread, however many others are blocked.
private final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "overline.test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
