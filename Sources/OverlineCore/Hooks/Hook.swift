internal import Overline

/// The events that run the user's commands.
package enum Hook: String, CaseIterable, Sendable {
  case offline = "on-offline"
  case online = "on-online"
  case limited = "on-limited"
  case inset = "on-inset"
  case target = "on-target"

  /// The hooks whose waiting runs report an older state of the network than this one. They are left out.
  package var superseded: [Hook] {
    switch self {
    case .offline: [.online, .limited]
    case .online: [.offline, .limited]
    // The connection is limited after `online`, which runs first.
    case .limited: [.offline]
    case .inset, .target: []
    }
  }

  package func command(in settings: Configuration.Hooks) -> String? {
    switch self {
    case .offline: settings.onOffline
    case .online: settings.onOnline
    case .limited: settings.onLimited
    case .inset: settings.onInset
    case .target: settings.onTarget
    }
  }
}

/// A hook that is due, and for ``Hook/target`` the target whose state has changed.
package struct DueHook: Equatable, Sendable {
  package let hook: Hook
  package let target: ObserverState.Target?

  package init(_ hook: Hook, _ target: ObserverState.Target? = nil) {
    self.hook = hook
    self.target = target
  }
}

/// Decides which hooks are due. A loss or a limited connection that ends before the grace delay runs no hook, neither at its start nor at
/// its end. A loss that turns into a limited connection runs `on-online` and then `on-limited`.
struct HookTrigger: Equatable, Sendable {
  private var trouble: BannerMachine.Trouble.Kind?
  private var inset = TerminalInsets()

  /// Returns the hooks that are due after the banner's change to this phase and this inset.
  mutating func update(_ phase: BannerMachine.Phase, _ inset: TerminalInsets) -> [Hook] {
    var due: [Hook] = []
    let old = trouble
    switch phase {
    case .grace: break
    case .presented(let trouble), .dismissed(let trouble), .expired(let trouble): self.trouble = trouble.kind
    case .hidden, .restored, .leaving: trouble = nil
    }
    if trouble != old {
      if old == .lost || trouble == nil { due.append(.online) }
      if let trouble { due.append(trouble == .lost ? .offline : .limited) }
    }
    if inset != self.inset { due.append(.inset) }
    self.inset = inset
    return due
  }
}
