/// Detects that the terminal has a new size before SIGWINCH comes: its cursor is not in the row that the window expects.
struct CursorCheck {
  /// True after the terminal did not answer. Each further question would delay the output, so the window asks none until a late answer, or
  /// until it has removed its overlays.
  var isTerminalSilent = false
  /// The number of rows that the terminal had lost before it handled the last output that scrolled in place.
  private(set) var lostRows = 0
  /// True if the terminal was narrower than a row when it handled the last output that scrolled in place: it has cut that row off.
  private(set) var isCutOff = false
  /// The doubt about the places of rows before the first overlay, in a terminal that may have had another size without a signal.
  enum Doubt: Equatable {
    case none
    /// The cursor's report will tell. Without one, the rows are taken to be where they were.
    case open
    case settled
  }

  var doubt = Doubt.none
  /// True after the answer to ``CursorInquiry/Purpose/paint(row:)``, or after none, until the next question: rows may be painted at fixed places.
  var isSizeConfirmed = false
  /// True after the terminal's cursor was in another row than expected, until the next answer.
  private var hasRepaired = false

  /// Notes the answer to a question before output.
  ///
  /// - Parameters:
  ///   - hasAnswered: whether the terminal has reported its cursor.
  ///   - isExpected: false if the cursor is in another row than expected.
  /// - Returns: whether the terminal may have a new size. After a second wrong place it has none, and the program must not wait.
  mutating func findsNewSize(hasAnswered: Bool, isExpected: Bool) -> Bool {
    if !hasAnswered { isTerminalSilent = true }
    hasRepaired = !isExpected && !hasRepaired
    if !hasRepaired { lostRows = 0 }
    return hasRepaired
  }

  /// Notes the answer to a question after output that scrolled in place.
  ///
  /// - Parameters:
  ///   - row: the cursor's row; nil if the terminal did not answer.
  ///   - expected: its row if the terminal had lost none before.
  ///   - isCutOff: whether a row was cut off.
  mutating func noteScroll(to row: Int?, expected: Int, isCutOff: Bool) {
    if row == nil { isTerminalSilent = true }
    lostRows = row.map { max(0, expected - $0) } ?? 0
    self.isCutOff = isCutOff
  }

  mutating func noteSize(isSignalled: Bool) {
    if isSignalled { hasRepaired = false }
    lostRows = 0
    isSizeConfirmed = false
    isCutOff = false
  }
}
