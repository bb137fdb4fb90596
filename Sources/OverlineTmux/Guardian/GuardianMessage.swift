/// What a monitor tells its guardian. On the pipe each is a sign, a path and a zero, which no path contains.
enum GuardianMessage: Hashable, Sendable {
  /// A banner's line is about to be reserved in the server at this socket.
  case watch(String)
  /// It has been given back.
  case release(String)
  /// The monitor is ending, and what it does not give back itself does not answer: be brief.
  case hurry
  /// All is well: end without restoring anything.
  case farewell

  var bytes: [UInt8] {
    switch self {
    case .watch(let socket): Array("+\(socket)\0".utf8)
    case .release(let socket): Array("-\(socket)\0".utf8)
    case .hurry: Array("!\0".utf8)
    case .farewell: Array(".\0".utf8)
    }
  }

  /// Takes the complete messages off the front of what was read so far.
  static func take(from bytes: inout [UInt8]) -> [GuardianMessage] {
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
