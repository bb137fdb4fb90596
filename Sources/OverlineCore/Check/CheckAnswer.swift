package import Overline

/// The result of one request.
package enum CheckVerdict: Equatable, Sendable {
  /// The answer is as expected.
  case reached
  case failed(CheckFailure)
  /// This machine could not send the request. The result is unknown and does not count as a failure.
  case notAsked
}

/// The reason why an answer is missing or not accepted.
package enum CheckFailure: Equatable, Sendable {
  /// The server redirects to a page; nil if the address of the page is missing or unusable.
  case redirected(Int, to: CheckURL?)
  /// The status differs from the expected one.
  case status(Int)
  /// The status is right, but the text differs.
  case body
  /// The bytes are not HTTP.
  case notHTTP
  /// The answer was not complete in time.
  case late
  /// The host's name has no address.
  case unresolved
  /// No server listens there, or the host does not answer.
  case notConnected
  /// The certificate is not trusted, or there is no TLS.
  case untrusted
  /// The connection ended before the end of the answer.
  case brokenOff

  /// The messages for users: a few words for a banner, and a sentence.
  package func limitation(of settings: CheckSettings) -> Limitation {
    let host = settings.url.host
    return switch self {
    case .redirected(let status, let page): .portal("\(host) answered with a redirect (\(status))", page: page)
    case .status(511): .portal("\(host) answered that the network wants a log-in first (511)")
    case .status(let status):
      Limitation(
        .checkFailed, cause: "\(host) answered \(status)",
        explanation: "\(host) answered with status \(status), not \(settings.expectedStatus)")
    case .body: .portal("\(host) answered with another text than expected")
    case .untrusted: .portal("no answer from \(host) that can be trusted (TLS failed)")
    case .notHTTP: .noAnswer(host, "its answer is not HTTP")
    case .late: .noAnswer(host, "not in time")
    case .unresolved: .noAnswer(host, "its name has no address")
    case .notConnected: .noAnswer(host, "it accepts no connection")
    case .brokenOff: .noAnswer(host, "the connection was broken off")
    }
  }
}

extension Limitation {
  fileprivate static func portal(_ explanation: String, page: CheckURL? = nil) -> Limitation {
    guard let page else { return Limitation(.captivePortal, cause: "captive portal?", explanation: explanation) }
    return Limitation(
      .captivePortal, cause: "Log in: \(page)", explanation: "log in: \(page) (\(explanation))", portal: page.text)
  }

  fileprivate static func noAnswer(_ host: String, _ why: String) -> Limitation {
    Limitation(.checkFailed, cause: "no answer from \(host)", explanation: "no answer from \(host) (\(why))")
  }
}

/// Judges an answer while it arrives: HTTP heads and body, as on the wire. Returns a verdict as soon as no further byte can change it, so
/// that an endless page costs nothing.
package struct CheckAnswer: Sendable {
  private var bytes: [UInt8] = []
  private let settings: CheckSettings

  /// The limit for all heads together. An answer's head is some hundred bytes; servers refuse requests with a head of more than 8 KiB.
  private static let maximumHeadLength = 16 * 1024
  /// The limit for white space before and after an expected text.
  private static let maximumSpaceCount = 1024

  package init(expecting settings: CheckSettings) {
    self.settings = settings
  }

  /// Adds bytes. Returns the verdict, or nil while more bytes are needed.
  package mutating func take(_ new: [UInt8]) -> CheckVerdict? {
    bytes += new
    return verdict(isComplete: false)
  }

  /// Call this when the answer has ended normally.
  package func end() -> CheckVerdict { verdict(isComplete: true) ?? .failed(.notHTTP) }

  private func verdict(isComplete: Bool) -> CheckVerdict? {
    var rest = bytes[...]
    while true {
      guard isHTTP(rest) else { return .failed(.notHTTP) }
      guard let (status, location, body) = head(rest) else {
        return bytes.count > Self.maximumHeadLength ? .failed(.notHTTP) : nil
      }
      guard let status else { return .failed(.notHTTP) }
      rest = body
      // Interim answers come before the answer (RFC 9110, section 15.2).
      if (100...199).contains(status) {
        if rest.startIndex > Self.maximumHeadLength { return .failed(.notHTTP) }
        continue
      }
      if status != settings.expectedStatus {
        return .failed((300...399).contains(status) ? .redirected(status, to: location) : .status(status))
      }
      return judge(rest, isComplete: isComplete)
    }
  }

  private func judge(_ body: ArraySlice<UInt8>, isComplete: Bool) -> CheckVerdict? {
    guard let expected = settings.expectedBody else { return .reached }
    let wanted = Array(expected.utf8)
    if isComplete { return trimmed(body).elementsEqual(trimmed(wanted[...])) ? .reached : .failed(.body) }
    return body.count > wanted.count + Self.maximumSpaceCount ? .failed(.body) : nil
  }

  /// Whether these bytes match the start of a status line.
  private func isHTTP(_ bytes: ArraySlice<UInt8>) -> Bool { zip(bytes, "HTTP/".utf8).allSatisfy { $0 == $1 } }

  /// The status of the first head (nil if the head has no status), the page of its `Location` field, and the bytes after the head. Nil
  /// while the head is incomplete.
  private func head(_ bytes: ArraySlice<UInt8>) -> (status: Int?, location: CheckURL?, rest: ArraySlice<UInt8>)? {
    var lineStart = bytes.startIndex
    var status: Int?
    var location: CheckURL?
    while let end = bytes[lineStart...].firstIndex(of: 0x0a) {
      var line = bytes[lineStart..<end]
      if line.last == 0x0d { line = line.dropLast() }
      if lineStart == bytes.startIndex { status = self.status(line) } else { location = location ?? page(line) }
      lineStart = bytes.index(after: end)
      if line.isEmpty { return (status, location, bytes[lineStart...]) }
      if lineStart - bytes.startIndex > Self.maximumHeadLength { return nil }
    }
    return nil
  }

  /// The page of a line such as `Location: http://192.0.2.1/login`. A path belongs to the server that was asked (RFC 9110, section 10.2.2).
  private func page(_ line: ArraySlice<UInt8>) -> CheckURL? {
    let name = Array("location:".utf8)
    guard line.count > name.count, zip(line, name).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
    let value = String(decoding: trimmed(line.dropFirst(name.count)), as: UTF8.self)
    return CheckURL(value) ?? (value.hasPrefix("/") ? settings.url.resolving(value) : nil)
  }

  /// `HTTP/1.1 204 No Content`, `HTTP/2 204`
  private func status(_ line: ArraySlice<UInt8>) -> Int? {
    let words = line.split(separator: 0x20)
    // Digits only: Swift's parser also accepts a sign.
    guard words.count > 1, words[1].count == 3, words[1].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: words[1], as: UTF8.self))
  }

  private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text = text.dropLast() }
    return text
  }
}
