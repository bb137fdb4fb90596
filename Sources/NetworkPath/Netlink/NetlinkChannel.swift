internal import COverlineNetlink

/// A channel for messages to and from the kernel: a socket, or a transcript in its place. A recorder can record the messages.
struct NetlinkChannel: ~Copyable {
  private enum Source: ~Copyable {
    case kernel(NetlinkSocket)
    case transcript(TranscriptPlayer)
  }

  private let source: Source
  var recorder: TranscriptRecorder?

  init(_ socket: consuming NetlinkSocket) { source = .kernel(socket) }
  init(_ player: TranscriptPlayer) { source = .transcript(player) }

  /// For polling and socket options; -1 for a transcript.
  var descriptor: Int32 {
    switch source {
    case .kernel(let socket): socket.descriptor
    case .transcript: -1
    }
  }

  /// Sends a message that libnl built; returns its sequence number.
  func send(_ message: borrowing Message) throws(NetlinkError) -> UInt32 {
    switch source {
    case .kernel(let socket):
      switch Result(catching: { () throws(NetlinkError) in try socket.send(message) }) {
      case .success(let sequence):
        // Sending has filled in the open fields.
        recorder?.note(.asked(message.bytes))
        return sequence
      case .failure(let error):
        recorder?.note(.asked(message.bytes))
        recorder?.note(.failed(errno: error.code))
        throw error
      }
    case .transcript(let player): return player.ask(message.bytes)
    }
  }

  /// Reads and discards one datagram without waiting. No decision uses it, so it is not recorded.
  func discard() throws(NetlinkError) -> NetlinkSocket.Received {
    switch source {
    case .kernel(let socket): unsafe try socket.receive { _ in }
    case .transcript(let player): try player.receive { _ in }
    }
  }

  /// Reads one datagram without waiting, and walks its messages.
  func receive(_ body: (UnsafeMutablePointer<nlmsghdr>) -> Void) throws(NetlinkError) -> NetlinkSocket.Received {
    switch source {
    case .kernel(let socket):
      let received = Result { () throws(NetlinkError) in
        unsafe try socket.receive { datagram in
          if let recorder { recorder.note(.got(RecordedMessages.kept(of: unsafe Array(datagram)))) }
          unsafe MessageParser.forEach(in: datagram, body)
        }
      }
      switch received {
      case .success(.lost): recorder?.note(.lost)
      case .success(.datagram), .success(.nothing): break
      case .failure(let error): recorder?.note(.failed(errno: error.code))
      }
      return try received.get()
    case .transcript(let player):
      return try player.receive { datagram in
        unsafe datagram.withUnsafeBytes { unsafe MessageParser.forEach(in: $0, body) }
      }
    }
  }
}
