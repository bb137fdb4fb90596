@testable import Overline
import OverlineTestThread
import Testing

/// Only output that may scroll waits until the terminal has reported its cursor.
@Suite(.ownThread) struct ScrollForecastTests {
  private func forecast(
    _ text: String, allowsColumnChange: Bool = false, isPrimaryMoved: Bool = false
  ) -> ScrollForecast {
    var forecast = ScrollForecast(
      row: 0, column: 0, columns: 10, bottom: 4, allowsColumnChange: allowsColumnChange, isPrimaryMoved: isPrimaryMoved)
    var parser = VTParser()
    _ = parser.parse(Array(text.utf8).span, &forecast)
    return forecast
  }

  private func mayScroll(_ text: String) -> Bool { forecast(text).mayScroll }

  /// Only mode 1049 restores the primary screen's cursor.
  @Test func theReturnToAMovedPrimaryScreenIsFound() {
    #expect(forecast("ab\u{1b}[?1049l$ ", isPrimaryMoved: true).pauseOffset == 10)
    #expect(forecast("ab\u{1b}[?1049l$ ").pauseOffset == nil)
    for other in ["\u{1b}[?1049h", "\u{1b}[?47l", "\u{1b}[?1047l"] {
      #expect(forecast(other, isPrimaryMoved: true).pauseOffset == nil)
    }
  }

  @Test func theFirstColumnChangeIsFound() {
    #expect(forecast("ab\u{1b}[?3hcd\u{1b}[?3l", allowsColumnChange: true).pauseOffset == 7)
    #expect(forecast("\u{1b}[?40h\u{1b}[?3l", allowsColumnChange: false).pauseOffset == 11)
    #expect(forecast("\u{1b}[?3h").pauseOffset == nil)
    #expect(forecast("\u{1b}[?40l\u{1b}[?3h", allowsColumnChange: true).pauseOffset == nil)
    #expect(forecast("\u{1b}[?33h\u{1b}[3h", allowsColumnChange: true).pauseOffset == nil)
  }

  @Test(
    arguments: [
      "\n\n\n\n", "0123456789", "\u{1b}[5;1Hlast row\u{1b}[K\u{1b}[1;1Hfirst", "\u{1b}[31mred\u{1b}[m",
      String(repeating: "\u{1b}[2;3Hagain\u{1b}[K", count: 1000), String(repeating: "bar\r", count: 1000),
      String(repeating: "\u{1b}[99C\u{1b}[1A", count: 100), "\u{1b}[?25l\u{1b}[?2026h", "\u{1b}]0;title\u{7}",
      "\u{1b}[5;10H.", "\u{1b}[5;1H\t.",
    ])
  func outputAtPositionsDoesNot(_ text: String) { #expect(!mayScroll(text)) }

  @Test(
    arguments: [
      "\n\n\n\n\n", String(repeating: "0123456789", count: 5) + "0", "\u{1b}[5;1H\n", "\u{1b}[5;1H0123456789.",
      "\u{1b}[99;1H\n", "\u{1b}[2S", "\u{1b}[3B\u{1b}[2B\n", "\u{1b}8", "\u{1b}[5H\u{1b}D", "\u{1b}[1;3r", "\u{1b}[2J",
      "\u{1b}[?1049h", "\u{1b}Pq#0!9~\u{1b}\\", "\u{1b}[M", "\u{1b}[5;1Ha\u{1b}[20b",
    ])
  func outputThatMayScrollIsDetected(_ text: String) { #expect(mayScroll(text)) }
}
