import NetworkPath
import Overline
import OverlineTestKit
import OverlineTestThread
import Testing

/// What users' tests see of a window, and do to it.
@Suite(.ownThread) struct SimulatedScreenTests {
  private let network: SimulatedNetwork
  private let screen = SimulatedScreen(rows: 10, columns: 40)
  private let window: TerminalWindow

  init() throws {
    network = try SimulatedNetwork("online 1s, offline 10s, online")
    window = network.window(on: screen)
  }

  @Test func theBannerHasTextAndColours() async throws {
    window.startNetworkMonitoring()
    await network.advance(by: .milliseconds(500))
    #expect(screen.text == Array(repeating: "", count: 10))
    await network.advance(by: .seconds(1))
    #expect(screen.text.last?.hasPrefix(" ⚠ No connection") == true, "\(screen.text)")
    #expect(screen.text.dropLast() == Array(repeating: "", count: 9)[...])
    let cell = screen.cell(row: 10, column: 4)
    #expect(cell.text == "N" && cell.backgroundColor == .systemRed && cell.attributes == .bold)
    #expect(screen.cell(row: 9, column: 4).backgroundColor == nil)
    await network.advance(by: .seconds(20))
    #expect(screen.text == Array(repeating: "", count: 10))
  }

  @Test func aFullScreenWindowHasItsBannerAtTheTop() async throws {
    let screen = SimulatedScreen(rows: 20, columns: 40)
    let window = network.window(on: screen, style: .fullScreen)
    window.presentTopBanner { banner in
      banner.title("Deploying")
      banner.backgroundColor(.red)
      banner.textColor(.white).height(2)
    }
    await network.advance(by: .zero)
    #expect(screen.text[0].contains("Deploying"), "\(screen.text)")
    #expect(
      screen.cell(row: 2, column: 1).backgroundColor == .red, "\((1...3).map { screen.cell(row: $0, column: 1) })")
  }

  @Test func aResizeMovesTheBannerAndTheContent() async throws {
    var rects = window.contentRects.makeAsyncIterator()
    #expect(await rects.next() == TerminalRect(row: 1, column: 1, rows: 10, columns: 40))
    window.presentTopBanner { $0.title("Deploying") }
    await network.advance(by: .zero)
    #expect(await rects.next() == TerminalRect(row: 1, column: 1, rows: 9, columns: 40))
    screen.resize(rows: 12, columns: 30)
    await network.advance(by: .zero)
    #expect(await rects.next() == TerminalRect(row: 1, column: 1, rows: 11, columns: 30))
    #expect(screen.text.count == 12 && screen.text[11].contains("Deploying"))
    window.close()
    #expect(await rects.next() == nil)
  }

  private enum Choice { case overwrite, keep }

  private func ask() async -> AlertAnswer<Choice> {
    await window.alert(
      "Overwrite the file?",
      buttons: [
        AlertButton("Overwrite", role: .destructive, value: Choice.overwrite),
        AlertButton("Keep", role: .cancel, value: .keep),
      ])
  }

  /// The focus is not on the destructive button, and Escape cancels.
  @Test(arguments: [SimulatedScreen.Key.enter, .escape, .digit(2), .digit(1), .left])
  func aKeyAnswersAnAlert(_ key: SimulatedScreen.Key) async throws {
    async let answer = ask()
    try await appeared("[ Keep ]")
    screen.press(.enter)  // too soon: it was meant for the program
    await network.advance(by: .seconds(1))
    #expect(screen.press(key))
    await network.advance(by: .zero)
    if key == .left {
      #expect(screen.press(.enter))
      await network.advance(by: .zero)
    }
    let isDestructive = key == .digit(1) || key == .left
    #expect(await answer == .button(isDestructive ? .overwrite : .keep))
    #expect(!screen.press(key))
    #expect(screen.text == Array(repeating: "", count: 10))
  }

  @Test func anAlertCanBeDismissedCancelledOrImpossible() async throws {
    async let plain = window.alert("Sure?", buttons: ["Yes", "No"])
    try await appeared("Sure?")
    await network.advance(by: .seconds(1))
    screen.press(.escape)
    await network.advance(by: .zero)
    #expect(await plain == .dismissed)
    let task = Task { await window.alert("Really?") }
    try await appeared("Really?")
    task.cancel()
    await network.advance(by: .zero)
    #expect(await task.value == .dismissed)
    screen.resize(rows: 3, columns: 40)
    await network.advance(by: .zero)
    async let low = window.alert("No room?")
    try await network.wait { network.announcements.count == 3 }
    await network.advance(by: .zero)
    #expect(await low == .impossible)
  }

  private func appeared(_ text: String) async throws {
    try await network.wait { screen.text.contains { $0.contains(text) } }
  }
}
