import NetworkPath
import Overline
@testable import OverlineCore
import OverlineSimulatedMachine

extension SimulatedDay {
  /// Compares what is with what should be, when nothing has happened for a while.
  func checkRest() {
    guard failure == nil, let monitor, monitor.isAlive else { return }
    coverage.rests += 1
    if let fault = clients.values.compactMap(\.fault).first { return fail(.clients, fault) }
    if let failure = monitor.oracle.recordFailure { return fail(failure.kind, failure.detail) }
    checkPath(monitor)
    checkScreens(monitor)
    checkClients(monitor)
    checkEnds(monitor)
  }

  /// A state that was just published, beside the network.truth.
  func check(_ state: ObserverState) {
    // A message that is under way may refute the state: it is published again when the message is read.
    guard network.isKernelHeard, network.messages.isEmpty, state.state == .offline, network.isUsable,
      now > network.truth.since + DayNetwork.ignorance
    else { return }
    // A silent router may have answered just now.
    if state.path.reason != "router-silent" {
      fail(.claim, "offline (\(state.path.explanation)), and packets reach the router")
    }
  }

  /// A loss that lasts is published soon.
  func checkLoss() {
    guard let monitor, network.isKernelHeard, network.truth.isBroken, now >= network.truth.since + DayNetwork.ignorance,
      now >= monitorStart + DayNetwork.ignorance, let state = monitor.oracle.last
    else { return }
    if state.state != .offline { fail(.claim, "\(state.state) for \(now - network.truth.since) after the loss") }
  }

  private func checkPath(_ monitor: SimulatedMonitor) {
    guard let state = monitor.oracle.last, !network.isKernelDeaf else { return }
    if network.isBroken, state.state != .offline { return fail(.claim, "\(state.state), and no packet can leave") }
    if network.isUsable, state.state == .offline {
      return fail(.claim, "offline (\(state.path.explanation)), and packets reach the router")
    }
    if state.limited?.reason == "no-answers", !network.hasWaited {
      return fail(.claim, "no answers, and nothing waits for one")
    }
    let status = monitor.machine.overlays.banner
    switch status.phase {
    case .grace: fail(.banner, "the grace delay never ends")
    case .presented(let trouble), .dismissed(let trouble), .expired(let trouble):
      let expected: ObserverState.State = trouble.kind == .lost ? .offline : .limited
      if state.state != expected, state.state != .unknown {
        return fail(.banner, "\(state.state), and \(trouble.kind)")
      }
      coverage.banners += 1
    case .hidden, .restored, .leaving:
      if state.state == .offline { fail(.banner, "offline, and no banner (\(status.phase))") }
      if status.phase == .hidden, status.customBanner == nil, status.frame != nil {
        fail(.banner, "a banner while online")
      }
    }
  }

  private func checkScreens(_ monitor: SimulatedMonitor) {
    // tmux is slow, and a claim may have ended just now.
    guard monitor.oracle.isQuiet(at: now) else { return }
    for member in monitor.machine.fleet.members {
      let place = place(member.server)
      guard place.isAnswering, let model = place.model else { continue }
      coverage.lines += 1
      // What observers read, not what the fleet believes.
      let content = monitor.machine.overlays.presentation
      let title = content.banner?.appearance.title ?? ""
      let shown = model.variables["OVERLINE_TEXT"] ?? ""
      if isPaused, !title.isEmpty { return fail(.screen, "\"\(title)\" during a pause") }
      if !shown.contains(title) || title.isEmpty != shown.isEmpty {
        return fail(.screen, "tmux shows \"\(shown)\", the banner is \"\(title)\"")
      }
      if content.isEmpty, monitor.configuration.tmux.reserve != .always { checkOptions(place) }
      checkLines(place, monitor, shows: content.banner != nil)
    }
    for place in places
    where place.isAnswering && !monitor.machine.fleet.members.contains(where: { $0.server == place.server }) {
      if place.isWanted, place.isSupported { return fail(.screen, "\(place.server.socket) is not driven") }
      if !place.isUndetached { checkOptions(place) }
    }
  }

