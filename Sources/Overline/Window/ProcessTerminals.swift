internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Process-wide events for all windows: a terminal is resized, the process continues after a stop, the process exits.
///
/// A timer checks the sizes four times a second while they matter. A SIGWINCH handler would cut short the program's sleeps and its waits
/// for connections (signal(7)).
final class ProcessTerminals: Sendable {
  private struct State {
    var windows: [ObjectIdentifier: Member] = [:]
    var events: ReadSource?
    var isPrepared = false
    /// The number of screens whose size matters, and the timer that checks their sizes.
    var watched = 0
    var timer: RepeatingTimer?
  }

  private struct Member {
    weak var window: WindowCore?
  }

  static let shared = ProcessTerminals()

  private static let lookInterval = Duration.milliseconds(250)

  private let queue = DispatchQueue(label: "overline.terminals")
  private let state = Mutex(State())

  func add(_ window: WindowCore) {
    guard window.belongsToProcess else { return }
    state.withLock { state in
      state.windows[ObjectIdentifier(window)] = Member(window: window)
      guard !state.isPrepared else { return }
      state.isPrepared = true
      atProcessExit { ProcessTerminals.shared.end() }
      // Without a descriptor for the events, a window adapts at its next change.
      state.events = try? TerminalGuard.events(on: queue) {
        for window in ProcessTerminals.shared.windows { window.lookAgain() }
      }
    }
  }

  func remove(_ window: WindowCore) {
    _ = state.withLock { $0.windows.removeValue(forKey: ObjectIdentifier(window)) }
  }

  /// Starts the checks, or ends them. Calls nest: the checks end after as many calls with false as with true.
  func watchSizes(_ isOn: Bool) {
    let ended = state.withLock { state -> RepeatingTimer? in
      state.watched += isOn ? 1 : -1
      if state.watched > 0, state.timer == nil {
        state.timer = RepeatingTimer(every: Self.lookInterval, queue: queue) {
          for window in ProcessTerminals.shared.windows { window.lookAtSize() }
        }
      }
      return state.watched == 0 ? state.timer.take() : nil
    }
    withExtendedLifetime(ended) {}
  }

  /// Repaints the other windows on a terminal. The window that released its rows there has released theirs too.
  func repaintOthers(on terminal: Int32) {
    for window in windows where window.isShowing(on: terminal) { window.lookAgain() }
  }

  private var windows: [WindowCore] { state.withLock { $0.windows.values.compactMap(\.window) } }

  private func end() {
    for window in windows { window.closeAtExit() }
  }
}
