import NetworkPath
import Overline
@testable import OverlineCore

/// What observers of the window were told.
extension Simulation {
  /// The window tells observers no state that contradicts itself. At rest, the last state says what the terminal shows: whether the network is
  /// offline, and how many rows the banner takes.
  func failureOfTheStates() -> Failure? {
    var sequence = StateSequence()
    var states: [ObserverState] = []
    for observation in world.observations {
      guard let state = sequence.next(observation, at: .zero, time: "") else { continue }
      if let contradiction = Self.contradiction(in: state) { return failure(.observers, contradiction) }
      states.append(state)
    }
    guard let last = states.last else { return failure(.observers, "they were told nothing") }
    let expected: ObserverState.State = world.isOffline ? .offline : .online
    let rows = world.isOffline ? 1 : 0
    guard last.state == expected, last.inset.top == rows else {
      return failure(.observers, "at rest \(Self.words(last))")
    }
    return nil
  }

  private static func contradiction(in state: ObserverState) -> String? {
    let isRight =
      switch (state.state, state.banner.phase) {
      case (.online, .hidden), (.offline, .grace): state.inset.top == 0
      case (.offline, .presented), (.restored, .restored): state.inset.top == 1
      default: false
      }
    return isRight ? nil : words(state)
  }

  private static func words(_ state: ObserverState) -> String {
    "\(state.state), \(state.banner.phase), \(state.inset.top) rows"
  }
}
