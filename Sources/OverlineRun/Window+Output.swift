internal import Overline
internal import OverlineSystem

/// What the program prints, on its way to the terminal.
extension Window {
  private static var mostPieces: Int { 8 }
  /// Less is no flood.
  private static var floodPiece: Int { 1024 }

  /// One read and one write: filling the buffer first would be slower. Of a flood some more of them before anyone else's turn, since
  /// a poll(2) of a pseudoterminal costs as much as half a read.
  mutating func readPrinted() {
    for _ in 0..<Self.mostPieces {
      guard readPiece() >= Self.floodPiece, takesOutput else { return }
    }
  }

  /// - Returns: how many bytes there were.
  private mutating func readPiece() -> Int {
    guard let session else { return 0 }
    let bytes: [UInt8]
    do {
      bytes = try buffer.read(from: session.masterDescriptor)
    } catch {
      pausePrinted(isGone: !error.isWouldBlock)
      return 0
    }
    if bytes.isEmpty {
      pausePrinted(isGone: true)
      return 0
    }
    if ending.program != nil { ending.unread = max(0, ending.unread - bytes.count) }
    if output.isTransparent {
      send(bytes)
      output.note(bytes)
      if output.hasBacklog { deadlines.settle = BootClock.now + .milliseconds(20) }
      return bytes.count
    }
    var rewritten: [UInt8] = []
    rewritten.reserveCapacity(bytes.count + 256)
    output.rewrite(bytes, into: &rewritten)
    isBatchHeld = false
    for query in output.takeQueries() { input.expect(query) }
    if !output.isLifted {
      deadlines.batch = nil
    } else if deadlines.batch == nil {
      deadlines.batch = BootClock.now + .milliseconds(16)
    }
    send(rewritten)
    return bytes.count
  }

  /// Nothing more is there now, or will ever be.
  mutating func pausePrinted(isGone: Bool) {
    // A pseudoterminal says so only once it has looked for all that was printed.
    if ending.program != nil, toTerminal.isEmpty { ending.unread = 0 }
    // Its leader holds it open: a report comes with this.
    if isGone { ending.isOutputGone = true }
    if output.isLifted, !isBatchHeld, toTerminal.isEmpty { finishBatch() }
  }

  mutating func finishBatch() {
    deadlines.batch = nil
    var bytes: [UInt8] = []
    output.finishBatch(into: &bytes)
    if isMouseOn, !output.isLifted { bytes += Self.mouseOn }
    send(bytes)
    // What it waits for comes with the program's next output, or is asked of the terminal.
    isBatchHeld = output.isLifted
    guard isBatchHeld else { return }
    switch output.readiness() {
    case .needsCursor: askForBanner()
    // A box could not come back: another place is looked for.
    case .ready: needsRepaint = needsRepaint || output.isUncovered
    case .notAtGround: break
    }
  }

  mutating func send(_ bytes: [UInt8]) {
    if bytes.isEmpty || ending.isTerminalGone { return }
    toTerminal.add(bytes)
    // One that may block is asked first.
    if terminal.writeLimit == nil { flushTerminal() }
  }

  mutating func flushTerminal() {
    do {
      try toTerminal.flush(to: terminal.writing, limit: terminal.writeLimit)
    } catch {
      loseTerminal()
    }
    if toTerminal.isEmpty, isSizeDue {
      isSizeDue = false
      session?.setSize(programSize)
      publish()
    }
  }
}
