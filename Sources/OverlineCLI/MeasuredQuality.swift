internal import NetworkPath
internal import OverlineCore
internal import OverlineSystem
internal import Synchronization

/// The quality beside the monitor's states, for `overline watch --quality`. The monitor does not measure it for observers, so this process
/// does.
final class MeasuredQuality: Sendable {
  private struct Known {
    var quality: QualityReport?
    var state: ObserverState?
  }

  private let known = Mutex(Known())
  private let monitor: NWPathMonitor

  /// - Parameter onChange: called with the last state when the quality has changed.
  init(_ options: PathOptions, onChange: @escaping @Sendable (ObserverState) -> Void) {
    var measured = options
    measured.quality = .measured
    monitor = NWPathMonitor(options: measured)
    monitor.pathUpdateHandler = { [weak self] path in
      let state = self?.known.withLock { known -> ObserverState? in
        guard known.quality != path.quality else { return nil }
        known.quality = path.quality
        known.state?.path.quality = path.quality.map(ObserverState.Quality.init)
        return known.state
      }
      if let state { onChange(state) }
    }
    monitor.start(queue: .global())
  }

  deinit { monitor.cancel() }

  /// The state with the quality of now.
  func added(to state: ObserverState) -> ObserverState {
    known.withLock { known in
      var state = state
      state.path.quality = known.quality.map(ObserverState.Quality.init)
      known.state = state
      return state
    }
  }
}