  /// A session whose status the user has not turned off shows one line for the banner, as the last of its lines.
  private func checkLines(_ place: TmuxPlace, _ monitor: SimulatedMonitor, shows: Bool) {
    guard let model = place.model, monitor.configuration.tmux.reserve != .never else { return }
    let count = shows || monitor.configuration.tmux.reserve == .always ? 1 : 0
    for (session, lines) in model.shownLines where lines != nil && !place.hasChanged {
      if lines != count { return fail(.screen, "\(session) shows \(lines ?? 0) lines of ours, \(count) are due") }
    }
  }

  /// A session may have lost an array that the user has made during a banner, and that only has entries of the server's array or none. The
  /// session had no array before, and the banner gave it a copy of the server's. So these entries were there already, and an entry that is
  /// missing may be one that the user has set and removed, or only removed.
  private func isEqual(
    _ own: SimulatedTmux.Options?, _ expected: SimulatedTmux.Options, _ server: SimulatedTmux.Options?
  ) -> Bool {
    guard let own, own.format == nil, let entries = expected.format else { return own == expected }
    return own.status == expected.status && entries.allSatisfy { server?.format?[$0.key] == $0.value }
  }

  func checkOptions(_ place: TmuxPlace) {
    guard let model = place.model, place.isAnswering else { return }
    let (own, expected) = (model.options, place.expected.options)
    for (session, options) in expected where !isEqual(own[session], options, expected[""]) {
      let name = session.isEmpty ? "the server" : session
      return fail(.options, "\(name) has \(own[session].map { "\($0)" } ?? "nothing"), the user set \(options)")
    }
    if let left = model.variables.keys.first(where: { $0.hasPrefix("OVERLINE") }) { fail(.options, "\(left) is left") }
    if !model.hooks.isEmpty { fail(.options, "a hook is left: \(model.hooks)") }
  }

  private func checkClients(_ monitor: SimulatedMonitor) {
    for client in clients.values where client.id != nil && !client.isDeaf {
      if client.readsNumbers, client.lastSequence != monitor.oracle.last?.seq ?? 0 {
        return fail(
          .clients, "a client has state \(client.lastSequence), the newest is \(monitor.oracle.last?.seq ?? 0)")
      }
      if client.unanswered != 0, isEveryServerAnswering { return fail(.answers, "\(client.unanswered) requests wait") }
    }
  }

  private var isEveryServerAnswering: Bool { places.allSatisfy { $0.model == nil || $0.isAnswering } }

  private func checkEnds(_ monitor: SimulatedMonitor) {
    if let failure = monitor.oracle.hookFailure({ $0.command(in: monitor.configuration.hooks) != nil }),
      hookTime < HookMachine.timeLimit
    {
      return fail(failure.kind, failure.detail)
    }
    if monitor.isHookLate { return fail(.hooks, "a command runs for more than its limit") }
    if isEveryServerAnswering, monitor.openRequests > 0 {
      return fail(.answers, "\(monitor.openRequests) requests have no answer")
    }
    // All toasts of a day have an end of their own, or one of their owner.
    let open = monitor.oracle.toasts.count
    if isEveryServerAnswering, open > 0 { return fail(.toasts, "\(open) toasts have not ended") }
    // A custom banner that another client has dismissed is owned until the next one, or the end of its owner.
    if isEveryServerAnswering, monitor.owners.overlayCount > open + 1 {
      return fail(
        .memory, "\(monitor.owners.overlayCount) overlays are owned, \(open) toasts show")
    }
    if monitor.server.clientCount > clients.count {
      return fail(.memory, "\(monitor.server.clientCount) clients, \(clients.count) are connected")
    }
    checkIdle(monitor)
  }

  /// Without trouble, toasts and checks no timer is armed.
  private func checkIdle(_ monitor: SimulatedMonitor) {
    guard network.isUsable, monitor.oracle.last?.state == .online, monitor.configuration.check == nil,
      monitor.oracle.toasts.isEmpty, isEveryServerAnswering, !network.hasSent, monitor.oracle.isQuiet(at: now),
      !isPaused
    else { return }
    if let next = monitor.nextDeadline {
      fail(.idle, "the next deadline is in \(next - now): \(monitor.deadlines)")
    }
  }

  /// After the monitor's end nothing of it is left.
  func checkEnd() {
    if monitor != nil { return fail(.restless, "the monitor does not end") }
    for place in places { checkOptions(place) }
  }
}
