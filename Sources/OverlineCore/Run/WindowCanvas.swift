internal import Overline

/// The content of a window's terminal: the program's rows, and the overlays above or over them.
///
/// Bytes come in and go out; ``DisplayMachine`` keeps the cursor inquiry, the program's size and the mouse.
struct WindowCanvas: ~Copyable {
  enum Outcome: Equatable {
    case drawn
    /// The program is in the middle of a sequence; its next output may end it.
    case notAtGround
    /// The cursor's place is unknown: ask the terminal.
    case needsCursor
  }

  /// Whether the program is to redraw the cells below a box. After a new size or a change of screen their content is unknown, and a box
  /// cannot cover them before the program draws them.
  private enum Redraw: Equatable {
    case none
    case awaited(until: Duration)
    case overdue
  }

  private static let redrawTime = Duration.milliseconds(500)
  /// A batch of at least this many bytes does not end at a shorter pause than ``floodPause``. Such pauses occur only because the window
  /// reads faster than the program prints, and each end of a batch costs two repaints and an answer of the terminal.
  private static let floodSize = 16 << 10
  private static let floodPause = Duration.milliseconds(10)
  /// After a pause of this length the window parses the program's output, and before it when an overlay shows. A shorter one would cost a
  /// wake-up for each typed key.
  static let settleTime = Duration.seconds(1)
  /// A program that never rests for so long, as one with a spinner, pauses for this long: then what waits is parsed once it is this much. A
  /// full backlog would make the screen unknown.
  private static let shortPause = Duration.milliseconds(20)
  private static let muchOutput = 64 << 10

  private(set) var capabilities: TerminalCapabilities
  var output: OutputRewriter
  /// The presentation on the screen; empty while the window is hidden.
  private(set) var shown = Presentation()
  private(set) var boxes = PlacedOverlays()
  /// True while toast and alert have rows of their own, since the content that they would cover is unknown.
  private(set) var isInset = false
  /// The rows above the program's rows, as last drawn.
  private var bannerRows = BannerRows()
  private var redraw = Redraw.none
  private var needsRepaint = false
  /// True when the overlays could not be put back after the last output. They return after the next output or the terminal's answer.
  private var isBatchHeld = false
  private(set) var batchDeadline: Duration?
  /// The bytes of the current batch, and the time at which it ends even if the output continues.
  private var batch: (size: Int, end: Duration)?
  private var lastNote = Duration.zero
  var pace = LiftPace()

  init(_ size: TerminalSize, _ capabilities: TerminalCapabilities) {
    self.capabilities = capabilities
    output = OutputRewriter(rows: size.rows, columns: size.columns, terminal: capabilities)
  }

  /// Notes which terminal it is.
  mutating func recognize(_ family: TerminalFamily) {
    capabilities.family = family
    output.surface.adopt(capabilities)
  }

  /// The number of rows that the overlays take from the program.
  var insetRows: Int { output.surface.isShown ? output.surface.rows - output.surface.programRows : 0 }

  /// The boxes' distance from the terminal's first row.
  var boxOffset: Int { isInset ? 0 : insetRows }

  var redrawDeadline: Duration? { if case .awaited(let until) = redraw { until } else { nil } }

  /// True when the overlays wait for the program's output to pause.
  var isPauseAwaited: Bool { output.surface.isBatchOpen && !isBatchHeld && !isFlood }

  private var isFlood: Bool { batch.map { $0.size >= Self.floodSize } ?? false }

  func shows(_ wanted: Presentation) -> Bool { shown == wanted && (wanted.isEmpty || !needsRepaint) }
}

// MARK: - The program's output

extension WindowCanvas {
  /// Notes output that reaches the terminal as it is, while it is transparent.
  mutating func note(_ bytes: [UInt8], at now: Duration) {
    if now >= lastNote + Self.shortPause, output.surface.backlogSize >= Self.muchOutput { output.surface.settle() }
    lastNote = now
    output.surface.note(bytes)
  }

  /// Rewrites what the program printed.
  mutating func pass(_ bytes: [UInt8], at now: Duration) -> [UInt8] {
    if output.isTransparent {
      note(bytes, at: now)
      return bytes
    }
    var rewritten: [UInt8] = []
    rewritten.reserveCapacity(bytes.count + 256)
    output.rewrite(bytes, into: &rewritten)
    isBatchHeld = false
    noteBatch(bytes.count, at: now)
    return rewritten
  }

  private mutating func noteBatch(_ count: Int, at now: Duration) {
    guard output.surface.isBatchOpen else {
      batch = nil
      batchDeadline = nil
      return
    }
    let end = batch?.end ?? now + pace.batchTime
    batch = ((batch?.size ?? 0) + count, end)
    batchDeadline = isFlood ? min(end, now + Self.floodPause) : end
  }

  /// Notes that the window asks for the cursor before it puts the overlays back.
  mutating func holdBatch() {
    batchDeadline = nil
    batch = nil
    isBatchHeld = true
  }

  /// Puts the overlays back after output.
  ///
  /// - Parameter isSilent: the terminal does not answer.
  /// - Returns: true if the window must first ask for the cursor's place.
  mutating func finishBatch(isSilent: Bool, into bytes: inout [UInt8]) -> Bool {
    batchDeadline = nil
    batch = nil
    if isSilent, output.surface.isBatchOpen { findCursor(into: &bytes) }
    output.finishBatch(into: &bytes)
    isBatchHeld = output.surface.isBatchOpen
    guard isBatchHeld else { return false }
    switch output.readiness() {
    case .needsCursor: return true
    // A box could not be put back: it needs another place.
    case .ready: needsRepaint = needsRepaint || output.surface.isUncovered
    case .notAtGround: break
    }
    return false
  }

