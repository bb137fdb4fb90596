import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// Two terminals with the same program, outages and sizes, one of them with toasts and alerts that come and go: beside the boxes both
/// are the same at any time, and after them everywhere.
@Suite(.ownThread) struct OverlayJourneyTests {
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
  /// True after the reference terminal may have changed the background of blank cells.
  private var hasLostColors = false

  private static let columns = 40
  /// The minimum height of the program's screen.
  private static let minimumRows = 9

  init(takesLinesBack: Bool, seed: Int) {
    random = Seeded(UInt64(seed))
    stream = ProgramStream(seed: UInt64(seed), rows: Self.minimumRows, columns: Self.columns)
    let rows = Int.random(in: Self.minimumRows + 3...20, using: &random)
    window = Window(rows: rows, columns: Self.columns)
    alone = Window(rows: rows, columns: Self.columns)
    for window in [window, alone] {
      window.outer.takesLinesBack = takesLinesBack
      // libvterm restores black text if no cursor was saved.
      window.write("\u{1b}7")
    }
  }

  private var both: [Window] { [window, alone] }
  private var isShown: Bool { window.rewriter.surface.isShown }

  mutating func step() {
    switch Int.random(in: 0...9, using: &random) {
    case 0...4: runProgram()
    case 5, 6: changeBoxes()
    case 7: toggleBanner()
    default: resize()
    }
    // As a window does when output pauses. A window asks only if it has something to show: here both ask, so that both know the same.
    for window in both {
      askForCursor(window)
      if window.isLifted { window.write("") }
    }
  }

  /// Cut at any byte.
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
    let rows = window.rewriter.surface.programRows
    let choices: [[OverlayBox]] = [
      [], [.toast(.top, rows: rows, columns: Self.columns)], [.toast(.bottom, rows: rows, columns: Self.columns)],
      [.alert("Deploy?", rows: rows, columns: Self.columns), .toast(.top, rows: rows, columns: Self.columns)],
    ]
    cover(choices.randomElement(using: &random)!)
  }

  private mutating func cover(_ new: [OverlayBox]) {
    askForCursor(window)
    guard window.readiness() == .ready, new.isEmpty || window.rewriter.surface.canCover(new) else { return }
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
    // The boxes' places follow from the program's rows.
    if !boxes.isEmpty { changeBoxes() }
  }

  /// A terminal that loses rows pushes its first rows, with the boxes over them, to its scrollback before the window learns of it.
  private mutating func resize() {
    // The lines lost from libvterm's primary screen, when the terminal shrinks during the alternate one, are libvterm's fault.
    let least = window.rewriter.surface.screen.isAlternate ? window.outer.rows : Self.minimumRows + 3
    let rows = Int.random(in: least...max(24, least), using: &random)
    if rows < window.outer.rows { cover([]) }
    guard rows >= window.outer.rows || boxes.isEmpty else { return }
    // Terminals treat margins differently at a resize: a program with margins draws its whole screen again.
    let plain = "\u{18}\u{1b}[?6l\u{1b}[4l\u{1b}[r\u{1b}[m\u{1b}(B\u{f}\u{1b}[\(Int.random(in: 1...9, using: &random))d"
    for window in both { window.write(plain) }
    if isShown { for window in both { askForCursor(window) } }
    for window in both { window.resize(rows: rows) }
    hasLostColors = !ReferenceTerminal.keepsErasedCells
    steps.append("\(rows) rows")
    if !boxes.isEmpty { changeBoxes() }
  }

  private func askForCursor(_ window: Window) {
    guard window.readiness() == .needsCursor else { return }
    window.reportCursor()
  }

  /// The current difference; nil if there is none.
  var difference: String? {
    let inset = isShown && !window.isLifted ? window.rewriter.surface.rows - window.rewriter.surface.programRows : 0
    let covered = window.isUncovered ? [] : boxes
    let (cells, expected) = (window.outer.cells.seen, alone.outer.cells.seen)
    for row in expected.indices {
      for column in expected[row].indices where cells[row][column] != expected[row][column] {
        if covered.contains(where: { $0.rowRange.contains(row - inset) && $0.columnRange.contains(column) }) {
          continue
        }
        if hasLostColors, cells[row][column].text == " ", expected[row][column].text == " " { continue }
        return "row \(row) column \(column) is \(cells[row][column]), not \(expected[row][column])"
      }
    }
    if window.outer.cursor != alone.outer.cursor { return "\(window.outer.cursor), not \(alone.outer.cursor)" }
    let saved = (window.outer.scrollbackText, alone.outer.scrollbackText)
    return saved.0 == saved.1 ? nil : "the scrollback is \(saved.0), not \(saved.1)"
  }
}
