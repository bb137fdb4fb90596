import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// A terminal with old text, full-screen programs, outages that begin and end while these run, and changing sizes: each
/// printed line is there once, in order.
@Suite(.ownThread) struct JourneyTests {
  @Test(arguments: [true, false], 1...60)
  func linesOutliveFullScreenPrograms(takesLinesBack: Bool, seed: Int) {
    var journey = Journey(takesLinesBack: takesLinesBack, seed: seed)
    for _ in 0..<40 {
      journey.step()
      guard journey.expectLines() else { return }
    }
  }
}

private struct Journey {
  private var random: Seeded
  private let window: Window
  private var lines: [String]
  private var steps: [String] = []

  init(takesLinesBack: Bool, seed: Int) {
    random = Seeded(UInt64(seed))
    let rows = Int.random(in: 8...20, using: &random)
    window = Window(rows: rows, columns: 40)
    window.outer.takesLinesBack = takesLinesBack
    lines = (0..<Int.random(in: 0...30, using: &random)).map { "before \($0)" }
    window.outer.write(lines.map { $0 + "\r\n" }.joined())
    // The window starts here, without knowledge of the screen.
    window.rewriter = OutputRewriter(rows: rows, columns: 40)
  }

  private var isShown: Bool { window.rewriter.surface.isShown }

  mutating func step() {
    switch Int.random(in: 0...5, using: &random) {
    case 0, 1, 2: printLines()
    case 3: toggle()
    case 4: resize()
    default: runFullScreen()
    }
    // As a window does when output pauses.
    if window.isLifted {
      askForCursor()
      window.write("")
    }
  }

  private mutating func printLines() {
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      lines.append("line \(lines.count)")
      window.write(lines.last! + "\r\n")
    }
    steps.append("lines \(lines.count)")
  }

  private mutating func runFullScreen() {
    steps.append("full screen")
    window.write("\u{1b}[?1049h\u{1b}[H\u{1b}[2Jfull\r\nscreen")
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      if Bool.random(using: &random) { toggle() } else { resize(atLeast: window.outer.rows) }
    }
    window.write("\u{1b}[?1049l")
    steps.append("left")
  }

  private mutating func toggle() {
    askForCursor()
    if isShown { window.hide() } else { window.show(Bool.random(using: &random) ? 1 : 3) }
    steps.append(isShown ? "show" : "hide")
  }

  /// The lines lost from libvterm's primary screen, when the terminal shrinks during the alternate one, are libvterm's fault.
  private mutating func resize(atLeast least: Int = 8) {
    let rows = Int.random(in: least...max(24, least), using: &random)
    steps.append("\(rows) rows")
    if isShown { askForCursor() }
    window.resize(rows: rows)
  }

  private func askForCursor() {
    guard window.readiness() == .needsCursor else { return }
    window.reportCursor()
  }

  /// Records an issue and returns false if a line is wrong.
  func expectLines() -> Bool {
    // A terminal that shrinks pushes the banner's rows out before the window learns of it.
    let found = window.lines.filter { !$0.isEmpty && !$0.contains(Window.title) }
    #expect(found == lines, "\(steps): \(window.outer.text)")
    let hasBanner = window.outer.text.prefix(3).contains { $0.contains(Window.title) }
    #expect(hasBanner || !isShown, "\(steps): \(window.outer.text)")
    return found == lines && (hasBanner || !isShown)
  }
}
