internal import Overline
internal import OverlineSystem

/// Typed input, on its way to the program.
extension Window {
  mutating func readTyped() {
    let bytes: [UInt8]
    do {
      bytes = try buffer.read(from: terminal.reading)
    } catch {
      if !error.isWouldBlock { loseTerminal() }
      return
    }
    if bytes.isEmpty { return loseTerminal() }
    let wasOwed = input.isAnswerOwed
    var rewritten: [UInt8] = []
    input.rewrite(bytes, surroundings, into: &rewritten)
    toProgram.add(rewritten)
    // The terminal's answer to the window is no input.
    hasInput = isAsking || !rewritten.isEmpty
    takeOverlayInput()
    deadlines.release = input.isHolding ? BootClock.now + .milliseconds(25) : nil
    if wasOwed, !input.isAnswerOwed { noteLateAnswer() }
    takeCursorAnswer()
  }

  private var surroundings: InputContext {
    var surroundings = output.surroundings
    surroundings.cellHeight = size.height > 0 && size.rows > 0 ? size.height / size.rows : nil
    surroundings.cellWidth = size.width > 0 && size.columns > 0 ? size.width / size.columns : nil
    surroundings.isCapturing = isAsking
    if let area = toastArea {
      surroundings.toast = area
      surroundings.focusKey = toastInput.focusKey
    }
    if isMouseOn {
      surroundings.isMouseOwn = true
      surroundings.mouseTracking = .button
      surroundings.mouseEncoding = .sgr
    }
    return surroundings
  }

  mutating func flushProgram() {
    guard let session else { return }
    do {
      try toProgram.flush(to: session.masterDescriptor, limit: nil)
    } catch {
      // No process is left to read it.
      toProgram.discard()
    }
  }

  mutating func releaseInput() {
    deadlines.release = nil
    var bytes: [UInt8] = []
    input.release(into: &bytes)
    toProgram.add(bytes)
    takeOverlayInput()
    flushProgram()
  }

  // MARK: - Where the cursor is

  mutating func askForBanner() {
    if let size = terminal.size { askForCursor(.forBanner(size)) }
  }

  /// Asks the terminal. Its answer to the second request ends the inquiry, whether or not it answers the first.
  mutating func askForCursor(_ purpose: CursorInquiry) {
    guard inquiry == .none else { return }
    inquiry = purpose
    deadlines.cursor = BootClock.now + cursorTimeout
    input.ask()
    send(Array("\u{1b}[6n\u{1b}[c".utf8))
  }

  /// A late answer describes a past moment. It shows that the terminal does answer, over a slow line or on a busy machine: it may be
  /// asked again with twice the time, as long as the program does not seem to hang.
  private mutating func noteLateAnswer() {
    guard inquiry == .failed, cursorTimeout < .seconds(1) else { return }
    cursorTimeout *= 2
    inquiry = .none
  }

  mutating func takeCursorAnswer() {
    guard inquiry.isWaiting, input.answer != .awaited else { return }
    let purpose = inquiry
    var place: (row: Int, column: Int)?
    if case .position(let row, let column)? = input.answer { place = (row, column) }
    deadlines.cursor = nil
    inquiry = .none
    switch purpose {
    case .forSize(let asked):
      // The size changed again: another signal follows.
      if terminal.size == asked { resizeNow(cursorRow: place?.row) } else { noteResize() }
    // A position from before the size change is useless: the terminal is asked again.
    case .forBanner(let asked) where place != nil && terminal.size != asked: break
    case .none, .forBanner, .failed:
      if let place {
        output.cursorReported(row: place.row, column: place.column)
        isBatchHeld = false
      } else {
        inquiry = .failed
      }
    }
    present()
  }

  mutating func stopWaitingForCursor() {
    guard inquiry.isWaiting else { return }
    var bytes: [UInt8] = []
    input.stopWaiting(into: &bytes)
    toProgram.add(bytes)
    flushProgram()
    takeCursorAnswer()
  }

  /// Waits briefly for outstanding answers: otherwise the shell would read them as typed.
  mutating func awaitAnswers() {
    let end = BootClock.now + .seconds(1)
    var only = PollSet(count: 1)
    while input.isAnswerOwed, !ending.isTerminalGone, BootClock.now < end {
      only.watch(0, terminal.reading, .readable)
      only.wait(milliseconds: 50)
      if only.ready(0) != [] { readTyped() }
    }
  }
}
