import Overline
import OverlineReferenceTerminal
import Testing

/// Two terminals with the same program, the same outages and the same sizes, one of them with toasts and questions that come and go
/// over it: beside them nothing is different at any time, and after them nothing at all.
@Suite struct OverlayJourneyTests {
  @Test(arguments: [true, false], 1...60)
  func boxesLeaveNoTrace(takesLinesBack: Bool, seed: Int) {
    var journey = OverlayJourney(takesLinesBack: takesLinesBack, seed: seed)
    for _ in 0..<40 {
      journey.step()
      if let difference = journey.difference {
        Issue.record("\(difference) after \(journey.steps.joined(separator: ", "))")
        return
      }
    }
  }
}

private struct OverlayJourney {
  private(set) var steps: [String] = []
  private var random: Seeded
  private var stream: ProgramStream
  private let window: Window
  private let alone: Window
  private var boxes: [OverlayBox] = []

  private static let columns = 40
  /// The program's screen never gets lower than this.
  private static let leastRows = 9

  init(takesLinesBack: Bool, seed: Int) {
    random = Seeded(UInt64(seed))
    stream = ProgramStream(seed: UInt64(seed), rows: Self.leastRows, columns: Self.columns)
    let rows = Int.random(in: Self.leastRows + 3...20, using: &random)
    window = Window(rows: rows, columns: Self.columns)
    alone = Window(rows: rows, columns: Self.columns)
    for window in [window, alone] {
      window.outer.takesLinesBack = takesLinesBack
      // libvterm restores black text where nothing was saved.
      window.write("\u{1b}7")
    }
  }

  private var both: [Window] { [window, alone] }
  private var isShown: Bool { window.rewriter.isShown }

  mutating func step() {
    switch Int.random(in: 0...9, using: &random) {
    case 0...4: runProgram()
    case 5, 6: changeBoxes()
    case 7: toggleBanner()
    default: resize()
    }
    // What a window does when output pauses. It asks only where it has something to show: that both know the same, both are told.
    for window in both {
      askForCursor(window)
      if window.isLifted { window.write("") }
    }
  }

  /// Cut anywhere.
  private mutating func runProgram() {
    var rest = stream.items(Int.random(in: 2...12, using: &random)).joined()[...]
    steps.append("\(String(decoding: rest, as: UTF8.self).debugDescription)")
    while !rest.isEmpty {
      let part = Array(rest.prefix(Int.random(in: 1...60, using: &random)))
      rest = rest.dropFirst(part.count)
      let endsBatch = Bool.random(using: &random)
      for window in both { window.write(part, endsBatch: endsBatch) }
    }
  }

  private mutating func changeBoxes() {
    let rows = window.rewriter.programRows
    let choices: [[OverlayBox]] = [
      [], [.toast(.top, rows: rows, columns: Self.columns)], [.toast(.bottom, rows: rows, columns: Self.columns)],
      [.alert("Deploy?", rows: rows, columns: Self.columns), .toast(.top, rows: rows, columns: Self.columns)],
    ]
    cover(choices.randomElement(using: &random)!)
  }

  private mutating func cover(_ new: [OverlayBox]) {
    askForCursor(window)
    guard window.readiness() == .ready, new.isEmpty || window.rewriter.canCover(new) else { return }
    boxes = new
    window.cover(new)
    steps.append("boxes \(new.map(\.rowRange))")
  }

  private mutating func toggleBanner() {
    let height = Bool.random(using: &random) ? 1 : 3
    let isShown = isShown
    for window in both { askForCursor(window) }
    guard both.allSatisfy({ $0.readiness() == .ready }) else { return }
    for window in both { if isShown { window.hide() } else { window.show(height) } }
    steps.append(isShown ? "hide" : "show \(height)")
    // Where they are follows from the program's rows.
    if !boxes.isEmpty { changeBoxes() }
  }

  /// A terminal that gets lower pushes its first rows to its scrollback before anyone is told, with whatever stands over them.
  private mutating func resize() {
    // What libvterm's primary screen loses when the terminal shrinks while the alternate one shows is its own.
    let least = window.rewriter.screen.isAlternate ? window.outer.rows : Self.leastRows + 3
    let rows = Int.random(in: least...max(24, least), using: &random)
    if rows < window.outer.rows { cover([]) }
    guard rows >= window.outer.rows || boxes.isEmpty else { return }
    // What becomes of margins differs from terminal to terminal: who has any draws all of its screen for another size.
    let plain = "\u{18}\u{1b}[?6l\u{1b}[4l\u{1b}[r\u{1b}[m\u{1b}(B\u{f}\u{1b}[\(Int.random(in: 1...9, using: &random))d"
    for window in both { window.write(plain) }
    if isShown { for window in both { askForCursor(window) } }
    for window in both { window.resize(rows: rows) }
    steps.append("\(rows) rows")
    if !boxes.isEmpty { changeBoxes() }
  }

  private func askForCursor(_ window: Window) {
    guard window.readiness() == .needsCursor else { return }
    window.reportCursor()
  }

  /// What is wrong now.
  var difference: String? {
    let inset = isShown && !window.isLifted ? window.rewriter.rows - window.rewriter.programRows : 0
    let covered = window.isUncovered ? [] : boxes
    let (cells, expected) = (window.outer.cells.seen, alone.outer.cells.seen)
    for row in expected.indices {
      for column in expected[row].indices where cells[row][column] != expected[row][column] {
        if covered.contains(where: { $0.rowRange.contains(row - inset) && $0.columnRange.contains(column) }) {
          continue
        }
        return "row \(row) column \(column) is \(cells[row][column]), not \(expected[row][column])"
      }
    }
    if window.outer.cursor != alone.outer.cursor { return "\(window.outer.cursor), not \(alone.outer.cursor)" }
    let saved = (window.outer.scrollbackText, alone.outer.scrollbackText)
    return saved.0 == saved.1 ? nil : "the scrollback is \(saved.0), not \(saved.1)"
  }
}
