package import Overline

/// The tmux servers that the monitor drives: which it asks, drives and gives back, and what each one shows.
///
///     found ──► waiting ──► asked ──► driven ──► gone, or detached
///                  ▲          │
///                  └─ 30 s ───┘ without an answer
///
/// The shell runs `tmux`, and has a ``TmuxWindowMachine`` with a queue for each driven server.
package struct FleetMachine: Sendable {
  /// Identifies the completion of a client's request; each gets one answer.
  package typealias Request = Int

  package enum Event: Equatable, Sendable {
    /// These servers want a banner: they are registered, or this program was started in one. Sent once.
    case found([TmuxServer])
    /// Drive a server. One that is driven is read again, as after a reload of its configuration.
    case attach(TmuxServer, Request)
    /// The answer to ``Effect/probe(_:question:)``.
    case probed(Result<TmuxProbe, TmuxError>, question: Int)
    /// Remove every trace from a server, also from one that is not driven.
    case detach(TmuxServer, Request)
    /// The answer to ``Effect/close(_:_:)`` and ``Effect/restore(_:_:)``: nothing of ours runs at the server any more.
    case left(TmuxServer)
    /// - Parameter window: the number from ``Effect/open(_:window:sessions:_:)``. Another server may start at the same socket while an ended
    ///   window still reports events.
    case insetChanged(TmuxServer, window: Int, TerminalInsets)
    case windowEnded(TmuxServer, window: Int)
    /// An event for the banner, or for the toasts, of every server.
    case overlay(OverlayEvent)
    /// - Parameter server: nil for the server in use.
    indirect case toastPosted(ToastContent, ToastID, to: TmuxServer?, Request)
    /// - Parameter server: nil for all.
    case frontToastDismissed(in: TmuxServer?)
    /// The answer to ``Effect/countClients(_:question:)``, of the servers that answered.
    case counted([TmuxServer: TmuxActivity], question: Int)
    indirect case configured(BannerSettings, ToastSettings, TmuxReserve)
    /// The clock may have reached ``FleetMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
    case deadlineReached
  }

  package enum Effect: Equatable, Sendable {
    /// Ask a server what it is. Many may be asked at once, and a stopped one answers after seconds or never.
    case probe(TmuxServer, question: Int)
    /// Ask the servers for their clients.
    case countClients([TmuxServer], question: Int)
    case open(TmuxServer, window: Int, sessions: Set<String>, TmuxReserve)
    indirect case show(TmuxServer, TmuxContent)
    /// Read the server's options again, and reserve lines anew.
    case reload(TmuxServer, TmuxReserve)
    /// Give the server its lines back, and end its window. Then answer the request.
    case close(TmuxServer, Request?)
    /// The server has ended: end its window, and do nothing more at the socket, where another server may listen.
    case abandon(TmuxServer)
    /// Remove what an earlier monitor may have left, and answer the request.
    case restore(TmuxServer, Request)
    /// Note that the server wants a banner, for the next monitor too.
    case register(TmuxServer)
    case unregister(TmuxServer)
    case answer(Request, TmuxError?)
    /// Answer the request for a toast with the number of clients that are attached where it was posted.
    case shown(Request, clients: Int)
    /// A toast has ended in every server, after its motion or with the server. Sent once for each toast.
    ///
    /// - Parameter unseen: the toast, if every server ended before it could show the toast.
    indirect case toastEnded(ToastID, unseen: ToastContent?)
    case warn(String)
  }

  /// A driven server.
  package struct Member: Sendable {
    package let server: TmuxServer
    let window: Int
    var model: OverlayModel
    package fileprivate(set) var probe: TmuxProbe
    /// The rows that our lines take at the server's edge.
    package fileprivate(set) var inset = TerminalInsets()
    /// The toasts that were posted here and have not ended.
    var open: [ToastID: ToastContent] = [:]

    var content: TmuxContent { TmuxContent(banner: model.presentation.banner, toast: model.presentation.toast) }
  }

  enum Question: Sendable {
    /// - Parameter request: nil for a server that was found.
    case attach(TmuxServer, Request?)
    /// Which server does the user use? For the toasts in ``undecided``.
    case serverInUse
    case clients(TmuxServer, Request)
  }

  /// The number of found servers that are asked at once. A stopped server occupies a place for some seconds.
  private static let maximumQuestions = 16
  /// The pause before a silent server is asked again. It doubles as long as the server is silent.
  private static let pauses = Duration.seconds(30)...Duration.seconds(960)

  /// In the order in which they were attached.
  package internal(set) var members: [Member] = []
  /// Servers that could not be attached, with the reason. `tmux status` and `doctor` show it: the program that asked may have had no place
  /// to show it, for example the plugin in a server without clients.
  package private(set) var failures: [TmuxServer: TmuxError] = [:]
  /// Found servers that are not asked yet.
  private var waiting: [TmuxServer] = []
  /// Servers that did not answer, and when they are asked again.
  private var silent: [TmuxServer: Duration] = [:]
  /// The last pause of each server that does not answer.
  private var lastPauses: [TmuxServer: Duration] = [:]
  var questions: [Int: Question] = [:]
  /// A server whose lines are being removed.
  private struct Leaving {
    /// The removals that have not ended: a second detach begins another one.
    var removals = 1
    /// The requests to drive the server again. They wait, since a removal would take the new line too.
    var requests: [Request] = []
  }
  private var leaving: [TmuxServer: Leaving] = [:]
  /// Servers that were detached before ``Event/found(_:)``, whose list may be older and still name them. Nil once it has come.
  private var detachedBeforeFound: Set<TmuxServer>? = []
  private var lastNumber = 0
  /// Toasts for the server in use, until the machine knows which server that is.
  var undecided: [Undecided] = []
  private var banner: BannerSettings
  private var reserve: TmuxReserve

  package init(banner: BannerSettings, reserve: TmuxReserve) {
    (self.banner, self.reserve) = (banner, reserve)
  }

  /// The time when ``Event/deadlineReached`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? {
    silent.values.reduce(members.reduce(nil) { $0.earlier($1.model.nextDeadline) }) { $0.earlier($1) }
  }

  /// All servers that want a banner and may be alive.
  package var wanted: Set<TmuxServer> {
    let asked = questions.values.compactMap { if case .attach(let server, _) = $0 { server } else { nil } }
    return Set(members.map(\.server)).union(waiting).union(silent.keys).union(asked)
  }

  /// - Parameter reference: the overlays that every server shows. A server that is driven from now on begins with this banner.
  package mutating func handle(_ event: Event, like reference: OverlayModel, at now: Duration) -> [Effect] {
    switch event {
    case .found(let servers):
      let known = wanted.union(leaving.keys).union(detachedBeforeFound ?? [])
      detachedBeforeFound = nil
      waiting += servers.filter { !known.contains($0) }
      return askNext()
    case .attach(let server, let request):
      detachedBeforeFound?.remove(server)
      if leaving[server] != nil {
        leaving[server]?.requests.append(request)
        return []
      }
      return [ask(server, request)]
    case .left(let server):
      leaving[server]?.removals -= 1
      guard let left = leaving[server], left.removals == 0 else { return [] }
      leaving[server] = nil
      // Only now: if this monitor is killed during the removal, the next one finds the line through the register.
      return [.unregister(server)] + left.requests.map { ask(server, $0) }
    case .probed(let result, let question):
      guard case .attach(let server, let request) = questions.removeValue(forKey: question) else { return [] }
      return probed(server, result, request, like: reference, at: now) + askNext()
    case .detach(let server, let request): return detach(server, request)
    case .insetChanged(let server, let window, let inset):
      if let index = self[server], members[index].window == window { members[index].inset = inset }
      return []
    case .windowEnded(let server, let window):
      guard let index = self[server], members[index].window == window else { return [] }
      return forget(index, .abandon(server))
    case .overlay(let event):
      var effects: [Effect] = []
      if case .toast(.toastDismissed(let id)) = event { effects += dismissUndecided(id) }
      return effects + members.indices.flatMap { handle(event, in: $0, at: now) }
    case .toastPosted(let toast, let id, let server, let request): return post(toast, id, to: server, request, at: now)
    case .frontToastDismissed(let server): return dismissFrontToast(in: server, at: now)
    case .counted(let activities, let question): return counted(activities, question, at: now)
    case .configured(let banner, let toasts, let reserve):
      (self.banner, self.reserve) = (banner, reserve)
      return members.indices.flatMap { index in
        handle(.toast(.settingsChanged(toasts)), in: index, at: now) + configure(index, at: now)
      }
    case .deadlineReached:
      for server in silent.keys.filter({ silent[$0]! <= now }).sorted(by: { $0.socket < $1.socket }) {
        silent[server] = nil
        waiting.append(server)
      }
      return askNext() + members.indices.flatMap { handle(.deadlineReached, in: $0, at: now) }
    }
  }

  /// The index of a driven server.
  subscript(server: TmuxServer) -> Int? { members.firstIndex { $0.server == server } }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: - Attaching

  private mutating func ask(_ server: TmuxServer, _ request: Request?) -> Effect {
    let question = nextNumber()
    questions[question] = .attach(server, request)
    return .probe(server, question: question)
  }

  private mutating func askNext() -> [Effect] {
    var count = questions.values.count { if case .attach(_, nil) = $0 { true } else { false } }
    var effects: [Effect] = []
    while count < Self.maximumQuestions, !waiting.isEmpty {
      let server = waiting.removeFirst()
      // It may have been attached meanwhile.
      guard self[server] == nil else { continue }
      effects.append(ask(server, nil))
      count += 1
    }
    return effects
  }

  private mutating func probed(
    _ server: TmuxServer, _ result: Result<TmuxProbe, TmuxError>, _ request: Request?, like reference: OverlayModel,
    at now: Duration
  ) -> [Effect] {
    let failure: TmuxError?
    var effects: [Effect] = []
    switch result {
    case .success(let probe):
      failure = nil
      effects = drive(server, probe, like: reference, at: now)
    case .failure(let error): failure = error
    }
    let isNews = failure != failures[server]
    failures[server] = failure?.code == .serverGone ? nil : failure
    switch (failure?.code, self[server]) {
    case (nil, _): break
    case (.serverGone, _): lastPauses[server] = nil
    // A server that is stopped or busy wants its banner later. It may still have a killed monitor's line.
    case (.failed, let index?): effects = configure(index, at: now)
    case (.failed, nil): keepSilent(server, at: now)
    // Another server has replaced the driven one at its socket.
    case (.tooOld, let index?): effects = forget(index, .abandon(server))
    case (.tooOld, nil), (.refused, _), (.notInstalled, _): break
    }
    if let request { return effects + [.answer(request, failure)] }
    guard let failure else { return effects }
    if failure.code == .serverGone { return effects + [.unregister(server)] }
    return isNews ? effects + [.warn("\(failure)")] : effects
  }

  private mutating func keepSilent(_ server: TmuxServer, at now: Duration) {
    let pause = lastPauses[server].map { min($0 * 2, Self.pauses.upperBound) } ?? Self.pauses.lowerBound
    lastPauses[server] = pause
    silent[server] = now + pause
  }

  private mutating func drive(
    _ server: TmuxServer, _ probe: TmuxProbe, like reference: OverlayModel, at now: Duration
  ) -> [Effect] {
    silent[server] = nil
    lastPauses[server] = nil
    var effects = probe.options.warnings.map { Effect.warn("tmux (\(server.socket)): \($0)") }
    if let index = self[server] {
      if members[index].probe.pid == probe.pid {
        members[index].probe = probe
        return effects + [.register(server)] + configure(index, at: now)
      }
      // A new server. What its predecessor's window still reports means nothing to it.
      effects += forget(index, .abandon(server))
    }
    effects.append(.register(server))
    let model = reference.modelOfLateWindow(
      .tmux(edge: probe.position == .top ? .top : .bottom), banner: settings(probe.options), at: now)
    let member = Member(server: server, window: nextNumber(), model: model, probe: probe)
    members.append(member)
    return effects + [
      .open(server, window: member.window, sessions: probe.sessions, probe.options.reserve ?? reserve),
      .show(server, member.content),
    ]
  }

  private mutating func configure(_ index: Int, at now: Duration) -> [Effect] {
    let options = members[index].probe.options
    _ = members[index].model.handle(.banner(.settingsChanged(settings(options))), at: now)
    let server = members[index].server
    return [.reload(server, options.reserve ?? reserve), .show(server, members[index].content)]
  }

  /// The settings, with the server owner's options in place of theirs.
  private func settings(_ options: TmuxOptions) -> BannerSettings {
    var settings = banner
    settings.offline = options.offline(settings.offline)
    settings.restored = options.restored(settings.restored)
    settings.limited = options.limited(settings.limited)
    return settings
  }

  // MARK: - Leaving

  private mutating func detach(_ server: TmuxServer, _ request: Request) -> [Effect] {
    waiting.removeAll { $0 == server }
    silent[server] = nil
    lastPauses[server] = nil
    failures[server] = nil
    detachedBeforeFound?.insert(server)
    let effects = cancelQuestions(server)
    leaving[server] = Leaving(removals: (leaving[server]?.removals ?? 0) + 1)
    guard let index = self[server] else { return effects + [.restore(server, request)] }
    return effects + [.close(server, request)] + remove(index)
  }

  /// An answer that is still due must not attach the server again, and neither must a request that waits.
  private mutating func cancelQuestions(_ server: TmuxServer) -> [Effect] {
    var requests = leaving[server]?.requests ?? []
    for question in questions.keys.sorted() {
      guard case .attach(server, let request) = questions[question] else { continue }
      questions[question] = nil
      if let request { requests.append(request) }
    }
    let attempt = "show a banner in tmux (\(server.socket))"
    return requests.map {
      .answer($0, TmuxError(code: .failed, attempt: attempt, reason: "it was detached meanwhile"))
    }
  }

  /// - Parameter end: ends the server's window.
  private mutating func forget(_ index: Int, _ end: Effect) -> [Effect] {
    [end, .unregister(members[index].server)] + remove(index)
  }

  private mutating func remove(_ index: Int) -> [Effect] {
    let member = members.remove(at: index)
    return member.open.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { self.end($0) }
  }

  // MARK: - Overlays

  mutating func handle(_ event: OverlayEvent, in index: Int, at now: Duration) -> [Effect] {
    let before = members[index].content
    let ended = members[index].model.handle(event, at: now)
    var effects: [Effect] = []
    if members[index].content != before { effects.append(.show(members[index].server, members[index].content)) }
    for case .toastEnded(let id) in ended {
      members[index].open[id] = nil
      effects += end(id)
    }
    return effects
  }

  /// Reports a toast's end once it has ended in all servers.
  func end(_ id: ToastID) -> [Effect] { holds(id) ? [] : [.toastEnded(id, unseen: nil)] }
}
