@testable import OverlineShell
/// What was wrong at the end of a schedule.
struct Failure: Hashable, Sendable, CustomStringConvertible {
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A line of the bare terminal is missing.
    case lost
    /// A line is there twice, or one that the program never printed.
    case doubled
    /// The lines are there, in another order or broken elsewhere.
    case moved
    /// The screen differs from the bare terminal's.
    case screen
    case cursor
    /// A cell that the window knows is not the terminal's.
    case unknownCell
    /// The banner is not in row 1.
    case noBanner
    /// The banner stays on the screen.
    case banner
    /// The program did not get the user's keys, or got something else.
    case keys
    /// Observers were told what contradicts itself, or not what is.
    case observers
    /// The window does not come to rest, or does not end.
    case restless
  }

  /// What happened at the resizes of a schedule.
  enum Tag: String, Hashable, Sendable, Comparable, CaseIterable {
    /// Nothing was under way.
    case clean
    /// The window has written between the terminal's move and the moment at which the new size could be known.
    case blind
    /// Bytes waited at the resize.
    case mid

    static func < (left: Tag, right: Tag) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }

  var kind: Kind
  var tag: Tag
  var detail: String

  var description: String { "\(kind.rawValue), \(tag.rawValue): \(detail)" }
}
