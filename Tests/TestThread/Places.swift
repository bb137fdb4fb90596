internal import Glibc
internal import Synchronization

/// Limits the tests that run at once, for Swift 6.2, which starts all of them. Swift 6.3 obeys the same variable itself.
final class Places: Sendable {
  static let all = Places(
    count: getenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH").flatMap { Int(String(cString: $0)) }
      ?? 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  func occupy() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 { state.waiting.append(continuation) } else { state.free -= 1 }
        return state.waiting.isEmpty
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state in
      if state.waiting.isEmpty { state.free += 1 }
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }
}
