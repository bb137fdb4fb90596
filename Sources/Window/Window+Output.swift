internal import POSIX

/// What the program prints, on its way to the terminal.
extension Window {
  /// One read and one write: filling the buffer first would be slower.
  mutating func readPrinted() {
    guard let session else { return }
    let bytes: [UInt8]
    do {
      bytes = try readBytes(from: session.masterDescriptor, atMost: Self.readSize)
    } catch {
      return pausePrinted(isGone: !error.isWouldBlock)
    }
    if bytes.isEmpty { return pausePrinted(isGone: true) }
    if ending.program != nil { ending.unread = max(0, ending.unread - bytes.count) }
    if output.isTransparent {
      send(bytes)
      output.note(bytes)
      if output.hasBacklog { deadlines.settle = BootClock.now + .milliseconds(20) }
      return
    }
    var rewritten: [UInt8] = []
    rewritten.reserveCapacity(bytes.count + 256)
    output.rewrite(bytes, into: &rewritten)
    for query in output.takeQueries() { input.expect(query) }
    if !output.isLifted {
      deadlines.batch = nil
    } else if deadlines.batch == nil {
      deadlines.batch = BootClock.now + .milliseconds(16)
    }
    send(rewritten)
  }

  /// Nothing more is there now, or will ever be.
  mutating func pausePrinted(isGone: Bool) {
    // A pseudoterminal says so only once it has looked for all that was printed.
    if ending.program != nil, toTerminal.isEmpty { ending.unread = 0 }
    // Its leader holds it open: a report comes with this.
    if isGone { ending.isOutputGone = true }
    if output.isLifted, toTerminal.isEmpty { finishBatch() }
  }

  mutating func finishBatch() {
    deadlines.batch = nil
    var bytes: [UInt8] = []
    output.finishBatch(into: &bytes)
    send(bytes)
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
