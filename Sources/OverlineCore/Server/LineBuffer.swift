/// Cuts a stream of bytes into lines. It holds at most one line of the maximum length and the bytes after it.
package struct LineBuffer {
  package enum Line: Equatable {
    case complete([UInt8])
    /// The line is too long. It is skipped to its end, and reported once.
    case tooLong
  }

  private let maximum: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// The number of bytes after `start` that contain no line feed.
  private var searched = 0
  private var isSkipping = false

  package init(maximum: Int = ObserverRequest.maximumLineLength) {
    self.maximum = maximum
  }

  package var isEmpty: Bool { start == bytes.count }

  package mutating func append(_ more: [UInt8]) {
    if start == bytes.count {
      bytes = more
    } else {
      bytes.removeFirst(start)
      bytes += more
    }
    start = 0
  }

  /// The next line without its line feed and carriage return; nil when more bytes are needed.
  package mutating func next() -> Line? {
    while let end = bytes[(start + searched)...].firstIndex(of: 0x0a) {
      var line = bytes[start..<end]
      start = end + 1
      searched = 0
      if isSkipping {
        isSkipping = false
        continue
      }
      if line.last == 0x0d { line = line.dropLast() }
      return line.count > maximum ? .tooLong : .complete(Array(line))
    }
    searched = bytes.count - start
    // An idle client keeps no buffer.
    if searched == 0 { bytes = []; start = 0 }
    guard isSkipping || searched > maximum else { return nil }
    let isNew = !isSkipping
    isSkipping = true
    bytes = []
    start = 0
    searched = 0
    return isNew ? .tooLong : nil
  }
}
