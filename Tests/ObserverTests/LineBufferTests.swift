import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct LineBufferTests {
  private func lines(_ chunks: [String], maximum: Int = 8) -> [LineBuffer.Line] {
    var buffer = LineBuffer(maximum: maximum)
    var lines: [LineBuffer.Line] = []
    for chunk in chunks {
      buffer.append(Array(chunk.utf8))
      while let line = buffer.next() { lines.append(line) }
    }
    return lines
  }

  private func complete(_ text: String) -> LineBuffer.Line { .complete(Array(text.utf8)) }

  @Test func cutsWhereverTheBytesAreCut() {
    let text = "one\ntwo\r\n\nthree\n"
    let expected = [complete("one"), complete("two"), complete(""), complete("three")]
    for size in 1...text.count {
      var rest = Substring(text)
      var chunks: [String] = []
      while !rest.isEmpty {
        chunks.append(String(rest.unicodeScalars.prefix(size)))
        rest = Substring(String(rest.unicodeScalars.dropFirst(size)))
      }
      #expect(lines(chunks) == expected)
    }
  }

  @Test func aLongLineIsReportedOnceAndSkipped() {
    #expect(lines(["12345678\n"]) == [complete("12345678")])
    #expect(lines(["123456789\nok\n"]) == [.tooLong, complete("ok")])
    #expect(lines(["123456", "789", "0123456789", "x\nok\n"]) == [.tooLong, complete("ok")])
    #expect(
      lines(["123456789", "\n", "ok\n123456789a", "b\nok\n"]) == [.tooLong, complete("ok"), .tooLong, complete("ok")])
  }
}
