internal import OverlineSystem

/// Bytes on their way to a descriptor that does not take them all at once. Whoever adds to it stops reading while something waits
/// here: that bounds it.
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

  /// Writes what the descriptor takes now.
  ///
  /// - Parameter limit: the most bytes of one write; nil for all of them.
  mutating func flush(to descriptor: Int32, limit: Int?) throws(SystemError) {
    while !isEmpty {
      let end = min(waiting.count, sent + (limit ?? waiting.count))
      do {
        sent += try writeBytes(waiting[sent..<end], to: descriptor)
      } catch {
        if error.isWouldBlock { return }
        throw error
      }
      // A descriptor that blocks would not return from a second one.
      if limit != nil { break }
    }
    if isEmpty { discard() }
  }

  mutating func discard() {
    waiting = []
    sent = 0
  }
}
