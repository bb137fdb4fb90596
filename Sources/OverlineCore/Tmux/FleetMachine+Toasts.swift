package import Overline

extension FleetMachine {
  struct Undecided: Sendable {
    var toast: ToastContent
    var id: ToastID
    var request: Request
  }

  /// Whether a toast was posted here and has not ended.
  package func holds(_ id: ToastID) -> Bool {
    undecided.contains { $0.id == id } || members.contains { $0.open[id] != nil }
  }

  /// - Parameter server: nil, or one that is not driven, for all.
  package func showsToast(in server: TmuxServer? = nil) -> Bool {
    !undecided.isEmpty || indices(of: server).contains { !members[$0].open.isEmpty }
  }

  private func indices(of server: TmuxServer?) -> [Int] {
    server.flatMap { self[$0] }.map { [$0] } ?? Array(members.indices)
  }

  /// Posts a toast to a server. Without one that is driven, posts to the server that the user used last, or without attached clients to all
  /// servers.
  mutating func post(
    _ toast: ToastContent, _ id: ToastID, to server: TmuxServer?, _ request: Request, at now: Duration
  ) -> [Effect] {
    let question = nextNumber()
    if let server, let index = self[server] {
      questions[question] = .clients(server, request)
      // Ask after the toast, so that the question delays none of its frames.
      return post(toast, id, in: [index], at: now) + [.countClients([server], question: question)]
    }
    undecided.append(Undecided(toast: toast, id: id, request: request))
    // Toasts that are posted meanwhile go to the same server.
    guard undecided.count == 1 else { return [] }
    questions[question] = .serverInUse
    return [.countClients(members.map(\.server), question: question)]
  }

  mutating func counted(_ activities: [TmuxServer: TmuxActivity], _ question: Int, at now: Duration) -> [Effect] {
    switch questions.removeValue(forKey: question) {
    case .clients(let server, let request): return [.shown(request, clients: activities[server]?.clientCount ?? 0)]
    case .serverInUse:
      let inUse = members.indices.max { last(activities[members[$0].server]) < last(activities[members[$1].server]) }
      let clients = inUse.flatMap { activities[members[$0].server]?.clientCount } ?? 0
      let posted = undecided
      undecided = []
      return posted.flatMap {
        post($0.toast, $0.id, in: clients > 0 ? [inUse!] : Array(members.indices), at: now)
          + [.shown($0.request, clients: clients)]
      }
    case .attach, nil: return []
    }
  }

  private func last(_ activity: TmuxActivity?) -> Int { activity?.last ?? .min }

  private mutating func post(_ toast: ToastContent, _ id: ToastID, in indices: [Int], at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    // A toast with a key replaces the last toast with that key, also in another server.
    if toast.key != nil {
      for index in members.indices where !indices.contains(index) {
        for (old, other) in members[index].open where other.key == toast.key {
          effects += handle(.toast(.toastDismissed(old)), in: index, at: now)
        }
      }
    }
    for index in indices { members[index].open[id] = toast }
    for index in indices { effects += handle(.toast(.toastPosted(toast, id: id)), in: index, at: now) }
    // Every server has ended.
    return indices.isEmpty ? [.toastEnded(id, unseen: toast)] : effects
  }

  mutating func dismissUndecided(_ id: ToastID) -> [Effect] {
    guard let index = undecided.firstIndex(where: { $0.id == id }) else { return [] }
    return [.shown(undecided.remove(at: index).request, clients: 0)] + end(id)
  }

  mutating func dismissFrontToast(in server: TmuxServer?, at now: Duration) -> [Effect] {
    if let first = undecided.first { return dismissUndecided(first.id) }
    return indices(of: server).filter { !members[$0].open.isEmpty }.flatMap {
      handle(.toast(.frontToastDismissed), in: $0, at: now)
    }
  }
}
