import OverlineSimulatedTerminal

/// One schedule: a terminal, what happens in it, and each delay that was drawn. It says everything, so that a failing one becomes a test
/// as a literal: a seed would mean another schedule as soon as the generator draws in another order.
struct Scenario: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// The program prints.
    case print(String)
    case goOffline
    case goOnline
    /// The terminal changes its own size.
    case resize(rows: Int, columns: Int)
    /// The user types. Each key is a letter of its own.
    case type(String)
    /// Ctrl-Z, then `fg` in a shell that prints a line of its own.
    case suspend
    case toast(String)
    case end
  }

  struct Item: Hashable, Sendable {
    /// Milliseconds after the item before; nil once everything rests.
    var after: Int?
    var action: Action

    init(_ after: Int?, _ action: Action) { (self.after, self.action) = (after, action) }
  }

  var family = "xterm"
  var rows = 10
  var columns = 40
  /// Lines that the terminal shows before the window starts.
  var linesBefore = 0
  /// The environment names the terminal. Over ssh it may not: several terminals have the `TERM` of xterm.
  var isNamed = true
  /// The window leads the terminal's session.
  var leadsSession = false
  /// The outage has begun before the window starts: its banner shows before the program starts.
  var startsOffline = false
  /// The first begins once the program runs.
  var items: [Item] = []

  // The delays, in milliseconds, and the cuts, in bytes. Each list is used in turns, from its start again after its end.

  /// The largest pieces in which the program's output is read.
  var cuts = [4096]
  /// From a write to its handling by the terminal.
  var lags = [0]
  /// The bytes that the terminal reads at once. It may take a new size between two reads.
  var reads = [1 << 20]
  /// From a question's handling to its answer; negative for never.
  var answers = [0]
  /// Where an answer is cut in two, 0 for not at all; its rest comes ten milliseconds later.
  var splits = [0]
  /// From a new size to its signal.
  var signals = [0]
  /// The bytes that the terminal accepts at once; the next write waits for five milliseconds.
  var accepts = [1 << 20]
}

/// Takes the values of a list in turns.
struct Turns {
  private let values: [Int]
  private var index = 0

  init(_ values: [Int]) { self.values = values.isEmpty ? [0] : values }

  mutating func next() -> Int {
    defer { index = (index + 1) % values.count }
    return values[index]
  }
}
