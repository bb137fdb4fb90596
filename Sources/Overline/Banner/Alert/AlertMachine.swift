/// The alerts of one window. One alert shows and the others wait, so that a key meant for one alert never answers another.
package struct AlertMachine: Sendable {
  /// Keys that follow the appearance of an alert within this period are dropped: no user reads a question and answers it so fast, so they
  /// were meant for the program. Each dropped key starts the period again, as for a key that is held down or the rest of a line. So does
  /// every key without a meaning to an alert, since it belongs to text typed for the program.
  package static let inputGracePeriod: Duration = .milliseconds(500)

  private struct Posted: Equatable, Sendable {
    var alert: Alert
    var id: AlertID
  }

  private var posted: [Posted] = []
  private var since: Duration = .zero
  private var focus = 0

  package init() {}

  /// True while the program has the keyboard.
  var isEmpty: Bool { posted.isEmpty }

  /// The alert in front; nil while there is none.
  package var frame: AlertFrame? { posted.first.map { AlertFrame(alert: $0.alert, focus: focus) } }

  package mutating func handle(_ event: AlertEvent, at now: Duration) -> [OverlayEffect] {
    var effects: [OverlayEffect] = []
    let before = posted.first
    switch event {
    case .alertPosted(let alert, let id): posted.append(Posted(alert: alert, id: id))
    case .alertWithdrawn(let id): posted.removeAll { $0.id == id }
    case .alertAppeared: since = now
    case .keyPressed(let key):
      if now < since + Self.inputGracePeriod || key == .other { since = now } else { press(key, &effects) }
    case .alertsRefused(let reason):
      effects = posted.map { .alertRefused($0.id, reason) }
      posted = []
    case .buttonPressed(let button): if now >= since + Self.inputGracePeriod { answer(button, &effects) }
    }
    if posted.first != before {
      since = now
      focus = posted.first?.alert.focus ?? 0
    }
    return effects
  }

  private mutating func press(_ key: AlertKey, _ effects: inout [OverlayEffect]) {
    guard let count = posted.first?.alert.buttons.count, count > 0 else { return }
    switch key {
    case .previousButton: focus = (focus + count - 1) % count
    case .nextButton: focus = (focus + 1) % count
    case .confirm: answer(focus, &effects)
    case .dismiss: answer(posted.first?.alert.cancelButton, &effects)
    case .button(let button): answer(button, &effects)
    case .other: break
    }
  }

  private mutating func answer(_ button: Int?, _ effects: inout [OverlayEffect]) {
    guard let front = posted.first else { return }
    if let button, !front.alert.buttons.indices.contains(button) { return }
    posted.removeFirst()
    effects.append(.alertAnswered(front.id, button: button))
  }
}
