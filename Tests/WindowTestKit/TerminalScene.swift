import OverlineSystem
import OverlineTestSupport
public import OverlineReferenceTerminal

/// A program on a real pseudoterminal, its controlling one, whose other side is a ``ReferenceTerminal``: it draws the program's output
/// and types the terminal's answers.
public final class TerminalScene: Sendable {
  public var pid: Int32 { process.pid }
  private let process: ChildProcess
  private let side: TerminalSide

  /// Starts a program in the calling thread's network namespace.
  ///
  /// - Parameter environment: `NAME=value` strings, all of them.
  public init(_ command: [String], environment: [String], rows: Int = 24, columns: Int = 80) throws {
    let pseudoterminal = try Pseudoterminal(rows: rows, columns: columns)
    let slave = pseudoterminal.slave.rawValue
    // Not in a new session: setsid(1) would have to fork to make one, and the pid would be another one's.
    process = ChildProcess(
      try Subprocess.spawn(
        "setsid", ["--ctty"] + command, environment: environment, newSession: false,
        descriptors: [(slave, 0), (slave, 1), (slave, 2)]))
    side = try TerminalSide(pseudoterminal.takeMaster(), rows: rows, columns: columns)
  }

  deinit {
    side.close()
  }

  /// Reads the terminal, which does not change meanwhile.
  public func look<Result>(_ body: (ReferenceTerminal) throws -> Result) rethrows -> Result {
    try side.look { try body($0.terminal) }
  }

  public var text: [String] { look(\.text) }
  public var scrollback: [String] { look(\.scrollbackText) }
  /// Every byte that reached the terminal.
  public var output: [UInt8] { side.look(\.output) }
  /// Whether the program and all processes that have the terminal open have ended.
  public var hasEnded: Bool { side.look(\.hasEnded) }

  public func type(_ text: String) { side.type(Array(text.utf8)) }
  public func type(_ bytes: [UInt8]) { side.type(bytes) }

  /// Sets the terminal's size first, then the pseudoterminal's, as terminals do.
  public func resize(rows: Int, columns: Int) { side.resize(rows: rows, columns: columns) }

  /// Hangs up, as a terminal whose window is closed.
  public func hangUp() { side.close() }

  /// Makes the terminal accept nothing until it is released.
  public func hold() { side.hold() }
  public func goOn() throws { try side.goOn() }

  public func wait(
    _ what: String, within limit: Duration = .seconds(30), until isThere: (ReferenceTerminal) throws -> Bool
  ) throws {
    guard try eventually(within: limit, { try look(isThere) }) else {
      throw TestKitError("waited in vain for \(what); there was:\n\(text.joined(separator: "\n"))")
    }
  }

  /// Waits until a row has this text.
  public func wait(for text: String) throws { try wait(text) { $0.text.contains { $0.contains(text) } } }

  /// Waits until these bytes have reached the terminal, which may show nothing of them.
  public func wait(forOutput text: String) throws {
    guard eventually({ String(decoding: output, as: UTF8.self).contains(text) }) else {
      throw TestKitError("waited in vain for the bytes \(text)")
    }
  }

  /// Waits until no row has this text.
  public func waitUntilGone(_ text: String) throws {
    try wait("the end of \(text)") { !$0.text.contains { $0.contains(text) } }
  }

  /// Waits until the banner is in the first row (or the first ones).
  public func waitForBanner(_ title: String = "No connection", height: Int = 1) throws {
    try wait("the banner") { $0.text.prefix(height).contains { $0.contains(title) } }
  }

  /// Waits for the program's end; returns its exit code, or 128 + the signal's number.
  public func end(within limit: Duration = .seconds(30)) throws -> Int32 {
    guard eventually(within: limit, { hasEnded }) else {
      throw TestKitError("waited in vain for the end; there was:\n\(text.joined(separator: "\n"))")
    }
    return endStatus(of: pid)
  }

  /// The rows below the first `offset`, and the cursor relative to them.
  public func picture(below offset: Int = 0) -> Picture {
    look { terminal in
      var cursor = terminal.cursor
      cursor.row -= offset
      return Picture(
        rows: (offset..<terminal.rows).map(terminal.cells(inRow:)), cursor: cursor, isAlternate: terminal.isAlternate,
        mouse: terminal.mouse)
    }
  }

  /// Waits until the rows below the first `offset` equal those of another terminal that has so many rows less.
  public func wait(untilBelow offset: Int, isAsOn other: TerminalScene) throws {
    guard !eventually({ picture(below: offset) == other.picture() }) else { return }
    let (found, wanted) = (picture(below: offset), other.picture())
    throw TestKitError("the same picture was waited for in vain: \(found.difference(from: wanted))")
  }
}

/// A screen to be compared.
public struct Picture: Hashable, Sendable, CustomStringConvertible {
  public var rows: [[TerminalCell]]
  public var cursor: ReferenceTerminal.Cursor
  public var isAlternate: Bool
  public var mouse: ReferenceTerminal.Mouse

  public var description: String {
    rows.map(\.text).joined(separator: "\n") + "\n\(state)"
  }

  private var state: String {
    "\(cursor.row),\(cursor.column)\(cursor.isVisible ? "" : " hidden")\(isAlternate ? " alternate" : "") \(mouse)"
  }

  /// Describes the first cell that differs, with its row. Short: in the output of many tests at once, pages of text get lost.
  public func difference(from other: Picture) -> String {
    for (row, (ours, theirs)) in zip(rows, other.rows).enumerated() {
      for (column, (one, another)) in zip(ours, theirs).enumerated() where one != another {
        return "row \(row), column \(column) is \(one), not \(another); the rows:\n\(ours.text)\n\(theirs.text)"
      }
    }
    return "no cell differs; the state is \(state), not \(other.state)"
  }
}
