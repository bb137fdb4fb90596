internal import Overline
package import OverlineConfiguration

/// The events that run the user's commands.
package enum Hook: String, CaseIterable, Sendable {
  case offline = "on-offline"
  case online = "on-online"
  case inset = "on-inset"

  package func command(in settings: Configuration.Hooks) -> String? {
    switch self {
    case .offline: settings.onOffline
    case .online: settings.onOnline
    case .inset: settings.onInset
    }
  }
}

/// Decides which hooks are due. A loss that ends before the grace delay causes no hook, neither at its start nor at its end. A limited
/// connection is not a loss.
struct HookTrigger: Hashable, Sendable {
  private var isOffline = false
  private var inset = Inset()

  /// Returns the hooks that are due after the banner's change to this phase and this inset.
  mutating func update(_ phase: BannerMachine.Phase, _ inset: Inset) -> [Hook] {
    var due: [Hook] = []
    let wasOffline = isOffline
    switch phase {
    case .grace: break
    case .presented(let trouble): isOffline = trouble.kind == .lost
    case .dismissed(let kind): isOffline = kind == .lost
    case .hidden, .restored, .leaving: isOffline = false
    }
    if isOffline != wasOffline { due.append(isOffline ? .offline : .online) }
    if inset != self.inset { due.append(.inset) }
    self.inset = inset
    return due
  }
}
