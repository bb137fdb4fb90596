import Dispatch
import OverlineSystem
import OverlineReferenceTerminal

/// The terminal's side of a pseudoterminal. All of its work runs on one queue.
final class TerminalSide: @unchecked Sendable {
  private(set) var output: [UInt8] = []
  private(set) var hasEnded = false
  let terminal: ReferenceTerminal
  private let queue = DispatchQueue(label: "overline.test.terminal")
  /// Nil while the terminal reads nothing.
  private var source: ReadSource?
  private var master: SharedDescriptor?

  init(_ master: consuming FileDescriptor, rows: Int, columns: Int) throws {
    try master.setNonBlocking()
    terminal = ReferenceTerminal(rows: rows, columns: columns)
    self.master = SharedDescriptor(master)
    try goOn()
  }

  func look<Result>(_ body: (TerminalSide) throws -> Result) rethrows -> Result {
    try queue.sync { try body(self) }
  }

  func type(_ bytes: [UInt8]) {
    queue.async { self.write(bytes) }
  }

  func resize(rows: Int, columns: Int) {
    queue.sync {
      terminal.resize(rows: rows, columns: columns)
      if let number = master?.descriptor.rawValue { try? WindowSize(rows: rows, columns: columns).set(number) }
    }
  }

  func hold() {
    queue.sync { source = nil }
  }

  func goOn() throws {
    try queue.sync {
      guard source == nil, let master else { return }
      source = try ReadSource(descriptor: master.descriptor.rawValue, keeping: master, queue: queue) { [weak self] in
        self?.drain()
      }
    }
  }

  func close() {
    queue.sync { end() }
  }

  private func end() {
    hasEnded = true
    source = nil
    master = nil
  }

  /// Reads to EAGAIN, or to EIO after the end: unread output is lost at a hang-up.
  private func drain() {
    while let number = master?.descriptor.rawValue {
      do {
        let bytes = try readBytes(from: number, atMost: 65536)
        if bytes.isEmpty { return end() }
        output += bytes
        terminal.write(bytes)
        let replies = terminal.takeReplies()
        if !replies.isEmpty { write(replies) }
      } catch {
        if !error.isWouldBlock { end() }
        return
      }
    }
  }

  /// Bytes that do not fit are dropped if the program does not read: a terminal that waited for it could not draw.
  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let number = master?.descriptor.rawValue, !rest.isEmpty, let count = try? writeBytes(rest, to: number) {
      rest = rest.dropFirst(count)
    }
  }
}
