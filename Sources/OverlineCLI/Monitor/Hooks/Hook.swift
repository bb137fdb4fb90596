internal import Overline
internal import OverlineConfiguration

/// What the user's commands are run for.
enum Hook: String, CaseIterable {
  case offline = "on-offline"
  case online = "on-online"
  case inset = "on-inset"

  func command(in settings: Configuration.Hooks) -> String? {
    switch self {
    case .offline: settings.onOffline
    case .online: settings.onOnline
    case .inset: settings.onInset
    }
  }
}

/// Which hooks are due. A loss that is over before the grace delay is neither a loss nor an end of one; a limited connection is no loss.
struct HookTrigger {
  private var isOffline = false
  private var inset = Inset()

  mutating func take(_ phase: BannerMachine.Phase, _ inset: Inset) -> [Hook] {
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
