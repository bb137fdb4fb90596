/// The questions that the terminal has not answered yet, in the order in which they were sent. Terminals answer in that order.
///
/// Bounded: equal questions in a row are stored as one with a count, and beyond a limit the oldest are forgotten. Questions do not expire
/// by time, since a terminal behind a bad network may answer late. Every terminal answers a request for device attributes; that answer
/// shows that all earlier questions have been answered.
struct ExpectedReplies {
  enum Question: Equatable {
    case program(TerminalQuery)
    /// The window's own requests in their order: for the size of the text area (XTWINOPS 18) of terminals that report it, for the cursor's
    /// position, the first time for the terminal's name (DA2), and for device attributes (DA1).
    case ownSize
    case ownPosition
    case ownName
    case ownAttributes
  }

  /// The kind of a question, as its reply shows it.
  enum Kind {
    case position, extendedPosition, size, pixels, margins, rowCount, name, attributes
  }

  private var runs: [(question: Question, count: Int)] = []
  /// The maximum number of unanswered requests of the window to remember.
  private static let ownLimit = 32
  private static let runLimit = 64

  var isEmpty: Bool { runs.isEmpty }
  /// The number of stored entries.
  var runCount: Int { runs.count }

  /// Whether an answer to the window's own request may still come.
  var owesOwn: Bool { runs.contains { $0.question == .ownPosition || $0.question == .ownAttributes } }

  mutating func expect(_ query: TerminalQuery) {
    if let last = runs.last, last.question == .program(query) {
      runs[runs.count - 1].count += 1
      return
    }
    runs.append((.program(query), 1))
    if runs.count > Self.runLimit, let oldest = runs.firstIndex(where: { $0.question.isPrograms }) {
      runs.remove(at: oldest)
    }
  }

  mutating func ask(withName: Bool = false, withSize: Bool = false) {
    if runs.count(where: { $0.question == .ownAttributes }) >= Self.ownLimit {
      for question in [Question.ownSize, .ownPosition, .ownName, .ownAttributes] {
        if let oldest = runs.firstIndex(where: { $0.question == question }) { runs.remove(at: oldest) }
      }
    }
    if withSize { runs.append((.ownSize, 1)) }
    runs.append((.ownPosition, 1))
    if withName { runs.append((.ownName, 1)) }
    runs.append((.ownAttributes, 1))
  }

  /// The oldest question of a kind.
  func first(_ kind: Kind) -> Question? { runs.first { $0.question.kind == kind }?.question }

  /// Removes and returns the program's oldest question of a kind: its answer has come.
  mutating func takeProgram(_ kind: Kind) -> TerminalQuery? {
    for (index, run) in runs.enumerated() {
      guard run.question.kind == kind, case .program(let query) = run.question else { continue }
      takeOne(at: index)
      return query
    }
    return nil
  }

  /// Removes the window's oldest cursor position request: its answer has come.
  mutating func takeOwnPosition() {
    if let index = runs.firstIndex(where: { $0.question == .ownPosition }) { runs.remove(at: index) }
  }

  /// Removes the window's request for the terminal's name: its answer has come. Returns false if there is none.
  mutating func takeName() -> Bool { take(.ownName) }

  /// The same for the size of the text area, unless the program has asked for it before.
  mutating func takeOwnSize() -> Bool { first(.size) == .ownSize && take(.ownSize) }

  private mutating func take(_ question: Question) -> Bool {
    guard let index = runs.firstIndex(where: { $0.question == question }) else { return false }
    runs.remove(at: index)
    return true
  }

  /// Call this for a cursor report when the window's request for one is the oldest. Then the terminal has also answered every earlier
  /// question of the program, perhaps in a form that was not recognised (8-bit controls).
  mutating func concludeBeforeOwnPosition() {
    guard first(.position) == .ownPosition, let own = runs.firstIndex(where: { $0.question == .ownPosition }) else {
      return
    }
    runs = runs[..<own].filter { !$0.question.isPrograms } + runs[own...]
  }

  /// Removes the oldest request for device attributes, whose answer has come, and all questions before it.
  mutating func takeAttributes() {
    guard let index = runs.firstIndex(where: { $0.question.kind == .attributes }) else { return }
    takeOne(at: index)
    runs.removeFirst(index)
  }

  private mutating func takeOne(at index: Int) {
    runs[index].count -= 1
    if runs[index].count == 0 { runs.remove(at: index) }
  }
}

extension ExpectedReplies.Question {
  fileprivate var isPrograms: Bool { if case .program = self { true } else { false } }

  fileprivate var kind: ExpectedReplies.Kind {
    switch self {
    case .program(.cursorPosition), .ownPosition: .position
    case .program(.extendedCursorPosition): .extendedPosition
    case .program(.textAreaSize), .ownSize: .size
    case .program(.textAreaPixels): .pixels
    case .program(.margins): .margins
    case .program(.rowCount): .rowCount
    case .ownName: .name
    case .program(.deviceAttributes), .ownAttributes: .attributes
    }
  }
}
