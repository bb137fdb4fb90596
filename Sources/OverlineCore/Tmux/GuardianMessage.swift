/// A message from a monitor to its guardian. On the pipe it is a sign, a path and a zero byte. No path contains a zero byte.
package enum GuardianMessage: Equatable, Sendable {
  /// A banner's line is about to be reserved in the server at this socket.
  case watch(String)
  /// The line has been given back.
  case release(String)
  /// The monitor is ending. The servers that it could not restore do not answer, so the guardian waits only briefly.
  case hurry
  /// The monitor restored everything: end without restoring anything.
  case farewell

  package var bytes: [UInt8] {
    switch self {
    case .watch(let socket): Array("+\(socket)\0".utf8)
    case .release(let socket): Array("-\(socket)\0".utf8)
    case .hurry: Array("!\0".utf8)
    case .farewell: Array(".\0".utf8)
    }
  }

  /// Removes the complete messages from the front of `bytes` and returns them.
  package static func parse(from bytes: inout [UInt8]) -> [GuardianMessage] {
    guard let end = bytes.lastIndex(of: 0) else { return [] }
    let messages = bytes[..<end].split(separator: 0).compactMap { message -> GuardianMessage? in
      let socket = String(decoding: message.dropFirst(), as: UTF8.self)
      switch message.first {
      case UInt8(ascii: "+"): return .watch(socket)
      case UInt8(ascii: "-"): return .release(socket)
      case UInt8(ascii: "!"): return .hurry
      case UInt8(ascii: "."): return .farewell
      default: return nil
      }
    }
    bytes.removeSubrange(...end)
    return messages
  }
}
