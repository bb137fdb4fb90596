internal import COverlineNetlink

/// The result of reading from a netlink socket once.
package enum NetlinkReceipt {
  /// A datagram was read. `body` got it if the kernel had sent it.
  case datagram
  case nothing
  /// `ENOBUFS`, or a datagram that did not fit: messages were lost.
  case lost
}

/// Answers in place of the kernel.
package protocol KernelStandIn: AnyObject {
  /// Takes a question; returns the sequence number of its answers.
  func ask(_ message: [UInt8]) -> UInt32

  /// Hands over the next datagram, if there is one.
  func receive(_ body: ([UInt8]) -> Void) throws(NetlinkError) -> NetlinkReceipt
}

/// A channel for messages to and from the kernel: a socket, or a stand-in. A recorder can record the messages.
struct NetlinkChannel: ~Copyable {
  private enum Source: ~Copyable {
    case kernel(NetlinkSocket)
    case standIn(any KernelStandIn)
  }

  private let source: Source
  var recorder: (any PathRecorder)?

  init(_ socket: consuming NetlinkSocket) { source = .kernel(socket) }
  init(_ standIn: any KernelStandIn) { source = .standIn(standIn) }

  /// For polling and socket options; -1 for a stand-in.
  var descriptor: Int32 {
    switch source {
    case .kernel(let socket): socket.descriptor
    case .standIn: -1
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
    case .standIn(let standIn): return standIn.ask(message.bytes)
    }
  }

  /// Reads and discards one datagram without waiting. No decision uses it, so only an error is recorded.
  func discard() throws(NetlinkError) -> NetlinkReceipt {
    do throws(NetlinkError) {
      switch source {
      case .kernel(let socket): return unsafe try socket.receive { _ in }
      case .standIn(let standIn): return try standIn.receive { _ in }
      }
    } catch {
      recorder?.note(.failed(errno: error.code))
      throw error
    }
  }

  /// Reads one datagram without waiting, and walks its messages.
  func receive(_ body: (UnsafeMutablePointer<nlmsghdr>) -> Void) throws(NetlinkError) -> NetlinkReceipt {
    switch source {
    case .kernel(let socket):
      let received = Result { () throws(NetlinkError) in
        unsafe try socket.receive { datagram in
          if let recorder { recorder.note(.got(unsafe Array(datagram))) }
          unsafe MessageParser.forEach(in: datagram, body)
        }
      }
      switch received {
      case .success(.lost): recorder?.note(.lost)
      case .success(.datagram), .success(.nothing): break
      case .failure(let error): recorder?.note(.failed(errno: error.code))
      }
      return try received.get()
    case .standIn(let standIn):
      return try standIn.receive { datagram in
        unsafe datagram.withUnsafeBytes { unsafe MessageParser.forEach(in: $0, body) }
      }
    }
  }
}
