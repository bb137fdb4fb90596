/// The terminal's size, which the size of the program's terminal follows.
///
/// While overlays show, the window waits until a changing size has settled: every earlier repaint would be outdated. Without overlays the
/// program gets each size at once, and only the next overlay waits.
struct SizeKeeper {
  /// While a user drags the terminal's edge, the terminal moves its rows many times. A row that is written before such a move and handled
  /// after it is lost or doubled.
  private static let pause = Duration.milliseconds(300)

  /// The size that the screen is laid out for.
  var size: TerminalSize
  /// The size that the kernel reported last; nil when the terminal is gone.
  private(set) var newest: TerminalSize?
  /// Another size that the terminal has reported since the last signal, and since when.
  private var unsignalled: (size: (rows: Int, columns: Int), since: Duration)?
  private static let longestLateness = Duration.milliseconds(1200)
  /// Whether the terminal has signalled or reported a size since the last one settled. It may equal the old one.
  var isSignalled = false
  /// The widths and heights that the terminal has had since the last size settled; nil if there was no new size.
  private var range: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)?
  /// True until the program's terminal gets its new size. The screen makes room first: the program must not draw into rows that it does not
  /// have yet.
  var isProgramDue = false
  /// The size has settled, but must wait: the program is in the middle of a sequence.
  var isHeld = false
  /// The last size of the program's terminal, the rows above it, and the rows that a hard sync removed from it.
  private var program: (size: TerminalSize, inset: Int, hardSyncRows: Int)
  /// The time at which the size has settled.
  private(set) var deadline: Duration?
  /// After a change of size without overlays, the first overlay waits until this time. Shown in the middle of a drag, it would meet the next
  /// change.
  private(set) var restDeadline: Duration?
  var hardSync = HardSync()

  init(_ size: TerminalSize?) {
    self.size = size ?? TerminalSize(rows: 0, columns: 0)
    newest = size
    program = (self.size, 0, 0)
  }

  /// The size of the program's terminal below `inset` rows.
  func programSize(inset: Int) -> TerminalSize { size.removing(rows: inset + hardSync.rows) }

  /// Records the size that the program's terminal now gets.
  ///
  /// - Returns: whether the window must report the size to a program in mode 2048. The terminal reports only its own size, which the window
  ///   passes on only while the program has all rows.
  mutating func resizeProgram(inset: Int, isFullScreen: Bool, at now: Duration) -> Bool {
    let old = program
    program = (programSize(inset: inset), inset, hardSync.rows)
    if program.size == old.size { return false }
    let isHardSync = program.hardSyncRows > 0 || old.hardSyncRows > 0
    if isFullScreen, !isHardSync { hardSync.expectOutput(at: now) }
    return isHardSync || inset > 0 || old.inset > 0
  }

  mutating func beginHardSync(at now: Duration) {
    hardSync.begin(at: now)
    isProgramDue = true
  }

  mutating func advanceHardSync(at now: Duration) { if hardSync.advance(at: now) { isProgramDue = true } }

  mutating func endHardSync() {
    if hardSync.rows > 0 { isProgramDue = true }
    hardSync = HardSync()
  }

  mutating func note(_ size: TerminalSize?) {
    newest = size
    isSignalled = true
    unsignalled = nil
    guard let size else { return }
    let old = range ?? (size.columns...size.columns, size.rows...size.rows)
    range = (
      min(old.columns.lowerBound, size.columns)...max(old.columns.upperBound, size.columns),
      min(old.rows.lowerBound, size.rows)...max(old.rows.upperBound, size.rows)
    )
  }

  /// Notes the size that the terminal had when it answered. If it is another one than the kernel knows, the terminal has moved its rows
  /// already, and its signal follows.
  ///
  /// - Parameter size: nil if the terminal did not report it.
  /// - Returns: whether to wait for the signal. False if the terminal stays at that size: then the kernel will not learn it, as behind a
  ///   serial line.
  mutating func noteReported(_ size: (rows: Int, columns: Int)?, at now: Duration) -> Bool {
    guard let size, let newest else { return false }
    guard size != (newest.rows, newest.columns) else {
      unsignalled = nil
      return false
    }
    let since = if let unsignalled, unsignalled.size == size { unsignalled.since } else { now }
    unsignalled = (size, since)
    return now - since < Self.longestLateness
  }

  /// Whether the terminal has reported another size than the kernel knows.
  var isSignalDue: Bool { unsignalled != nil }

  /// The smallest width since the last size settled.
  mutating func takeNarrowest() -> Int? {
    defer { range = nil }
    return range?.columns.lowerBound
  }

  /// Whether a cursor that moved up shows lost rows. In a terminal that has only become wider, it shows rows that are now one line's.
  var mayHaveLostRows: Bool {
    guard let range else { return true }
    return range.rows.lowerBound < size.rows || range.columns.upperBound <= size.columns
  }

  mutating func debounce(at now: Duration) {
    deadline = now + Self.pause
  }

  mutating func settle() {
    deadline = nil
    isHeld = false
  }

  mutating func rest(at now: Duration) { restDeadline = now + Self.pause }

  mutating func endRest() { restDeadline = nil }
}
