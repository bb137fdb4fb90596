/// The promised behaviour of a process struck by a fault, and of everything that it leaves.
enum Promise: Hashable, Sendable, CustomStringConvertible {
  /// Afterwards the banner is right, as if nothing had happened.
  case goesOn
  /// The process ends with this status, and nothing of it is left.
  case ends(Int32)
  /// Everything on the terminal ends with the process, and nothing is left.
  case endsUnseen
  /// The process ends with this status, and the next monitor restores tmux.
  case endsForTheNext(Int32)
  /// The process ends with this status, and `overline reset` restores the terminal.
  case endsUnrestored(Int32)

  var description: String {
    switch self {
    case .goesOn: "goes on"
    case .ends(let status): "ends (\(status)), as it was"
    case .endsUnseen: "all ends with it"
    case .endsForTheNext(let status): "ends (\(status)), the next monitor restores"
    case .endsUnrestored(let status): "ends (\(status)), `overline reset`"
    }
  }
}
