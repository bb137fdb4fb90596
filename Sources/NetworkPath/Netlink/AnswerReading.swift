internal import COverlineNetlink

/// The answers to one question, message by message.
struct AnswerReading {
  enum Outcome: Equatable {
    case answered
    /// The kernel's reason, an errno.
    case refused(Int32)
    /// Answers were lost, or the kernel's table changed meanwhile.
    case incomplete
  }

  private let sequence: UInt32
  private(set) var outcome = Outcome.answered
  private(set) var isDone = false

  /// - Parameter sequence: the question's number.
  init(of sequence: UInt32) { self.sequence = sequence }

  /// - Parameter body: reads an answer, and returns true if no other one follows.
  mutating func read(
    _ message: UnsafeMutablePointer<nlmsghdr>, _ body: (UnsafeMutablePointer<nlmsghdr>) -> Bool
  ) {
    let header = unsafe message.pointee
    // The rest of an earlier question's answers.
    if isDone || header.nlmsg_seq != sequence { return }
    if header.nlmsg_flags & UInt16(NLM_F_DUMP_INTR) != 0 { outcome = .incomplete }
    if Int32(header.nlmsg_type) == NLMSG_DONE {
      isDone = true
      if let code = unsafe MessageParser.doneCode(message), code != 0 { outcome = .refused(code) }
    } else if let error = unsafe MessageParser.error(message) {
      isDone = true
      if error.code != 0 { outcome = .refused(error.code) }
    } else {
      isDone = unsafe body(message)
    }
  }

  /// The receive buffer was too small.
  mutating func noteLoss() { outcome = .incomplete }
}

extension NetlinkSocket {
  /// Sends a question and walks its answers up to the end of a dump, or until `body` returns true.
  func ask(
    _ question: consuming Message, _ body: (UnsafeMutablePointer<nlmsghdr>) -> Bool
  ) throws(NetlinkError) -> AnswerReading.Outcome {
    var reading = AnswerReading(of: try send(question))
    while !reading.isDone {
      let received = unsafe try receive { datagram in
        unsafe MessageParser.forEach(in: datagram) { unsafe reading.read($0, body) }
      }
      switch received {
      case .datagram: continue
      case .lost: reading.noteLoss()
      // The kernel answers before the send returns, and makes the next part of a dump while the previous part is read.
      case .nothing: return .incomplete
      }
    }
    return reading.outcome
  }
}
