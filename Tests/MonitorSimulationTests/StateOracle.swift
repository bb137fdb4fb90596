import Overline
import OverlineCore

/// Reads the states that a monitor publishes, in order, as an observer would.
struct StateOracle {
  private(set) var failure: DayFailure?
  private(set) var last: ObserverState?
  /// The last state other than unknown. While the kernel cannot be asked, nothing ends and nothing begins.
  private var lastKnown: ObserverState?
  /// Whether the banner of the current trouble was shown.
  private var wasShown = false
  private var troubleSince: Duration?
  /// The time of the last *Back online*.
  private var restoredAt: Duration?
  private var openToasts: Set<Int> = []
  private(set) var outages = 0
  private var lastAt = Duration.zero
  private var recordedOutages = 0
  private var lastRecord: HistoryRecord?

  private mutating func fail(_ kind: DayFailure.Kind, _ detail: String) {
    if failure == nil { failure = DayFailure(kind: kind, detail: detail) }
  }

  private static func isTrouble(_ state: ObserverState?) -> Bool {
    switch state?.state {
    case .offline, .limited: true
    case .online, .restored, .unknown, nil: false
    }
  }

  mutating func note(_ state: ObserverState, _ phase: BannerMachine.Phase, grace: Duration, at now: Duration) {
    lastAt = now
    defer {
      last = state
      if state.state != .unknown { lastKnown = state }
    }
    if state.seq != (last?.seq ?? 0) + 1 { fail(.states, "number \(state.seq) after \(last?.seq ?? 0)") }
    if let fault = Self.contradiction(in: state) { fail(.states, fault) }
    let isTrouble = Self.isTrouble(state)
    if isTrouble, !Self.isTrouble(lastKnown) {
      // A loss during *Back online*, or while it leaves, shows at once.
      (wasShown, troubleSince) = (false, now)
    }
    if state.state == .offline, lastKnown?.state != .offline { outages += 1 }
    // What a pause hides counts as shown: it would have been.
    if state.paused != nil || last?.paused != nil { wasShown = true }
    switch phase {
    case .presented:
      if !wasShown, let since = troubleSince, last != nil, !isRelapse(since), now - since < grace {
        fail(.banner, "shown \(now - since) after the loss, before the end of the grace delay")
      }
      wasShown = true
    case .hidden where Self.isTrouble(lastKnown) == false && state.state == .online: wasShown = false
    case .restored:
      if last?.banner.phase != .restored {
        if !wasShown { fail(.banner, "Back online, and no outage was shown") }
        restoredAt = now
      }
    case .hidden, .grace, .dismissed, .expired, .leaving: break
    }
  }

  private var isAfterRestored: Bool { lastKnown?.banner.phase == .restored }

  private func isRelapse(_ since: Duration) -> Bool {
    isAfterRestored || restoredAt.map { since - $0 < .seconds(3) } ?? false
  }

  /// Why no moment can be like that.
  private static func contradiction(in state: ObserverState) -> String? {
    let phase = state.banner.phase
    if state.state == .restored ? phase != .restored : phase == .restored && state.state != .unknown {
      return "\(state.state) with \(phase)"
    }
    if phase == .grace, !isTrouble(state) { return "grace, and \(state.state)" }
    if phase == .grace, state.banner.title != nil { return "a banner in its grace delay" }
    if state.inset.top + state.inset.bottom > 0, state.banner.title == nil { return "rows without a banner" }
    if (state.path.status == "unsatisfied") != (state.state == .offline) {
      return "\(state.path.status) is \(state.state)"
    }
    if (state.state == .limited) != (state.limited != nil) { return "limited without its reason" }
    return nil
  }

  /// Whether the last state is old enough: after it the monitor gives memory back.
  func isQuiet(at now: Duration) -> Bool { now > lastAt + .seconds(11) }

  mutating func noteToast(_ id: Int) { openToasts.insert(id) }

  mutating func noteToastEnd(_ id: Int) {
    if openToasts.remove(id) == nil { fail(.toasts, "toast \(id) ended twice") }
  }

  var toasts: Set<Int> { openToasts }

  /// The number of the state for which each hook was due last, and of the state with which it ran last.
  private var dueHooks: [Hook: Int] = [:]
  private var runHooks: [Hook: Int] = [:]

  mutating func noteHook(_ hook: Hook, _ state: ObserverState) {
    dueHooks[hook] = state.seq
    for other in hook.superseded { dueHooks[other] = nil }
  }

  /// No run of a hook about the network comes after a newer one of another.
  private mutating func checkOrder(_ hook: Hook, _ number: Int) {
    let newer = runHooks.filter { $0.key.superseded.contains(hook) && $0.value > number }
    if !newer.isEmpty { fail(.hooks, "\(hook.rawValue) runs for state \(number) after \(newer)") }
  }

  mutating func noteRun(_ hook: Hook, _ number: String) {
    let number = Int(number.dropFirst("SEQ=".count)) ?? 0
    checkOrder(hook, number)
    runHooks[hook] = number
  }

  /// At rest each hook has run with its newest state.
  func hookFailure(_ isConfigured: (Hook) -> Bool) -> DayFailure? {
    for (hook, due) in dueHooks where isConfigured(hook) && runHooks[hook] != due {
      return DayFailure(
        kind: .hooks, detail: "\(hook.rawValue) was due for state \(due), and ran for \(runHooks[hook] ?? 0)")
    }
    return nil
  }

  mutating func note(_ record: HistoryRecord) {
    lastRecord = record
    if case .offline = record.event { recordedOutages += 1 }
    if recordedOutages > outages + 1 {
      fail(.records, "\(recordedOutages) outages are recorded, \(outages) were published")
    }
  }

  /// At rest each outage is recorded.
  var recordFailure: DayFailure? {
    let isOffline = if case .offline = lastRecord?.event { true } else { false }
    if let lastKnown, isOffline != (lastKnown.state == .offline) {
      return DayFailure(kind: .records, detail: "the last record is \(String(describing: lastRecord?.event))")
    }
    return recordedOutages == outages
      ? nil : DayFailure(kind: .records, detail: "\(recordedOutages) outages are recorded, \(outages) were published")
  }
}
