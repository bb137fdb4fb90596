internal import Synchronization

/// The consumers of a value that changes. Each receives the current value first; a busy one receives only the newest.
final class Listeners<Value: Equatable & Sendable>: Sendable {
  private struct State {
    var consumers: [UInt64: AsyncStream<Value>.Continuation] = [:]
    var last: UInt64 = 0
    var value: Value
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let onUse: @Sendable (Bool) -> Void

  /// - Parameters:
  ///   - value: the first value.
  ///   - onUse: called with true when a first consumer begins, and with false when none is left.
  init(_ value: Value, onUse: @escaping @Sendable (Bool) -> Void = { _ in }) {
    state = Mutex(State(value: value))
    self.onUse = onUse
  }

  var hasConsumers: Bool { state.withLock { !$0.consumers.isEmpty } }

  func send(_ value: Value) {
    state.withLock { state in
      guard value != state.value else { return }
      state.value = value
      for consumer in state.consumers.values { consumer.yield(value) }
    }
  }

  /// Sends the current value again.
  func resend() {
    state.withLock { state in
      for consumer in state.consumers.values { consumer.yield(state.value) }
    }
  }

  func listen() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let (number, isFirst) = state.withLock { state -> (UInt64?, Bool) in
      if state.hasEnded { return (nil, false) }
      state.last += 1
      state.consumers[state.last] = continuation
      continuation.yield(state.value)
      return (state.last, state.consumers.count == 1)
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    if isFirst { onUse(true) }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  private func remove(_ number: UInt64) {
    // Release outside the lock: the released object may take the lock again.
    let (removed, isLast) = state.withLock { state in
      (state.consumers.removeValue(forKey: number), state.consumers.isEmpty)
    }
    if removed != nil, isLast { onUse(false) }
  }

  /// Ends all sequences, also those that begin later.
  func end() {
    let consumers = state.withLock { state in
      state.hasEnded = true
      defer { state.consumers = [:] }
      return state.consumers.values
    }
    if !consumers.isEmpty { onUse(false) }
    for consumer in consumers { consumer.finish() }
  }
}
