internal import OverlineSystem

/// Bytes on their way to a descriptor that does not accept them all at once. The caller stops reading its source while
/// bytes wait here, which bounds the buffer.
struct Outflow {
  private var waiting: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == waiting.count }

  mutating func add(_ bytes: [UInt8]) {
    if isEmpty {
      waiting = bytes
      sent = 0
    } else {
      waiting += bytes
    }
  }

  /// Writes as much as the descriptor accepts now.
  ///
  /// - Parameter limit: the largest write in bytes; nil for no limit.
  mutating func flush(to descriptor: Int32, limit: Int?) throws(SystemError) {
    while !isEmpty {
      let end = min(waiting.count, sent + (limit ?? waiting.count))
      do {
        sent += try writeBytes(waiting[sent..<end], to: descriptor)
      } catch {
        if error.isWouldBlock { return }
        throw error
      }
      // A second write to a blocking descriptor might not return.
      if limit != nil { break }
    }
    if isEmpty { discard() }
  }

  mutating func discard() {
    waiting = []
    sent = 0
  }
}
