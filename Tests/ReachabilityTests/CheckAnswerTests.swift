import OverlineCore
import OverlineTestThread
import Testing

private func settings(_ status: Int = 200, _ body: String? = nil) -> CheckSettings {
  CheckSettings(url: CheckURL("http://example.net/")!, expectedStatus: status, expectedBody: body)
}

/// The verdict on an answer that comes in pieces and then ends.
private func verdict(_ answer: String, _ settings: CheckSettings, piece: Int = 1) -> CheckVerdict {
  var judge = CheckAnswer(expecting: settings)
  let bytes = Array(answer.utf8)
  for start in stride(from: 0, to: bytes.count, by: piece) {
    if let verdict = judge.take(Array(bytes[start..<min(start + piece, bytes.count)])) { return verdict }
  }
  return judge.end()
}

@Suite(.ownThread) struct CheckAnswerTests {
  @Test(
    arguments: [1, 7, 10_000],
    [
      ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nsuccess\n", 200, "success", CheckVerdict.reached),
      ("HTTP/2 204 \r\n\r\n", 204, nil, .reached),
      ("HTTP/1.0 200 OK\n\n", 200, nil, .reached),
      ("HTTP/1.1 302 Found\r\nLocation: http://portal/\r\n\r\n", 302, nil, .reached),
      (
        "HTTP/1.1 302 Found\r\nLocation: http://portal/\r\n\r\n", 204, nil,
        .failed(.redirected(302, to: CheckURL("http://portal/")))
      ),
      (
        "HTTP/1.1 307 \r\nA: b\r\nLOCATION:\t/in?a=b \r\n\r\n", 200, nil,
        .failed(.redirected(307, to: CheckURL("http://example.net/in?a=b")))
      ),
      (
        "HTTP/1.1 302 \r\nLocation: //portal:81/\r\n\r\n", 200, nil,
        .failed(.redirected(302, to: CheckURL("http://portal:81/")))
      ),
      // An address that a browser should not get from a message: nothing to show.
      ("HTTP/1.1 302 \r\nLocation: http://a\u{1b}[2J/\r\n\r\n", 200, nil, .failed(.redirected(302, to: nil))),
      ("HTTP/1.1 302 \r\nLocation: javascript:alert(1)\r\n\r\n", 200, nil, .failed(.redirected(302, to: nil))),
      ("HTTP/1.1 302 \r\nLocation: http://me:secret@a/\r\n\r\n", 200, nil, .failed(.redirected(302, to: nil))),
      ("HTTP/1.1 302 \r\nX-Location: http://a/\r\n\r\n", 200, nil, .failed(.redirected(302, to: nil))),
      ("HTTP/1.1 200 OK\r\n\r\n<html>Log in: success", 200, "success", .failed(.body)),
      ("HTTP/1.1 200 OK\r\n\r\nsucces", 200, "success", .failed(.body)),
      ("HTTP/1.1 200 OK\r\n\r\n", 200, "success", .failed(.body)),
      // The status takes precedence: it is more specific.
      ("HTTP/1.1 503 No\r\n\r\nsuccess", 200, "success", .failed(.status(503))),
      // Interim answers come before the answer.
      ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nsuccess", 200, "success", .reached),
      ("HTTP/1.1 100 \r\n\r\n", 200, nil, .failed(.notHTTP)),
      ("", 200, nil, .failed(.notHTTP)), ("SSH-2.0-OpenSSH\r\n\r\n", 200, nil, .failed(.notHTTP)),
      ("HTTP/1.1\r\n\r\n", 200, nil, .failed(.notHTTP)), ("HTTP/1.1 2000 OK\r\n\r\n", 200, nil, .failed(.notHTTP)),
      ("HTTP/1.1 200 OK\r\nA: b\r\n", 200, nil, .failed(.notHTTP)),
    ] as [(String, Int, String?, CheckVerdict)])
  func isJudgedInPiecesOfAnySize(piece: Int, _ answer: (String, Int, String?, CheckVerdict)) {
    #expect(verdict(answer.0, settings(answer.1, answer.2), piece: piece) == answer.3)
  }

  @Test func theHeadIsEnoughWhereAnyTextIsRight() {
    var answer = CheckAnswer(expecting: settings())
    #expect(answer.take(Array("HTTP/1.1 200 OK\r\n\r".utf8)) == nil)
    #expect(answer.take([0x0a]) == .reached)
  }

  @Test func aPageWithoutEndIsReadNoFurtherThanTheExpectedText() {
    var answer = CheckAnswer(expecting: settings(200, "success"))
    #expect(answer.take(Array("HTTP/1.1 200 OK\r\n\r\nsuccess".utf8)) == nil)
    #expect(answer.take([UInt8](repeating: 0x20, count: 1024)) == nil)
    #expect(answer.take([0x20]) == .failed(.body))
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 103 Early\r\n\r\n"])
  func aHeadWithoutEndIsNoHTTP(start: String) {
    var answer = CheckAnswer(expecting: settings())
    var taken = 0
    #expect(answer.take(Array(start.utf8)) == nil)
    while taken < 1_000_000 {
      let filler =
        start.hasSuffix("\r\n\r\n")
        ? start : "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyy" + (start.hasSuffix("\r\n") ? "\r\n" : "")
      taken += filler.utf8.count
      if let verdict = answer.take(Array(filler.utf8)) { return #expect(verdict == .failed(.notHTTP)) }
    }
    Issue.record("a megabyte of it was read")
  }

  @Test(arguments: ["+99", "-12", "2+4", "٢٠٠"])
  func aStatusIsThreeDigits(status: String) {
    var answer = CheckAnswer(expecting: settings())
    #expect(answer.take(Array("HTTP/1.1 \(status) OK\r\n\r\n".utf8)) == .failed(.notHTTP))
  }

  @Test(arguments: [
    ("http://example.net", "example.net"), ("https://example.net:8443/a?b=c#d", "example.net"),
    ("HTTP://192.0.2.1/x", "192.0.2.1"), ("http://[2001:db8::1]:80/", "[2001:db8::1]"), ("http://a/@b", "a"),
  ])
  func urlsKnowTheirHost(text: String, host: String) {
    #expect(CheckURL(text)?.host == host)
  }

  @Test(arguments: [
    "", "example.net", "ftp://example.net/", "file:///etc/passwd", "http://", "http:///x", "https:example.net",
    "http://user:secret@example.net/", "http://a b/", "http://a/\n", "http://é/", "http://a:/", "http://a:0/",
    "http://a:99999/", "http://a:8o/", "http://a:+80/", "http://[::1", "http://[]/", "http://[::1]x/", "-o/tmp/x",
    "http://a\\@b/",
    "http://a/" + String(repeating: "x", count: 2048),
  ])
  func othersAreRefused(text: String) {
    #expect(CheckURL(text) == nil)
  }
}
