extension CheckVerdict {
  /// The verdict for curl's exit code (curl(1), EXIT CODES); nil if curl could not send the request.
  ///
  /// - Parameters:
  ///   - status: the exit code, or the shell's 127 for a program that could not be run.
  ///   - answer: the verdict on the answer that was read.
  ///   - hasAnswered: whether a byte of an answer has arrived.
  package init?(curlExit status: Int32, answer: @autoclosure () -> CheckVerdict, hasAnswered: @autoclosure () -> Bool) {
    switch status {
    case 0: self = answer()
    case 6: self = .failed(.unresolved)
    case 7: self = .failed(.notConnected)
    case 8: self = .failed(.notHTTP)
    case 28: self = .failed(.late)
    case 35, 51, 60: self = .failed(.untrusted)
    // 127: curl exists but could not be run. 2 and 4: curl does not support the request, and 1 its protocol. 3: curl rejects the URL. 27:
    // out of memory. The others: curl cannot read its certificates. But curl also ends with 1 after an answer of another protocol, and with
    // 27 after one with too long a line. So after the first byte of an answer each of them is about the answer.
    case 1, 2, 3, 4, 27, 58, 59, 66, 77, 127:
      guard hasAnswered() else { return nil }
      self = .failed(.notHTTP)
    default: self = .failed(.brokenOff)
    }
  }
}
