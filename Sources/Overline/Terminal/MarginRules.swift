/// What a terminal does after it has printed in the last column. The next character then begins a new row: a wrap is pending. Terminals
/// differ in which sequences end it, and in whether erasing takes the character in the last column away (xterm, VTE, kitty and others
/// measured; see microsoft/terminal#3177 and alacritty#6159).
package struct MarginRules: Equatable, Sendable {
  /// The effect of an erasing or shifting sequence.
  package enum Erasure: Equatable, Sendable {
    /// It does nothing in the cursor's row, and the wrap stays pending.
    case spares
    /// It acts on the last column, and the wrap stays pending.
    case keepsWrap
    /// It acts on the last column, and the next character comes there.
    case endsWrap
    /// The terminal wraps first, then acts on the next row.
    case wrapsFirst
  }

  /// The effect of IL and DL.
  package enum LineShift: Equatable, Sendable {
    /// The cursor moves to column 1, also without a pending wrap.
    case toColumn1
    case keepsWrap
    case endsWrap
    /// The terminal wraps first. The cursor stays in its column.
    case wrapsFirst
  }

  /// The effect of a motion.
  package enum Motion: Equatable, Sendable {
    case keepsWrap
    case endsWrap
    case wrapsFirst
  }

  /// A motion to the left, counted from column C, the last one.
  package enum LeftMotion: Equatable, Sendable {
    /// One column leads to column C - 1.
    case fromLast
    /// One column leads to column C.
    case fromBeyond
    /// BS leads to column C, CUB 1 to column C - 1.
    case backspaceFromBeyond
  }

  /// What a character does while autowrap (mode 7) is off.
  package enum Unwrapped: Equatable, Sendable {
    case replaces
    case wraps
    case isDropped
  }

  /// REP.
  package enum Repetition: Equatable, Sendable {
    case wraps
    case staysInRow
    /// As often as the row has columns left, and once where it has none.
    case onceBeyondRow
    case isIgnored
  }

  /// False where the rules are a guess. Below a banner the window then ends a pending wrap itself before a sequence that erases.
  package var isCertain = true
  /// EL 0.
  package var lineEnd = Erasure.endsWrap
  /// ED 0.
  package var displayEnd = Erasure.endsWrap
  /// EL 1 and ED 1.
  package var start = Erasure.endsWrap
  /// EL 2 and ED 2.
  package var whole = Erasure.endsWrap
  /// ECH, DCH and ICH.
  package var characters = Erasure.endsWrap
  package var lines = LineShift.toColumn1
  /// VPA.
  package var rowPosition = Motion.endsWrap
  package var right = Motion.endsWrap
  package var left = LeftMotion.fromLast
  /// CUU and CUD.
  package var vertical = Motion.endsWrap
  /// LF, IND and RI.
  package var lineFeed = Motion.endsWrap
  package var tab = Motion.keepsWrap
  /// Whether DECSC and mode 1049 save a pending wrap.
  package var isSaved = true
  /// Whether the wrap survives setting or resetting mode 7.
  package var survivesAutowrapChange = true
  package var withoutAutowrap = Unwrapped.replaces
  /// Whether a character in the last column makes a wrap pending while autowrap is off.
  package var isSetWithoutAutowrap = true
  /// Whether a combining mark joins the character in the last column. Otherwise it wraps.
  package var marksJoin = true
  package var joinerJoins = true
  /// Whether erasing a whole row ends the wrap of the row above.
  package var erasedRowBeginsLine = false
  package var repetition = Repetition.wraps

  /// xterm's rules.
  package init() {}

  /// The same, as a guess.
  package static let guessed = guess(term: "")
}

extension MarginRules {
  /// A guess for a terminal that the environment does not name: screen's rules with its `TERM`, which tmux shares, else xterm's.
  static func guess(term: String) -> MarginRules {
    var rules = term.hasPrefix("screen") ? screen : MarginRules()
    rules.isCertain = false
    return rules
  }

  static let vte = {
    var rules = forgetful
    rules.lineEnd = .spares
    rules.whole = .keepsWrap
    rules.repetition = .onceBeyondRow
    return rules
  }()

  static let kitty = {
    var rules = forgetful
    (rules.lineEnd, rules.displayEnd, rules.characters) = (.spares, .spares, .spares)
    (rules.start, rules.whole) = (.keepsWrap, .keepsWrap)
    rules.left = .fromBeyond
    rules.tab = .endsWrap
    return rules
  }()

  static let urxvt = {
    var rules = holed
    rules.characters = .wrapsFirst
    rules.lines = .wrapsFirst
    rules.left = .backspaceFromBeyond
    rules.survivesAutowrapChange = false
    rules.isSetWithoutAutowrap = false
    (rules.marksJoin, rules.joinerJoins) = (false, false)
    rules.repetition = .isIgnored
    return rules
  }()

  static let st = {
    var rules = holed
    (rules.marksJoin, rules.joinerJoins) = (false, false)
    return rules
  }()

  static let alacritty = {
    var rules = holed
    rules.isSaved = true
    rules.lineFeed = .keepsWrap
    rules.tab = .wrapsFirst
    return rules
  }()

  static let foot = {
    var rules = MarginRules()
    rules.left = .backspaceFromBeyond
    rules.survivesAutowrapChange = false
    return rules
  }()

  static let konsole = {
    var rules = holed
    (rules.lineEnd, rules.displayEnd, rules.characters) = (.spares, .spares, .spares)
    (rules.rowPosition, rules.lineFeed) = (.keepsWrap, .keepsWrap)
    return rules
  }()

  static let mlterm = {
    var rules = forgetful
    rules.lines = .endsWrap
    rules.tab = .wrapsFirst
    rules.withoutAutowrap = .isDropped
    rules.joinerJoins = false
    return rules
  }()

  static let tmux = {
    var rules = holed
    (rules.lineEnd, rules.displayEnd, rules.characters) = (.spares, .spares, .spares)
    (rules.rowPosition, rules.lineFeed) = (.keepsWrap, .keepsWrap)
    rules.left = .fromBeyond
    rules.withoutAutowrap = .isDropped
    rules.isSetWithoutAutowrap = false
    rules.repetition = .staysInRow
    rules.erasedRowBeginsLine = true
    return rules
  }()

  static let screen = {
    var rules = holed
    (rules.rowPosition, rules.vertical, rules.lineFeed) = (.keepsWrap, .keepsWrap, .keepsWrap)
    rules.right = .wrapsFirst
    rules.left = .fromBeyond
    rules.tab = .wrapsFirst
    rules.isSaved = true
    rules.withoutAutowrap = .wraps
    return rules
  }()

  /// xterm's, but a saved cursor has no pending wrap.
  private static let forgetful = {
    var rules = MarginRules()
    rules.isSaved = false
    return rules
  }()

  /// Erasing acts on the last column, and the wrap stays pending.
  private static let holed = {
    var rules = forgetful
    (rules.lineEnd, rules.displayEnd, rules.start) = (.keepsWrap, .keepsWrap, .keepsWrap)
    (rules.whole, rules.characters, rules.lines) = (.keepsWrap, .keepsWrap, .keepsWrap)
    return rules
  }()
}
