/// What was wrong in a day.
struct DayFailure: Hashable, Sendable, CustomStringConvertible {
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A state contradicts itself, or does not follow the one before it.
    case states
    /// An outage was shown too early, too late or not at all.
    case banner
    /// A claim without proof, or one that outlived its refutation.
    case claim
    /// tmux shows something else than the state says.
    case screen
    /// A user's option was lost, or a line was left.
    case options
    /// A toast did not end once.
    case toasts
    /// A request was not answered once.
    case answers
    /// A client did not get the newest state.
    case clients
    case hooks
    /// The records differ from the states.
    case records
    /// A deadline is armed although nothing can change.
    case idle
    /// A collection keeps what has ended.
    case memory
    /// The day does not come to rest.
    case restless
  }

  var kind: Kind
  var detail: String

  var description: String { "\(kind.rawValue): \(detail)" }
}
