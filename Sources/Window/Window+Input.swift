internal import POSIX

/// What is typed, on its way to the program.
extension Window {
  mutating func readTyped() {
    let bytes: [UInt8]
    do {
      bytes = try readBytes(from: terminal.reading, atMost: Self.readSize)
    } catch {
      if !error.isWouldBlock { loseTerminal() }
      return
    }
    if bytes.isEmpty { return loseTerminal() }
    guard !output.isTransparent || !input.isTransparent else { return toProgram.add(bytes) }
    var rewritten: [UInt8] = []
    input.rewrite(bytes, output.surroundings, into: &rewritten)
    toProgram.add(rewritten)
    deadlines.release = input.isHolding ? BootClock.now + .milliseconds(25) : nil
    takeCursorReport()
  }

  mutating func flushProgram() {
    guard let session else { return }
    do {
      try toProgram.flush(to: session.masterDescriptor, limit: nil)
    } catch {
      // Nobody is left to read it.
      toProgram.discard()
    }
  }

  mutating func releaseInput() {
    deadlines.release = nil
    var bytes: [UInt8] = []
    input.release(into: &bytes)
    toProgram.add(bytes)
    flushProgram()
  }
}
