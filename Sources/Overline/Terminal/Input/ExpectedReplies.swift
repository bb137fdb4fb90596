/// What the terminal still owes, in the order in which it was asked; terminals answer in that order.
///
/// Bounded: equal questions in a row are a number, and of many different unanswered ones the oldest are forgotten. Nothing
/// expires by time: a terminal behind a bad network may answer late, and an answer to device attributes, which every terminal knows,
/// says that whatever was asked before has had its answer.
struct ExpectedReplies {
  enum Question: Equatable {
    case program(TerminalQuery)
    /// The window's own cursor position request, and the device attributes behind it.
    case ownPosition
    case ownAttributes
  }

  /// What can be told from a reply.
  enum Kind {
    case position, extendedPosition, size, pixels, margins, rowCount, attributes
  }

  private var runs: [(question: Question, count: Int)] = []
  /// The number of unanswered requests of the window's own to remember.
  private static let ownLimit = 4
  private static let runLimit = 64

  var isEmpty: Bool { runs.isEmpty }
  /// What it takes to remember them.
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

  mutating func ask() {
    if runs.count(where: { $0.question == .ownAttributes }) >= Self.ownLimit {
      for question in [Question.ownPosition, .ownAttributes] {
        if let oldest = runs.firstIndex(where: { $0.question == question }) { runs.remove(at: oldest) }
      }
    }
    runs.append((.ownPosition, 1))
    runs.append((.ownAttributes, 1))
  }

  /// The oldest question of a kind.
  func first(_ kind: Kind) -> Question? { runs.first { $0.question.kind == kind }?.question }

  /// The program's oldest question of a kind, which is answered now.
  mutating func takeProgram(_ kind: Kind) -> TerminalQuery? {
    for (index, run) in runs.enumerated() {
      guard run.question.kind == kind, case .program(let query) = run.question else { continue }
      takeOne(at: index)
      return query
    }
    return nil
  }

  /// The window's own oldest cursor position request is answered.
  mutating func takeOwnPosition() {
    if let index = runs.firstIndex(where: { $0.question == .ownPosition }) { runs.remove(at: index) }
  }

  /// A cursor report came, and the window was the first to ask for one: whatever the program asked before that has been
  /// answered too, maybe in a form that was not recognised (in 8-bit controls).
  mutating func concludeBeforeOwnPosition() {
    guard first(.position) == .ownPosition, let own = runs.firstIndex(where: { $0.question == .ownPosition }) else {
      return
    }
    runs = runs[..<own].filter { !$0.question.isPrograms } + runs[own...]
  }

  /// The oldest request for device attributes is answered, and with it everything that was asked before.
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
    case .program(.textAreaSize): .size
    case .program(.textAreaPixels): .pixels
    case .program(.margins): .margins
    case .program(.rowCount): .rowCount
    case .program(.deviceAttributes), .ownAttributes: .attributes
    }
  }
}
