internal import Overline
internal import OverlineShell
internal import OverlineSystem

extension TmuxServers {
  /// A toast for the server in use, while the monitor does not know yet which server that is.
  struct Undecided {
    var content: ToastContent
    var id: ToastID
    var shown: @Sendable (Int) -> Void
  }

  /// Posts a toast to `server`. If `server` is nil or not driven, posts to the server that the user used last, or without attached clients
  /// to all servers.
  ///
  /// - Parameter shown: called on the queue with the number of clients that are attached where the toast was posted.
  func post(
    _ content: ToastContent, id: ToastID, to server: TmuxServer?, shown: @escaping @Sendable (Int) -> Void
  ) {
    if let server, driven[server] != nil {
      post(content, id: id, in: [server])
      // Ask after the toast, so that the question delays none of its frames.
      askActivity([server]) { shown($0[server]?.clientCount ?? 0) }
    } else {
      undecided.append(Undecided(content: content, id: id, shown: shown))
      if undecided.count == 1 { findServerInUse() }
    }
  }

  func dismissUndecided(_ id: ToastID) {
    guard let index = undecided.firstIndex(where: { $0.id == id }) else { return }
    undecided.remove(at: index).shown(0)
    end(id)
  }

  /// Dismisses the toast that shows in `server`. If `server` is nil or not driven, dismisses it in all servers.
  ///
  /// - Returns: false if none shows.
  func dismissFrontToast(in server: TmuxServer?) -> Bool {
    if let undecided = undecided.first {
      dismissUndecided(undecided.id)
      return true
    }
    let servers = driven.keys.filter { server == nil || driven[server!] == nil || $0 == server }
    let showing = servers.filter { !driven[$0]!.open.isEmpty }
    for server in showing { handle(.toast(.frontToastDismissed), in: server, at: BootClock.now) }
    onEvent(.deadlineChanged)
    return !showing.isEmpty
  }

  /// Finds the server in use for all waiting toasts. Toasts that are posted meanwhile go to the same server.
  private func findServerInUse() {
    askActivity(driven.keys) { [self] activities in
      let inUse = activities.max { ($0.value.last ?? .min) < ($1.value.last ?? .min) }
      let isAttached = (inUse?.value.clientCount ?? 0) > 0
      let chosen = isAttached ? inUse.map { [$0.key] } ?? [] : Array(driven.keys)
      let posted = undecided
      undecided = []
      for toast in posted {
        post(toast.content, id: toast.id, in: chosen)
        toast.shown(inUse?.value.clientCount ?? 0)
      }
      onEvent(.deadlineChanged)
    }
  }

  private func post(_ content: ToastContent, id: ToastID, in servers: [TmuxServer]) {
    let living = servers.filter { driven[$0] != nil }
    // A toast with a key replaces the last toast with that key, also in another server.
    for (server, one) in driven where content.key != nil && !living.contains(server) {
      for (old, other) in one.open where other.key == content.key {
        handle(.toast(.toastDismissed(old)), in: server, at: BootClock.now)
      }
    }
    for server in living { driven[server]!.open[id] = content }
    for server in living { handle(.toast(.toastPosted(content, id: id)), in: server, at: BootClock.now) }
    // Every server has ended, and none has reported that yet.
    if living.isEmpty { onEvent(.toastEnded(id, unseen: content)) }
  }

  /// Reports a toast's end once it has ended in all servers.
  func end(_ id: ToastID) {
    if !driven.values.contains(where: { $0.open[id] != nil }) { onEvent(.toastEnded(id, unseen: nil)) }
  }
}
