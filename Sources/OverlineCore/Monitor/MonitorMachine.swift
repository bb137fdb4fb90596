internal import NetworkPath
package import Overline

/// The monitor's decisions. It combines path, reachability check, requests and configuration into a state, and decides the order in which
/// observers, hooks, tmux, the console and the records receive that state.
///
/// A value, like the machines in it. The daemon reads the clocks, performs the effects in their order, and delivers
/// ``MonitorEvent/deadlineReached`` at ``nextDeadline``. An event has at most one
/// ``MonitorEffect/publish(_:)``, which is its first effect. So the daemon may handle a further event while it performs the rest.
package struct MonitorMachine: Sendable {
  /// The overlays for observers, which show on no screen. A tmux server that appears later starts with this banner.
  package private(set) var overlays: OverlayModel
  package private(set) var fleet: FleetMachine
  private var path: NWPath?
  private var check: CheckMachine
  private var hooks: Configuration.Hooks
  private var trigger = HookTrigger()
  private var targetTrigger = TargetTrigger()
  private var states = StateSequence()
  /// The time of the next read of the configuration's file.
  private var reloadDeadline: Duration?
  /// The time to release the memory pages that an idle monitor does not need.
  private var restDeadline: Duration?
  private var isEnding = false

  /// The pause after the last change, or the last client's end, before pages are released. This saves 4 MB, and costs the next change
  /// 0.2 ms to fetch the pages again: too much for each change of a network that flaps.
  private static let restDelay: Duration = .seconds(10)

  package init(_ configuration: Configuration) {
    overlays = OverlayModel(
      banner: configuration.banner, toasts: configuration.toastSettings, window: .reference)
    fleet = FleetMachine(banner: configuration.banner, reserve: configuration.tmux.reserve)
    check = CheckMachine(settings: configuration.check)
    hooks = configuration.hooks
  }

  /// The time when ``MonitorEvent/deadlineReached`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? { isEnding ? nil : earliestDeadline }

  private var graceDelay: Duration { overlays.banner.settings.graceDelay }

  /// Whether a toast shows that a client may dismiss without naming it.
  ///
  /// - Parameter server: the toast's tmux server; nil for all.
  package func showsToast(in server: TmuxServer?) -> Bool { fleet.showsToast(in: server) || hasToastOutsideTmux }

  /// True while there is a toast and tmux shows none.
  private var hasToastOutsideTmux: Bool { !overlays.toasts.isEmpty && !fleet.showsToast() }

  /// The state of the network as a sentence.
  private var sentence: String? { limitation.map { "limited: \($0.explanation)" } ?? path?.explanation }

  /// The reason why the connection is limited; nil when it is not. The check's finding comes first, since it is more precise than the path's.
  private var limitation: Limitation? { check.limitation ?? path?.limitation }

  /// - Parameters:
  ///   - now: the time since boot.
  ///   - wallTime: now, in RFC 3339.
  package mutating func handle(_ event: MonitorEvent, at now: Duration, wallTime: String) -> [MonitorEffect] {
    // A fade may continue while the monitor waits for tmux. The state file has already been removed, and must not be written again.
    if isEnding {
      if case .ended = event { return [.exit] } else { return [] }
    }
    let effects = apply(event, at: now)
    return isEnding ? effects : publication(at: now, wallTime) + effects
  }

  private mutating func apply(_ event: MonitorEvent, at now: Duration) -> [MonitorEffect] {
    switch event {
    case .pathChanged(let path): return judge(.pathChanged(path), at: now)
    case .checkSuggested: return judge(.suggested, at: now)
    case .checkAnswered(let verdict, let request): return judge(.answered(verdict, request: request), at: now)
    case .bannerChanged(let event): return show(.banner(event), at: now)
    case .toastPosted(let toast, let id, let server, let request): return post(toast, id, server, request, at: now)
    case .toastDismissed(let id): return show(.toast(.toastDismissed(id)), at: now)
    case .quietChanged(let period): return show(.quietChanged(period), at: now)
    case .frontToastDismissed(let server):
      return fleet.showsToast(in: server) || !hasToastOutsideTmux
        ? tell(.frontToastDismissed(in: server), at: now) : update(.toast(.frontToastDismissed), at: now)
    case .tmux(let event): return tell(event, at: now)
    case .clientLeft:
      restDeadline = now + Self.restDelay
      return []
    case .configurationFileChanged:
      // Further changes do not move the deadline. Otherwise a file that changes all the time would never be read.
      reloadDeadline = reloadDeadline ?? now + Configuration.debounceInterval
      return []
    case .configurationRead(let configuration): return configure(configuration, at: now)
    case .deadlineReached: return handleDeadline(at: now)
    case .ended(let handsOver):
      isEnding = true
      return check.handle(.settingsChanged(nil), at: now).map(MonitorEffect.init) + [.end(handsOver: handsOver)]
    }
  }

  // MARK: - The network

  /// Passes an event to the check. Reports the network if the path or the limitation has changed.
  private mutating func judge(_ event: CheckMachine.Event, at now: Duration) -> [MonitorEffect] {
    let before = (sentence: sentence, limitation: limitation, path: path)
    var effects = check.handle(event, at: now).map(MonitorEffect.init)
    let isPath: Bool
    switch event {
    case .pathChanged(let new):
      path = new
      isPath = true
    case .settingsChanged, .suggested, .answered, .deadlineReached: isPath = false
    }
    let limitation = limitation
    guard isPath || limitation != before.limitation, let path, let sentence else { return effects }
    if let event = path.bannerEvent(isFirst: before.path == nil, limitation: limitation) {
      effects += show(.banner(event), at: now)
    }
    // A change of a second interface, or of a target while offline, leaves the sentence as it is and prints no line.
    if sentence != before.sentence { effects.append(.say(sentence)) }
    return effects + [.record(path, limitation, sentence: sentence)]
  }

  // MARK: - Overlays

  /// Passes an event to the overlays of observers and of every tmux server.
  private mutating func show(_ event: OverlayEvent, at now: Duration) -> [MonitorEffect] {
    tell(.overlay(event), at: now) + update(event, at: now)
  }

  /// Passes an event to the tmux servers.
  private mutating func tell(_ event: FleetMachine.Event, at now: Duration) -> [MonitorEffect] {
    take(fleet.handle(event, like: overlays, at: now), at: now)
  }

  private mutating func take(_ effects: [FleetMachine.Effect], at now: Duration) -> [MonitorEffect] {
    effects.reduce(into: []) { result, effect in
      guard case .toastEnded(let id, let unseen) = effect else { return result.append(.tmux(effect)) }
      Self.add(endToast(id, unseen, at: now), to: &result)
    }
  }

  /// Adds effects, each end of a toast once: two toasts may end at the same time in tmux and for observers, and the end of the first one
  /// reports both.
  private static func add(_ new: [MonitorEffect], to result: inout [MonitorEffect]) {
    for effect in new {
      if case .endToast = effect, result.contains(effect) { continue }
      result.append(effect)
    }
  }

  /// Shows a toast in tmux, or says it without a tmux server.
  private mutating func post(
    _ toast: ToastContent, _ id: ToastID, _ server: TmuxServer?, _ request: FleetMachine.Request, at now: Duration
  ) -> [MonitorEffect] {
    guard !fleet.members.isEmpty else {
      return [.say(toast.announcement)] + update(.toast(.toastPosted(toast, id: id)), at: now)
        + [.tmux(.shown(request, clients: 0))]
    }
    // First, because `update(_:at:)` asks the fleet whether it has the toast. A toast that this one replaces ends after it, as in tmux.
    let effects = fleet.handle(.toastPosted(toast, id, to: server, request), like: overlays, at: now)
    var result = update(.toast(.toastPosted(toast, id: id)), at: now)
    Self.add(take(effects, at: now), to: &result)
    return result
  }

  /// Passes an event to the overlays of observers. Toasts in tmux end only when tmux reports their end.
  private mutating func update(_ event: OverlayEvent, at now: Duration) -> [MonitorEffect] {
    overlays.handle(event, at: now).compactMap { effect in
      switch effect {
      case .toastEnded(let id): fleet.holds(id) ? nil : .endToast(id)
      case .alertAnswered, .alertRefused: nil
      case .quietBegan(let period): .keepQuiet(period)
      case .quietEnded: .planQuiet
      }
    }
  }

  private mutating func endToast(_ id: ToastID, _ unseen: ToastContent?, at now: Duration) -> [MonitorEffect] {
    var effects = update(.toast(.toastDismissed(id)), at: now)
    // For observers the toast may have ended earlier.
    if !effects.contains(.endToast(id)) { effects.append(.endToast(id)) }
    if let unseen { effects.append(.say(unseen.announcement)) }
    return effects
  }

  // MARK: - Configuration and time

  private mutating func configure(_ new: Configuration?, at now: Duration) -> [MonitorEffect] {
    reloadDeadline = nil
    guard let new else { return [] }
    hooks = new.hooks
    return update(.banner(.settingsChanged(new.banner)), at: now)
      + update(.toast(.settingsChanged(new.toastSettings)), at: now)
      + tell(.configured(new.banner, new.toastSettings, new.tmux.reserve), at: now)
      // Last: new settings of the path may change it at once.
      + judge(.settingsChanged(new.check), at: now) + [.configure(new)]
  }

}

