package import Dispatch
internal import Synchronization

/// Collects the values of a callback, and waits for expected ones.
package final class Recorder<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  package init() {}

  package func record(_ value: Value) {
    let waiting = state.withLock { state in
      state.values.append(value)
      defer { state.waiting = [] }
      return state.waiting
    }
    for wake in waiting { wake() }
  }

  /// All values so far, oldest first.
  package var values: [Value] { state.withLock { $0.values } }

  /// Waits until the recorded values fulfil the condition, and returns them.
  @discardableResult
  package func wait(
    _ what: String, within limit: DispatchTimeInterval = .seconds(30), until isThere: ([Value]) -> Bool
  ) throws -> [Value] {
    let deadline = (0..<Sanitizer.slowness).reduce(DispatchTime.now()) { deadline, _ in deadline + limit }
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let values = state.withLock { state in
        state.waiting.append { semaphore.signal() }
        return state.values
      }
      if isThere(values) { return values }
      if semaphore.wait(timeout: deadline) == .timedOut {
        throw TestKitError("waited in vain for \(what); there was: \(values)")
      }
    }
  }

  /// Waits for a value that fits, beginning at position `start`.
  @discardableResult
  package func first(
    _ what: String, from start: Int = 0, within limit: DispatchTimeInterval = .seconds(30), where fits: (Value) -> Bool
  ) throws -> Value {
    try wait(what, within: limit) { $0.dropFirst(start).contains(where: fits) }.dropFirst(start).first(where: fits)!
  }
}
