import NetworkPath
import Overline
import OverlineCore
import Testing

let online = NWPath(status: .satisfied, explanation: "online: eth0", supportsIPv4: true)
let offline = NWPath(status: .unsatisfied, reason: .noCarrier, explanation: "offline: no carrier", cause: "no carrier")
let toast = ToastContent(title: "Saved", duration: .seconds(5))
let one = ToastID(rawValue: 1)

/// A monitor without a daemon around it: events and times in milliseconds come in, effects in words come out.
struct MonitorScript {
  var machine: MonitorMachine
  private var last: Duration = .zero

  init(_ change: (inout Configuration) -> Void = { _ in }) {
    machine = MonitorMachine(Self.configuration(change))
  }

  static func configuration(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
    var configuration = Configuration()
    configuration.banner = BannerSettings(graceDelay: .milliseconds(250), hideDelay: .seconds(2), motion: .off)
    configuration.hooks.onOffline = "true"
    configuration.hooks.onOnline = "true"
    configuration.hooks.onLimited = "true"
    configuration.hooks.onInset = "true"
    configuration.hooks.onTarget = "true"
    change(&configuration)
    return configuration
  }

  /// Delivers the deadlines up to a time, each a nanosecond early too, then the event.
  ///
  /// - Returns: the effects.
  mutating func play(_ event: MonitorEvent? = nil, at milliseconds: Int) -> [String] {
    let now = Duration.milliseconds(milliseconds)
    var words: [String] = []
    while let deadline = machine.nextDeadline, deadline <= now {
      #expect(handle(.deadlineReached, at: max(last, deadline - .nanoseconds(1))) == [])
      words += handle(.deadlineReached, at: max(last, deadline))
    }
    return words + (event.map { handle($0, at: now) } ?? [])
  }

  private mutating func handle(_ event: MonitorEvent, at now: Duration) -> [String] {
    last = now
    let effects = machine.handle(event, at: now, wallTime: "\(now.components.seconds)")
    let publications = effects.indices.filter { if case .publish = effects[$0] { true } else { false } }
    #expect(publications.isEmpty || publications == [0], "observers come first")
    return effects.map(Self.words)
  }

  /// The banner of a tmux server that appears now; nil for none.
  func lateBanner(at milliseconds: Int) -> String? {
    let settings = machine.overlays.banner.settings
    let late = machine.overlays.modelOfLateWindow(
      .tmux(edge: .top), banner: settings, at: .milliseconds(milliseconds))
    return late.presentation.banner?.appearance.title
  }

  /// `on-offline`, `on-target(office reachable)`
  private static func words(_ due: DueHook) -> String {
    due.hook.rawValue + (due.target.map { "(\($0.name) \($0.state?.rawValue ?? "unknown"))" } ?? "")
  }

  private static func words(_ effect: MonitorEffect) -> String {
    switch effect {
    case .publish(let state): "state \(state.seq) \(state.state) \(state.banner.phase) \(state.inset.top)"
    case .runHooks(let due, let state): "hooks \(due.map(words).joined(separator: " ")) of \(state.seq)"
    case .tmux(let effect): words(effect)
    case .ask(_, let request): "ask \(request)"
    case .cancelRequest: "cancel"
    case .say(let sentence): "say \(sentence)"
    case .record(let path, let limitation, _): "record \(path.status)\(limitation == nil ? "" : " limited")"
    case .endToast(let id): "end toast \(id.rawValue)"
    case .keepQuiet(let period): "keep quiet until \(period.words)"
    case .planQuiet: "plan quiet"
    case .configure: "configure"
    case .readConfiguration: "read"
    case .releaseMemory: "release"
    case .end(let handsOver): handsOver ? "hand over" : "end"
    case .exit: "exit"
    }
  }

  static func words(_ effect: FleetMachine.Effect) -> String {
    switch effect {
    case .probe(let server, _): "probe \(server.socket)"
    case .countClients(let servers, _): "count " + servers.map(\.socket).joined(separator: " ")
    case .open(let server, _, _, let reserve): "open \(server.socket) \(reserve)"
    case .show(let server, let content):
      "\(server.socket) shows "
        + (content.isEmpty
          ? "nothing"
          : [content.banner?.appearance.title, content.toast?.content.title].compactMap(\.self).joined(
            separator: " and "))
    case .reload(let server, let reserve): "reload \(server.socket) \(reserve)"
    case .close(let server, let request): "close \(server.socket)" + (request.map { " for \($0)" } ?? "")
    case .abandon(let server): "abandon \(server.socket)"
    case .restore(let server, let request): "restore \(server.socket) for \(request)"
    case .register(let server): "register \(server.socket)"
    case .unregister(let server): "unregister \(server.socket)"
    case .answer(let request, let error): "answer \(request): \(error?.code.rawValue ?? "ok")"
    case .shown(let request, let clients): "shown \(request): \(clients)"
    case .toastEnded(let id, let unseen): "toast \(id.rawValue) ended\(unseen == nil ? "" : " unseen")"
    case .warn(let text): "warn \(text)"
    }
  }
}