// MARK: - Time

extension MonitorMachine: TimedMachine {
  enum Timer: CaseIterable {
    case tmux
    case overlays
    case check
    /// A target's grace delay has passed.
    case target
    /// A moment has passed since the first change of the configuration's file that was not read.
    case reload
    /// Last, because everything above needs some of the pages that it releases.
    case memory
  }

  static let timers = Timer.allCases

  func deadline(of timer: Timer) -> Duration? {
    switch timer {
    case .tmux: fleet.nextDeadline
    case .overlays: overlays.nextDeadline
    case .check: check.nextDeadline
    case .target: targetTrigger.nextDeadline(graceDelay: graceDelay)
    case .reload: reloadDeadline
    case .memory: restDeadline
    }
  }

  private mutating func handleDeadline(at now: Duration) -> [MonitorEffect] {
    var effects: [MonitorEffect] = []
    for timer in Self.timers where isDue(timer, at: now) {
      switch timer {
      case .tmux: effects += tell(.deadlineReached, at: now)
      case .overlays: effects += update(.deadlineReached, at: now)
      case .check: effects += judge(.deadlineReached, at: now)
      // `publication(at:_:)` looks at it after each event.
      case .target: break
      case .reload:
        reloadDeadline = nil
        effects.append(.readConfiguration)
      case .memory:
        restDeadline = nil
        effects.append(.releaseMemory)
      }
    }
    return effects
  }
}

// MARK: - Observers

extension MonitorMachine {
  /// The effects that publish a new state, if there is one, and run the due hooks.
  private mutating func publication(at now: Duration, _ wallTime: String) -> [MonitorEffect] {
    guard let path else { return [] }
    let observation = Observation(
      path: path, limitation: check.limitation, overlays: overlays.status, inset: overlays.inset)
    let new = states.next(observation, at: now, time: wallTime)
    if new != nil { restDeadline = now + Self.restDelay }
    // The grace delay may end without a new state: that of a target, and any in a pause.
    guard let state = states.last else { return [] }
    var due = trigger.update(overlays.banner.phase, overlays.inset).map { DueHook($0) }
    due += targetTrigger.update(state.path.targets, graceDelay: graceDelay, at: now).map { DueHook(.target, $0) }
    due.removeAll { due in ([due.hook] + due.hook.superseded).allSatisfy { $0.command(in: hooks) == nil } }
    return (new.map { [.publish($0)] } ?? []) + (due.isEmpty ? [] : [.runHooks(due, state)])
  }
}
