/// The place of one of the program's two screens on the terminal.
///
/// The program has a terminal of its own, with fewer rows by the banner's. The program's row r is the terminal's row r + ``offset``.
enum Placement: Equatable, Sendable {
  /// There is no banner: both terminals are the same, and every byte passes unchanged.
  case hidden
  /// The banner is above the program's rows, which are the terminal's scrolling region.
  case shown(rows: Int)
  /// Output scrolls in place: the row of the banner, which has one, shows a row of the program.
  case scrolling
  /// During one update the banner is removed: the program's rows are where they would be without a banner, with blank rows below them.
  /// Lines that scroll out of the program's first row go to the terminal's own scrollback.
  case lifted(rows: Int)
  /// The same without margins, while only output that addresses no row passes. The program's first row may be up to the banner's height
  /// below the terminal's first row: line feeds first use the rows that the banner left.
  case flowing(rows: Int)

  var offset: Int {
    switch self {
    case .hidden, .lifted, .flowing: 0
    case .shown(let rows): rows
    case .scrolling: 1
    }
  }

  /// The number of rows by which the program's terminal is lower.
  var inset: Int {
    switch self {
    case .hidden: 0
    case .shown(let rows), .lifted(let rows), .flowing(let rows): rows
    case .scrolling: 1
    }
  }

  /// Whether the program's rows are where they would be without a banner, because output scrolls.
  var isLifted: Bool {
    switch self {
    case .lifted, .flowing: true
    case .hidden, .shown, .scrolling: false
    }
  }

  var isFlowing: Bool {
    switch self {
    case .flowing: true
    case .hidden, .shown, .scrolling, .lifted: false
    }
  }

  /// Whether output has taken the banner from the screen.
  var isBannerMissing: Bool { isLifted || self == .scrolling }

  /// Whether the program's rows are below the banner's.
  var isShown: Bool {
    switch self {
    case .shown, .scrolling: true
    case .hidden, .lifted, .flowing: false
    }
  }
}

/// One of the program's two screens on the terminal.
struct PlacedScreen: Equatable, Sendable {
  var placement = Placement.hidden
  /// The number of cells in the banner's row that tmux counts when it splits lines anew: the erased ones count too.
  var bannerCells = 0
  /// The offset at which the terminal saved the program's cursor.
  private(set) var savedOffset = 0

  mutating func saveCursor() { savedOffset = placement.offset }

  mutating func forgetSavedCursor() { savedOffset = 0 }

  /// Notes that the program's rows have moved up. The terminal's saved cursor has not moved.
  mutating func moveUp(by height: Int) { savedOffset += height }
}
