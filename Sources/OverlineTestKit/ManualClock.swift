package import Dispatch
internal import Synchronization

/// A clock that stands still until a test moves it: an hour passes at once, and each run is the same.
///
/// It is a Swift `Clock`, so that code with a clock parameter can sleep on it. It is also the time of a ``SimulatedNetwork`` and of its
/// windows and monitors. Its instants are durations since its creation.
public final class ManualClock: Clock {
  /// A point in time.
  public struct Instant: InstantProtocol {
    /// The time since the clock's creation.
    public var offset: Duration

    /// Creates the instant at `offset` from the clock's creation.
    public init(offset: Duration) { self.offset = offset }

    /// Returns the instant that is `duration` after this one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the time to another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now: Duration = .zero
    var alarms: [UInt64: Alarm] = [:]
    var lastAlarm: UInt64 = 0
    /// The queues on which alarms and their effects run.
    var queues: [DispatchQueue] = []

    mutating func set(_ alarm: Alarm) -> UInt64 {
      lastAlarm += 1
      alarms[lastAlarm] = alarm
      return lastAlarm
    }
  }

  private struct Alarm: Sendable {
    var time: Duration
    /// Nil runs the alarm on the thread that moves the clock.
    var queue: DispatchQueue?
    var run: @Sendable () -> Void
  }

  private let state = Mutex(State())

  /// Creates a clock at zero.
  public init() {}

  /// The current instant of the clock.
  public var now: Instant { Instant(offset: state.withLock(\.now)) }
  /// Zero: the clock can be set to any instant.
  public var minimumResolution: Duration { .zero }

  /// Waits until the test has moved the clock to the deadline; returns at once if the clock is there already.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let (time, end) = AsyncStream.makeStream(of: Void.self)
    let number = state.withLock { state -> UInt64? in
      if deadline.offset <= state.now { return nil }
      return state.set(Alarm(time: deadline.offset, queue: nil) { end.finish() })
    }
    if let number {
      for await _ in time {}
      remove(number)
    }
    try Task.checkCancellation()
  }

  /// Moves the clock, and stops at each moment that has an alarm. When this returns, everything due has happened: banners and
  /// toasts have appeared and disappeared, and closures have run. Sleeping tasks have been woken, but not awaited.
  ///
  /// - Parameter duration: zero runs what is due now.
  public func advance(by duration: Duration) async {
    let end = state.withLock { $0.now } + duration
    await settle()
    while let alarm = takeAlarm(until: end) {
      await run(alarm)
      await settle()
    }
    state.withLock { $0.now = max($0.now, end) }
  }

  /// Moves the clock to its next alarm and runs that. Returns false if there is none.
  func advanceToNextAlarm() async -> Bool {
    guard let alarm = takeAlarm(until: .seconds(Int.max)) else { return false }
    await run(alarm)
    return true
  }

  // MARK: For users of the clock

  @discardableResult
  package func set(_ time: Duration, on queue: DispatchQueue, _ run: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { $0.set(Alarm(time: time, queue: queue, run: run)) }
  }

  package func remove(_ number: UInt64) { _ = state.withLock { $0.alarms.removeValue(forKey: number) } }

  /// Makes ``advance(by:)`` wait for the work on this queue.
  package func await(_ queue: DispatchQueue) { state.withLock { $0.queues.append(queue) } }

  func forget(_ queue: DispatchQueue) { state.withLock { $0.queues.removeAll { $0 === queue } } }

  /// Removes the earliest alarm; among equal times, the one set first.
  private func takeAlarm(until end: Duration) -> Alarm? {
    state.withLock { state in
      let next = state.alarms.min { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
      guard let (number, alarm) = next, alarm.time <= end else { return nil }
      state.alarms.removeValue(forKey: number)
      state.now = max(state.now, alarm.time)
      return alarm
    }
  }

  private func run(_ alarm: Alarm) async {
    guard let queue = alarm.queue else { return alarm.run() }
    await withCheckedContinuation { done in
      queue.async {
        alarm.run()
        done.resume()
      }
    }
  }

  /// Work on one queue may add work to another: a monitor's queue sends a path to a window's queue, and a closure of the window may send
  /// something back.
  func settle() async {
    for _ in 0..<3 {
      for queue in state.withLock(\.queues) {
        await withCheckedContinuation { done in queue.async { done.resume() } }
      }
    }
  }
}
