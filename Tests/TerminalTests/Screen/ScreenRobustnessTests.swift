import Overline
import OverlineTestThread
import Testing

/// No input causes a failure or unbounded growth.
@Suite(.ownThread) struct ScreenRobustnessTests {
  @Test(arguments: [(0, 0), (1, 1), (-5, 3), (2, 1), (1, 2), (.max, .max), (4096, 4096)])
  func anySize(rows: Int, columns: Int) {
    var screen = Screen(rows: rows, columns: columns, isKnown: true)
    expect(screen.rows >= 1 && screen.columns >= 1 && screen.rows * screen.columns <= 1 << 20)
    screen.write(
      "a日e\u{301}\r\n\t\u{1b}[2;2H\u{1b}[Jx\u{1b}[5@\u{1b}[5P\u{1b}[L\u{1b}[M\u{1b}[S\u{1b}[T\u{1b}[9'}\u{1b}[?1049hy")
    screen.resize(columns: .max)
    screen.resize(columns: 0)
    screen.removeRows(top: .max)
    screen.appendBlankRows(.max)
    screen.removeRows(bottom: .max)
    screen.place(cursorRow: .max, column: .min)
    expect(screen.rows == 1 && screen.columns == 1)
  }

  /// Every final byte, with numbers beyond all bounds, with and without prefixes and intermediate bytes.
  @Test(arguments: ["", "?", ">", "<", "="], ["", " ", "!", "\"", "$", "'", "*"])
  func hugeNumbers(prefix: String, intermediate: String) {
    var screen = Screen(rows: 5, columns: 7, isKnown: true)
    for numbers in [
      "999999999", "65535;65535;65535;65535;65535;65535;65535", "0;0;0;0", ";;;;;;;", ":::", "88;9;9;1;1",
    ] {
      for final in 0x40...0x7e as ClosedRange<UInt8> {
        screen.write("x日\u{1b}[\(prefix)\(numbers)\(intermediate)\(UnicodeScalar(final))y")
      }
    }
    expect((0..<5).contains(screen.cursor.row) && (0..<7).contains(screen.cursor.column))
  }

  @Test func randomBytes() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var screen = Screen(rows: 6, columns: 11)
      let bytes = (0..<4000).map { _ -> UInt8 in
        let byte = UInt8.random(in: 0...255, using: &random)
        return byte % 7 == 0 ? [0x1b, 0x5b, 0x3b, 0x0a, 0xc2, 0x9b, 0x30][Int(byte / 7) % 7] : byte
      }
      screen.write(bytes)
      expect((0..<6).contains(screen.cursor.row) && (0..<11).contains(screen.cursor.column))
    }
  }

  /// One endless string in each form: skipped as it comes.
  @Test(arguments: ["\u{1b}]8;;", "\u{1b}P1;1q", "\u{1b}_Ga=T;", "\u{1b}X", "\u{1b}[1;", "\u{1b}("])
  func anEndlessString(start: String) {
    var screen = Screen(rows: 4, columns: 10, isKnown: true)
    screen.write(start)
    let piece = [UInt8](repeating: start == "\u{1b}(" ? 0x20 : 0x31, count: 1 << 16)
    for _ in 0..<64 { screen.write(piece) }
    screen.write("\u{1b}\\\u{1b}[H\u{1b}[2Jok")
    expect(screen.lines[0] == "ok")
  }

  /// More links, underline colours and marks than the tables hold: visible cells stay right.
  @Test func manyRareStyles() {
    var screen = Screen(rows: 4, columns: 10, isKnown: true)
    for number in 0..<100_000 {
      screen.write(
        "\u{1b}]8;;http://\(number)\u{7}\u{1b}[58:2::\(number & 255):\(number >> 8 & 255):\(number >> 16)me\u{301}\u{302}"
      )
    }
    let cell = screen.cell(row: screen.cursor.row, column: screen.cursor.column)
    expect(screen.cursor.isWrapPending && cell.text == "e\u{301}\u{302}")
    expect(cell.link?.target == Array("http://99999".utf8))
    expect(cell.style.underlineColor == .rgb(159, 134, 1))
  }

  /// Invisible links make room, however few and however long the links are.
  @Test func manyLongLinks() {
    var screen = Screen(rows: 4, columns: 10, isKnown: true)
    for number in 0..<2000 {
      screen.write("\u{1b}]8;;http://\(number)/\(String(repeating: "x", count: 4000))\u{7}e")
      let cell = screen.cell(row: screen.cursor.row, column: screen.cursor.isWrapPending ? 9 : screen.cursor.column - 1)
      guard cell.link?.target.starts(with: "http://\(number)/".utf8) == true else {
        Issue.record("link \(number) is lost")
        return
      }
    }
  }

  @Test func manyMarks() {
    var screen = Screen(rows: 1, columns: 10, isKnown: true)
    screen.write("e" + String(repeating: "\u{301}", count: 100_000) + "x")
    expect(screen.lines == ["e" + String(repeating: "\u{301}", count: 15) + "x"])
  }
}
