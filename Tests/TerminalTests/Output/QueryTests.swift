import Overline
import OverlineTestThread
import Testing

/// A program's requests to the terminal while a banner shows.
@Suite(.ownThread) struct QueryTests {
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
    // A possible picture lifts the banner.
    #expect(queries("\u{1b}P$qr\u{1b}\\") == [.margins(offset: 0)])
    // The window reports its own height.
    #expect(queries("\u{1b}P$q*|\u{1b}\\\u{1b}P$qt\u{1b}\\") == [.rowCount(offset: 2), .rowCount(offset: 2)])
  }

  /// Under origin mode the report counts from the margins, and during a scroll the banner is lifted.
  @Test func theOffsetIsTheOneThatAppliesThen() {
    #expect(queries("\u{1b}[?6h\u{1b}[6n") == [.cursorPosition(offset: 0)])
    #expect(queries("\u{1b}[2J\u{1b}[6n") == [.cursorPosition(offset: 0)])
  }

  /// Only requests that are answered in the form of the window's own are stored. Other answers have other forms, and a request that is
  /// stored forever would claim the window's answer for the program.
  @Test func onlyPrimaryDeviceAttributesAreExpected() {
    #expect(queries("\u{1b}[c\u{1b}Z\u{1b}[0c") == [.deviceAttributes, .deviceAttributes, .deviceAttributes])
    #expect(queries("\u{1b}[>c\u{1b}[=c\u{1b}[>0q\u{1b}[1c\u{1b}[5n").isEmpty)
  }
}
