import Overline
import OverlineTestThread
import Testing

/// Records the items that a parser reads.
private struct Transcript: VTHandler {
  var items: [String] = []

  mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    items.append(String(decoding: range.map { bytes[$0] }, as: UTF8.self))
  }

  mutating func control(_ byte: UInt8, _ range: Range<Int>) { items.append("C\(byte)") }

  mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    let first = intermediate == 0 ? "" : String(UnicodeScalar(intermediate))
    items.append("E\(first)\(UnicodeScalar(final))")
  }

  mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>) {
    var bytes: [UInt8] = []
    sequence.encode(into: &bytes)
    items.append(bytes.isEmpty ? "S?" : "S" + String(decoding: bytes.dropFirst(2), as: UTF8.self))
  }

  mutating func string(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool
  ) {
    let text = String(decoding: range.map { bytes[$0] }.filter { $0 >= 0x20 }, as: UTF8.self)
    items.append("\(isStart ? "<" : "")\(text)\(isEnd ? ">" : "")")
  }
}

@Suite(.ownThread) struct VTParserTests {
  private func items(_ text: String) -> [String] { items(Array(text.utf8)) }

  private func items(_ bytes: [UInt8]) -> [String] {
    var transcript = Transcript()
    var parser = VTParser()
    let end = parser.parse(bytes.span, &transcript)
    return transcript.items + (end < bytes.count ? ["…\(bytes.count - end)"] : [])
  }

  @Test(arguments: [
    ("abc", ["abc"]), ("a\r\nb", ["a", "C13", "C10", "b"]), ("\u{7f}", ["C127"]),
    ("\u{1b}[1;31mx", ["S1;31m", "x"]), ("\u{1b}[?25l", ["S?25l"]), ("\u{1b}[H", ["SH"]),
    ("\u{1b}[;5H", ["S;5H"]), ("\u{1b}[4:3m", ["S4:3m"]), ("\u{1b}[38:2::1:2:3m", ["S38:2::1:2:3m"]),
    ("\u{1b}[!p", ["S!p"]), ("\u{1b}[99999999999;0m", ["S65535;0m"]), ("\u{1b}[1?2h", ["S?"]),
    ("\u{1b}7\u{1b}(0\u{1b}#8", ["E7", "E(0", "E#8"]),
    // A control inside a sequence comes before it; CAN and ESC end one.
    ("\u{1b}[3\n1m", ["C10", "S31m"]), ("\u{1b}[3\u{18}1m", ["C24", "1m"]), ("\u{1b}[3\u{1b}[m", ["Sm"]),
    ("\u{1b}]0;title\u{7}x", ["<]0;title>", "x"]), ("\u{1b}]0;title\u{1b}\\x", ["<]0;title\\>", "x"]),
    ("\u{1b}P1$r\u{1b}[m", ["<P1$r>", "Sm"]), ("\u{1b}]0;\u{18}x", ["<]0;>", "x"]),
    // C1 in UTF-8.
    ("\u{9b}1m\u{84}", ["S1m", "ED"]), ("a\u{9d}8;;\u{9c}b", ["a", "<\u{9d}8;;\u{9c}>", "b"]), ("é\u{a0}", ["é\u{a0}"]),
    // Tails.
    ("a\u{1b}", ["a", "…1"]), ("a\u{1b}[1;", ["a", "…4"]), ("\u{1b}]x", ["<]x"]), ("\u{1b}]x\u{1b}", ["<]x", "…1"]),
  ])
  func items(text: String, expected: [String]) {
    #expect(items(text) == expected)
  }

  @Test func aCutScalarWaits() {
    #expect(items(Array("né".utf8.dropLast())) == ["n", "…1"])
    #expect(items(Array("n😀".utf8.dropLast())) == ["n", "…3"])
    #expect(items([0x6e, 0xe6, 0x97]) == ["n", "…2"])
    // A prefix that no byte can complete is not kept.
    #expect(items([0x6e, 0xe0, 0x80]) == ["n\u{fffd}\u{fffd}"])
    #expect(items([0xff, 0x80]) == ["\u{fffd}\u{fffd}"])
  }

  /// The result does not depend on where a stream is cut.
  @Test func cutsDoNotMatter() {
    let bytes = Array("ab\u{1b}[1;31mé😀\u{1b}]8;;http://x\u{1b}\\日\u{9b}2J\r\n\u{1b}(0q\u{1b}P1;2q~~\u{9c}z".utf8)
    let whole = items(bytes).joined()
    for cut in 0...bytes.count {
      var transcript = Transcript()
      var parser = VTParser()
      let head = Array(bytes[..<cut])
      let end = parser.parse(head.span, &transcript)
      let rest = Array(bytes[end...])
      #expect(parser.parse(rest.span, &transcript) == rest.count)
      #expect(transcript.items.joined() == whole)
    }
  }

  @Test func aSequenceThatDoesNotEndIsGivenUp() {
    var bytes = Array("\u{1b}[".utf8) + [UInt8](repeating: 0x31, count: VTParser.maximumSequenceLength)
    var transcript = Transcript()
    var parser = VTParser()
    #expect(parser.parse(bytes.span, &transcript) == bytes.count)
    #expect(!parser.isGround)
    bytes = Array("111mok".utf8)
    #expect(parser.parse(bytes.span, &transcript) == bytes.count)
    #expect(transcript.items == ["ok"])
  }
}
