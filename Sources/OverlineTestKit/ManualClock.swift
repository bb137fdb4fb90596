package import Dispatch
internal import Synchronization

/// A clock that stands still until it is moved: in a test, an hour is over at once, and always in the same way.
///
/// It is a Swift `Clock`, so that code which takes one can sleep on it, and it is the time of a ``SimulatedNetwork`` and of its windows
/// and monitors. Its instants are durations since it was made.
public final class ManualClock: Clock {
  /// A point in time.
  public struct Instant: InstantProtocol {
    /// Since the clock was made.
    public var offset: Duration

    /// An instant so long after the clock was made.
    public init(offset: Duration) { self.offset = offset }

    /// The instant so long after this one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long it is to another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now: Duration = .zero
    var alarms: [UInt64: Alarm] = [:]
    var lastAlarm: UInt64 = 0
    /// Where alarms and what comes of them are at work.
    var queues: [DispatchQueue] = []

    mutating func set(_ alarm: Alarm) -> UInt64 {
      lastAlarm += 1
      alarms[lastAlarm] = alarm
      return lastAlarm
    }
  }

  private struct Alarm: Sendable {
    var time: Duration
    /// Nil runs on the thread that moves the clock.
    var queue: DispatchQueue?
    var run: @Sendable () -> Void
  }

  private let state = Mutex(State())

  /// A clock at its beginning.
  public init() {}

  /// Where the clock stands.
  public var now: Instant { Instant(offset: state.withLock(\.now)) }
  /// Zero: it stands wherever it was put.
  public var minimumResolution: Duration { .zero }

  /// Waits until somebody has moved the clock there; not at all when it is there already.
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

  /// Moves the clock, and stops at each moment for which something waits. When this returns, what was due has happened: banners and
  /// toasts have come and gone, and closures have been called. Tasks that slept have been woken; what they do then is theirs.
  ///
  /// - Parameter duration: zero lets happen what is due now.
  public func advance(by duration: Duration) async {
    let end = state.withLock { $0.now } + duration
    await settle()
    while let alarm = takeAlarm(until: end) {
      await run(alarm)
      await settle()
    }
    state.withLock { $0.now = max($0.now, end) }
  }

  // MARK: For what lives by the clock

  @discardableResult
  package func set(_ time: Duration, on queue: DispatchQueue, _ run: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { $0.set(Alarm(time: time, queue: queue, run: run)) }
  }

  package func remove(_ number: UInt64) { _ = state.withLock { $0.alarms.removeValue(forKey: number) } }

  /// ``advance(by:)`` waits for what happens on this queue.
  package func await(_ queue: DispatchQueue) { state.withLock { $0.queues.append(queue) } }

  /// The earliest one; of equal ones the first that was set.
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

  /// What one queue does may be for another: a path goes from a monitor's to a window's, and a closure of the window's may come back.
  private func settle() async {
    for _ in 0..<3 {
      for queue in state.withLock(\.queues) {
        await withCheckedContinuation { done in queue.async { done.resume() } }
      }
    }
  }
}
