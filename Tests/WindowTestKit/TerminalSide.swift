import CSystem
import Dispatch
import POSIX
import ReferenceTerminal

/// The terminal's side of a pseudoterminal. Everything of it happens on one queue.
final class TerminalSide: @unchecked Sendable {
  private(set) var output: [UInt8] = []
  private(set) var hasEnded = false
  let terminal: ReferenceTerminal
  private let queue = DispatchQueue(label: "overline.test.terminal")
  private var source: (any DispatchSourceRead)?
  private var master: FileDescriptor?
  private var isHeld = false

  init(_ master: consuming FileDescriptor, rows: Int, columns: Int) throws {
    try master.setNonBlocking()
    csystem_set_window_size(master.rawValue, UInt16(rows), UInt16(columns))
    terminal = ReferenceTerminal(rows: rows, columns: columns)
    let source = DispatchSource.makeReadSource(fileDescriptor: master.rawValue, queue: queue)
    self.master = consume master
    self.source = source
    source.setEventHandler { [weak self] in self?.drain() }
    source.activate()
  }

  deinit {
    if isHeld { source?.resume() }
    source?.cancel()
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
      if let number = master?.rawValue { csystem_set_window_size(number, UInt16(rows), UInt16(columns)) }
    }
  }

  func hold() {
    queue.sync {
      guard !isHeld else { return }
      isHeld = true
      source?.suspend()
    }
  }

  func goOn() {
    queue.sync {
      guard isHeld else { return }
      isHeld = false
      source?.resume()
    }
  }

  func close() {
    goOn()
    queue.sync { end() }
  }

  private func end() {
    hasEnded = true
    source?.cancel()
    source = nil
    master = nil
  }

  /// Reads to EAGAIN, or to EIO after the end: what is not read at a hang-up is lost.
  private func drain() {
    while let number = master?.rawValue {
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

  /// A program that does not read has what does not fit never: a terminal that waited for it could not draw.
  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let number = master?.rawValue, !rest.isEmpty, let count = try? writeBytes(rest, to: number) {
      rest = rest.dropFirst(count)
    }
  }
}