  /// When the noted output is to be drawn, nil if there is none.
  var settleDeadline: Duration? { output.surface.backlogSize > 0 ? lastNote + Self.settleTime : nil }

  /// Draws the noted output.
  mutating func settle() { output.surface.settle() }

  /// Ends the wait for a program that does not draw itself again.
  mutating func endRedraw() {
    redraw = .overdue
    needsRepaint = true
  }

  mutating func cursorReported(row: Int, column: Int) {
    output.surface.cursorReported(row: row, column: column)
    isBatchHeld = false
  }

  /// Another program had the terminal: its content is unknown.
  mutating func forget(isLineEnded: Bool) {
    output.surface.forgetScreen(isLineEnded: isLineEnded)
    needsRepaint = !shown.isEmpty
  }

  mutating func resize(
    _ size: TerminalSize, cursorRow: Int?, narrowest: Int?, isCutOff: Bool, into bytes: inout [UInt8]
  ) {
    output.surface.resize(
      rows: size.rows, columns: size.columns, cursorRow: cursorRow, narrowest: narrowest, isCutOff: isCutOff,
      into: &bytes)
    if !output.surface.isShown {
      shown.banner = nil
      bannerRows = BannerRows()
    }
    needsRepaint = !shown.isEmpty
  }
}

// MARK: - The overlays

extension WindowCanvas {
  /// Finds an unknown cursor in a terminal that does not answer.
  private mutating func findCursor(into bytes: inout [UInt8]) {
    if output.readiness() == .needsCursor, output.surface.canScrollToCursor {
      output.surface.scrollToCursor(into: &bytes)
    }
  }

  /// Shows a presentation for the first time, or its next frame.
  ///
  /// - Parameter isSilent: the terminal does not answer.
  mutating func show(_ new: Presentation, isSilent: Bool, at now: Duration, into bytes: inout [UInt8]) -> Outcome {
    if isSilent { findCursor(into: &bytes) }
    switch output.readiness() {
    case .ready: break
    case .notAtGround: return .notAtGround
    case .needsCursor: return .needsCursor
    }
    if !new.hasBox { isInset = false }
    draw(new, into: &bytes)
    if !isInset, !canCover(at: now) {
      // The content that the boxes would cover is unknown: they get rows of their own as long as any box shows.
      isInset = true
      draw(new, into: &bytes)
    }
    output.surface.cover(isInset ? [] : boxes.boxes, colors: capabilities.colors, into: &bytes)
    shown = new
    if !output.surface.isShown { shown.banner = nil }
    needsRepaint = false
    return .drawn
  }

  /// - Parameters:
  ///   - isLast: the program will not finish its open sequence, or there is no later chance to hide.
  ///   - mayAsk: if the cursor's place is unknown, ask for it instead of hiding.
  mutating func hide(isLast: Bool, mayAsk: Bool, into bytes: inout [UInt8]) -> Outcome {
    if !mayAsk, output.surface.isShown { findCursor(into: &bytes) }
    switch output.readiness() {
    case .ready: break
    case .notAtGround:
      guard isLast else { return .notAtGround }
      output.abandonSequence(into: &bytes)
    case .needsCursor: if mayAsk { return .needsCursor }
    }
    output.surface.cover([], colors: capabilities.colors, into: &bytes)
    if output.surface.isShown { output.surface.hide(into: &bytes) }
    shown = Presentation()
    boxes = PlacedOverlays()
    bannerRows = BannerRows()
    isInset = false
    redraw = .none
    needsRepaint = false
    return .drawn
  }

  /// Whether boxes can cover the program's screen now or soon. After a new size or a change of screen, the program is about to draw the
  /// cells below them.
  private mutating func canCover(at now: Duration) -> Bool {
    let isKnown = output.surface.canCover(boxes.boxes)
    if isKnown || !shown.hasBox || redraw == .overdue {
      redraw = .none
      return isKnown
    }
    if redraw == .none { redraw = .awaited(until: now + Self.redrawTime) }
    return true
  }

  /// Draws the rows above the program's if they changed, and lays the boxes out.
  private mutating func draw(_ new: Presentation, into bytes: inout [UInt8]) {
    var rows = BannerRows()
    if let banner = new.banner {
      rows = BannerRows(
        banner, columns: output.surface.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    }
    if isInset {
      let room = output.surface.rows - rows.height
      // An alert matters more than the program: in a low window the program keeps only one row.
      let alertRows = max(room - BannerAppearance.minimumContentRows, min(AlertLayout.minimumRows, room - 1))
      boxes = PlacedOverlays(
        new.resting, rows: room, columns: output.surface.columns, alertRows: alertRows, capabilities)
      stack(below: &rows)
    }
    if rows != bannerRows || needsRepaint {
      if rows.height > 0 {
        output.surface.show(rows, into: &bytes)
      } else if output.surface.isShown {
        output.surface.hide(into: &bytes)
      }
      bannerRows = rows
    }
    if !isInset {
      boxes = PlacedOverlays(new, rows: output.surface.programRows, columns: output.surface.columns, capabilities)
    }
  }

  /// Gives the boxes rows of their own, where they cannot cover the program's screen. Such boxes do not slide: each step would be a new
  /// size for the program.
  private mutating func stack(below rows: inout BannerRows) {
    let items = boxes.items
    boxes.items = []
    for var item in items {
      let more = rows.appending(item.box, colors: capabilities.colors)
      guard more.height + (item.isToast ? BannerAppearance.minimumContentRows : 1) <= output.surface.rows else {
        continue
      }
      item.move(toRow: rows.height)
      rows = more
      boxes.items.append(item)
    }
  }
}
