internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Process-wide events for all windows: a terminal is resized, the process continues after a stop, the process exits.
final class ProcessTerminals: Sendable {
  private struct State {
    var windows: [ObjectIdentifier: Member] = [:]
    var events: ReadSource?
    var isPrepared = false
  }

  private struct Member {
    weak var window: WindowCore?
  }

  static let shared = ProcessTerminals()

  private let state = Mutex(State())

  func add(_ window: WindowCore) {
    guard window.belongsToProcess else { return }
    state.withLock { state in
      state.windows[ObjectIdentifier(window)] = Member(window: window)
      guard !state.isPrepared else { return }
      state.isPrepared = true
      atProcessExit { ProcessTerminals.shared.end() }
      // Without a descriptor for the events, a window adapts at its next change.
      state.events = try? TerminalGuard.events(on: DispatchQueue(label: "overline.terminals")) {
        for window in ProcessTerminals.shared.windows { window.lookAgain() }
      }
    }
  }

  func remove(_ window: WindowCore) {
    _ = state.withLock { $0.windows.removeValue(forKey: ObjectIdentifier(window)) }
  }

  private var windows: [WindowCore] { state.withLock { $0.windows.values.compactMap(\.window) } }

  private func end() {
    for window in windows { window.closeAtExit() }
  }
}
