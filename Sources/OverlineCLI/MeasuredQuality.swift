internal import NetworkPath
internal import OverlineCore
internal import Synchronization

/// Writes the monitor's states with the quality, for `overline watch --quality`. The monitor does not measure it for observers, so this
/// process does. Two threads write: the lock keeps their lines in order.
final class MeasuredQuality: Sendable {
  private struct Known {
    var quality: QualityReport?
    var state: ObserverState?
    /// The last line.
    var line: [UInt8] = []
  }

  private let known = Mutex(Known())
  private let monitor: NWPathMonitor
  private let format: @Sendable (ObserverState) -> [UInt8]

  /// - Parameter format: the line of a state.
  init(_ options: PathOptions, format: @escaping @Sendable (ObserverState) -> [UInt8]) {
    self.format = format
    var measured = options
    measured.quality = .measured
    // The monitor does all else, and sends for it.
    (measured.detectsSilence, measured.detectsNoAnswers, measured.detectsNotSent) = (false, false, false)
    (measured.mayKick, measured.mayAsk) = (false, false)
    monitor = NWPathMonitor(options: measured)
    monitor.pathUpdateHandler = { [weak self] in self?.learn($0.quality) }
    monitor.start(queue: .global())
  }

  deinit { monitor.cancel() }

  /// Writes the state with the quality of now.
  func pass(_ state: ObserverState) throws {
    try known.withLock { known in
      known.state = state
      try write(state, &known)
    }
  }

  private func learn(_ quality: QualityReport?) {
    known.withLock { known in
      guard known.quality != quality else { return }
      known.quality = quality
      // A quality that becomes unknown changes nothing that a bar shows: the monitor reports an outage by itself.
      guard quality != nil, let state = known.state, state.path.status == NWPath.Status.satisfied.word else {
        return
      }
      // The main thread notices a closed pipe.
      try? write(state, &known)
    }
  }

  /// Many states have the same line in short formats.
  private func write(_ state: ObserverState, _ known: inout Known) throws {
    let line = format(Self.added(known.quality, to: state))
    if line == known.line { return }
    known.line = line
    try Output.write(line)
  }

  /// What the monitor has measured itself comes first: its state agrees with it.
  private static func added(_ quality: QualityReport?, to state: ObserverState) -> ObserverState {
    guard state.path.quality == nil, state.path.status == NWPath.Status.satisfied.word else { return state }
    var state = state
    state.path.quality = quality.map(ObserverState.Quality.init)
    return state
  }
}
