/// Where one of the program's two screens is on the terminal.
///
/// The program has a terminal of its own, lower by the banner's rows. Its row r is the terminal's row r plus the ``offset``.
enum Placement: Hashable, Sendable {
  /// There is no banner: both terminals are one, and every byte passes as it is.
  case hidden
  /// The banner stands above the program's rows, and the terminal's scrolling region below it.
  case shown(rows: Int)
  /// For the time of one update, the banner is taken away and the program's rows are where they would be without it, the banner's
  /// rows blank below them. What scrolls out of the program's first row goes to the terminal's own scrollback by itself.
  case lifted(rows: Int)

  var offset: Int {
    switch self {
    case .hidden, .lifted: 0
    case .shown(let rows): rows
    }
  }

  /// The rows that the program's terminal is lower by.
  var inset: Int {
    switch self {
    case .hidden: 0
    case .shown(let rows), .lifted(let rows): rows
    }
  }

  var isLifted: Bool {
    switch self {
    case .lifted: true
    case .hidden, .shown: false
    }
  }

  var isShown: Bool {
    switch self {
    case .shown: true
    case .hidden, .lifted: false
    }
  }
}

/// One of the program's two screens on the terminal.
struct PlacedScreen: Hashable, Sendable {
  var placement = Placement.hidden
  /// The offset at which the terminal saved the program's cursor.
  private(set) var savedOffset = 0

  mutating func saveCursor() { savedOffset = placement.offset }

  mutating func forgetSavedCursor() { savedOffset = 0 }

  /// The program's rows have moved up. What the terminal has saved stays where it is.
  mutating func moveUp(by height: Int) { savedOffset += height }
}
