/// Bytes on their way to the terminal or the program, which do not accept them all at once. The caller stops reading their source while
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

  /// Writes bytes while none wait, and keeps those that the sink does not accept now.
  ///
  /// - Returns: false if the terminal or the program is gone.
  mutating func pass<Port: WindowPort & ~Copyable>(_ bytes: ArraySlice<UInt8>, to sink: PortSink, of port: inout Port)
    -> Bool
  {
    precondition(isEmpty, "later bytes would pass earlier ones")
    var rest = bytes
    while !rest.isEmpty {
      guard let count = port.write(rest, to: sink) else { return false }
      if count == 0 {
        add(Array(rest))
        break
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Writes as much as the sink accepts now.
  ///
  /// - Parameter limit: the largest write in bytes; nil for no limit.
  /// - Returns: false if the terminal or the program is gone.
  mutating func flush<Port: WindowPort & ~Copyable>(to sink: PortSink, of port: inout Port, limit: Int?) -> Bool {
    while !isEmpty {
      let end = min(waiting.count, sent + (limit ?? waiting.count))
      guard let count = port.write(waiting[sent..<end], to: sink) else { return false }
      if count == 0 { return true }
      sent += count
      // A second write to a blocking descriptor might not return.
      if limit != nil { break }
    }
    if isEmpty { discard() }
    return true
  }

  mutating func discard() {
    waiting = []
    sent = 0
  }
}
