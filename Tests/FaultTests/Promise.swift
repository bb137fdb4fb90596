/// What is promised of a process that a fault meets, and of everything it leaves.
enum Promise: Hashable, Sendable, CustomStringConvertible {
  /// The banner is right afterwards, as if nothing had happened.
  case goesOn
  /// It ends with this status, and nothing of it is left.
  case ends(Int32)
  /// Everything that was on the terminal ends with it, and nothing is left.
  case endsUnseen
  /// It ends with this status, and `overline reset` makes the terminal as it was.
  case endsUnrestored(Int32)

  var description: String {
    switch self {
    case .goesOn: "goes on"
    case .ends(let status): "ends (\(status)), as it was"
    case .endsUnseen: "all ends with it"
    case .endsUnrestored(let status): "ends (\(status)), `overline reset`"
    }
  }
}
