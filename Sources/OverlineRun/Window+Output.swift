internal import Overline
internal import OverlineSystem

/// The program's output, on its way to the terminal.
extension Window {
  private static var maximumPieceCount: Int { 8 }
  /// A shorter read is no flood.
  private static var floodPiece: Int { 1024 }

  /// One read and one write: filling the buffer first would be slower. In a flood it repeats them before other events are handled,
  /// since a poll(2) of a pseudoterminal costs as much as half a read.
  mutating func readPrinted() {
    for _ in 0..<Self.maximumPieceCount {
      guard readPiece() >= Self.floodPiece, takesOutput else { return }
    }
  }

  /// - Returns: the number of bytes read.
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

  /// No more output is available now or, if `isGone`, ever.
  mutating func pausePrinted(isGone: Bool) {
    // A pseudoterminal reports this only after it has looked for all output.
    if ending.program != nil, toTerminal.isEmpty { ending.unread = 0 }
    // The helper holds it open: its report comes with the hang-up.
    if isGone { ending.isOutputGone = true }
    if output.isLifted, !isBatchHeld, toTerminal.isEmpty { finishBatch() }
  }

  mutating func finishBatch() {
    deadlines.batch = nil
    var bytes: [UInt8] = []
    output.finishBatch(into: &bytes)
    if isMouseOn, !output.isLifted { bytes += Self.mouseOn }
    send(bytes)
    // The rest comes with the program's next output or the terminal's answer.
    isBatchHeld = output.isLifted
    guard isBatchHeld else { return }
    switch output.readiness() {
    case .needsCursor: askForBanner()
    // A box could not come back: it needs another place.
    case .ready: needsRepaint = needsRepaint || output.isUncovered
    case .notAtGround: break
    }
  }

  mutating func send(_ bytes: [UInt8]) {
    if bytes.isEmpty || ending.isTerminalGone { return }
    toTerminal.add(bytes)
    // A terminal that may block is polled first.
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
