import Overline
import Testing

/// What a program asks of the terminal while a banner stands there.
@Suite struct QueryTests {
  private func queries(_ stream: String) -> [TerminalQuery] {
    let window = Window(rows: 12, columns: 20)
    window.show(2)
    window.write(stream)
    return window.rewriter.takeQueries()
  }

  @Test func whatIsAnsweredInRowsIsExpected() {
    #expect(queries("\u{1b}[6n") == [.cursorPosition(offset: 2)])
    #expect(
      queries("\u{1b}[?6n\u{1b}[18t\u{1b}[14t") == [
        .extendedCursorPosition(offset: 2), .textAreaSize(offset: 2), .textAreaPixels(offset: 2),
      ])
    // What could be a picture lifts the banner.
    #expect(queries("\u{1b}P$qr\u{1b}\\") == [.margins(offset: 0)])
    // The window is as high as it is.
    #expect(queries("\u{1b}P$q*|\u{1b}\\\u{1b}P$qt\u{1b}\\") == [.rowCount(offset: 2), .rowCount(offset: 2)])
  }

  /// Under origin mode the report counts from the margins, and amid a scroll the banner is away.
  @Test func theOffsetIsTheOneThatAppliesThen() {
    #expect(queries("\u{1b}[?6h\u{1b}[6n") == [.cursorPosition(offset: 0)])
    #expect(queries("\u{1b}[2J\u{1b}[6n") == [.cursorPosition(offset: 0)])
  }

  /// Only what is answered as the window's own question is may stand between its answers: the others have other forms, and one that
  /// is expected for ever would take the window's answer for the program's.
  @Test func onlyPrimaryDeviceAttributesAreExpected() {
    #expect(queries("\u{1b}[c\u{1b}Z\u{1b}[0c") == [.deviceAttributes, .deviceAttributes, .deviceAttributes])
    #expect(queries("\u{1b}[>c\u{1b}[=c\u{1b}[>0q\u{1b}[1c\u{1b}[5n").isEmpty)
  }
}
