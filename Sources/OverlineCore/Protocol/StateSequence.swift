internal import NetworkPath
internal import Overline

/// The states of one monitor or window, in order. Each contains a number, the time of its beginning, and the last announcement.
package struct StateSequence: Sendable {
  /// The newest state; nil before the first one.
  package private(set) var last: ObserverState?
  /// ``last`` with the path's own time since the last answer: that time grows, and does not make a state a new one.
  private var plain: ObserverState?
  private var banner: String?
  /// The time since the last answer, as the path reports it, and the time of the first such path.
  private var silence: (age: Duration, at: Duration)?

  package init() {}

  /// The next state; nil when nothing has changed.
  ///
  /// - Parameters:
  ///   - now: the time since boot.
  ///   - time: now, in RFC 3339.
  package mutating func next(_ observation: Observation, at now: Duration, time: String) -> ObserverState? {
    let (path, overlays) = (observation.path, observation.overlays)
    if path.answerAge != silence?.age { silence = path.answerAge.map { ($0, now) } }
    var state = ObserverState(
      seq: last?.seq ?? 0, time: last?.time ?? time, since: last?.since ?? time, path: path,
      limitation: observation.limitation, phase: overlays.banner.phase, appearance: overlays.banner.banner?.appearance,
      isDismissed: overlays.banner.claim == .dismissed, inset: observation.inset)
    state.toast = overlays.toast.map(ObserverState.Toast.init)
    state.alert = overlays.alert.map(ObserverState.Alert.init)
    state.paused = overlays.quiet.map(ObserverState.Pause.init)
    state.announcement = announcement(state, overlays)
    guard state != plain else { return nil }
    state.seq += 1
    state.time = time
    if state.state != last?.state { state.since = time }
    plain = state
    if let silence {
      let (age, then) = ((silence.age + now - silence.at).components.seconds, silence.age.components.seconds)
      state = state.aged(by: Int(age - then))
    }
    last = state
    return state
  }

  /// The announcement for new overlays. Disappearing overlays are not announced.
  private mutating func announcement(_ state: ObserverState, _ overlays: OverlayStatus) -> String {
    let old = banner
    banner = overlays.banner.banner?.announcement
    var news: [String] = []
    if let alert = overlays.alert, state.alert != last?.alert { news.append(alert.announcement) }
    if let toast = overlays.toast, state.toast != last?.toast { news.append(toast.announcement) }
    if let banner, banner != old { news.append(banner) }
    return news.isEmpty ? last?.announcement ?? "" : TerminalText.sanitized(news.joined(separator: " "))
  }
}

extension ObserverState {
  /// Whether this state's announcement is about a toast or an alert that `old` does not contain. ``ObserverFormat/text`` prints such an
  /// announcement as a separate line. It does not print the network's banner, which repeats the sentence.
  package func hasNewOverlay(since old: ObserverState?) -> Bool {
    toast != nil && toast != old?.toast || alert != nil && alert != old?.alert
  }
}
