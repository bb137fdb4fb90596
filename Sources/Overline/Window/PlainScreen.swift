internal import OverlineSystem

/// A screen of lines: each change prints one line.
struct PlainScreen: WindowScreen {
  private let descriptor: Int32
  let capabilities: TerminalCapabilities

  init(_ descriptor: Int32, _ capabilities: TerminalCapabilities) {
    self.descriptor = descriptor
    self.capabilities = capabilities
  }

  var size: WindowSize? { nil }
  var belongsToProcess: Bool { true }

  func show(_ content: WindowContent) {}

  func tell(_ line: String) {
    // A reader that has closed its end needs no line; SIGPIPE must not end the program.
    withoutBrokenPipeSignal { try? writeAll(Array((line + "\n").utf8), to: descriptor) }
  }

  func forget() {}
  func close(atExit: Bool) {}
}
