import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A program that prints lines, and a banner below them.
@Suite(.ownThread) struct InlineTests {
  @Test func linesScrollAboveTheBannerAndNoneIsLost() throws {
    let scene = try ProgramScene()
    try scene.tell("lines 25", "present Deploying")
    try scene.wait(forLast: "Deploying")
    try scene.tell("print more", "lines 30", "print end of lines")
    try scene.wait("the end above the banner") { $0.text[7] == "end of lines" && $0.text[9].contains("Deploying") }
    let expected =
      (1...25).map { "line \($0)" } + ["more"] + (1...30).map { "line \($0)" } + ["end of lines"]
    let scrollback = scene.scene.scrollback
    #expect(scrollback + scene.scene.text.prefix(8) == expected)
    try scene.tell("dismiss")
    try scene.scene.waitUntilGone("Deploying")
    #expect(scene.scene.lines == expected)
    // With the next lines the screen is as if there had never been a banner.
    try scene.tell("lines 5", "exit 0")
    #expect(try scene.scene.end() == 0)
    #expect(scene.scene.lines == expected + (1...5).map { "line \($0)" })
    #expect(scene.scene.look(\.cursor) == .init(row: 9, column: 0))
  }

  @Test func aBannerOverAScreenThatIsNotFullTakesNothingFromIt() throws {
    let scene = try ProgramScene()
    try scene.tell("print first", "part half a ", "flush", "present Deploying")
    try scene.wait(forLast: "Deploying")
    try scene.tell("part line", "flush")
    try scene.wait(for: "half a line")
    #expect(scene.scene.text.prefix(2) == ["first", "half a line"])
    #expect(scene.scene.look(\.cursor) == .init(row: 1, column: 11))
    try scene.tell("dismiss")
    try scene.scene.waitUntilGone("Deploying")
    #expect(scene.scene.text == ["first", "half a line"] + Array(repeating: "", count: 8))
    #expect(scene.scene.look(\.cursor) == .init(row: 1, column: 11))
    #expect(scene.scene.scrollback == [])
  }

  @Test func colorsOfTheProgramAreItsOwn() throws {
    let scene = try ProgramScene()
    try scene.tell("part \u{1b}[1;33mbold ", "flush", "present Deploying")
    try scene.wait(forLast: "Deploying")
    try scene.tell("print and yellow")
    try scene.wait(for: "bold and yellow")
    let cells = scene.scene.look { $0.cells(inRow: 0) }
    #expect(cells.prefix(15).allSatisfy { $0.isBold && $0.foreground == .indexed(3) && $0.background == .standard })
  }

  @Test func theNetworksBannerComesAndGoes() throws {
    let scene = try ProgramScene()
    try scene.tell("monitor", "print working", "presented")
    try scene.wait("not presented") { $0.text.contains("presented: false") }
    try scene.world.pullTheCable()
    try scene.wait(forLast: "No connection · eth0 has no carrier")
    try scene.tell("presented")
    try scene.wait(for: "presented: true")
    try scene.world.plugTheCable()
    try scene.wait("an empty row again") { $0.text[9].isEmpty }
    #expect(scene.scene.text.prefix(3) == ["working", "presented: false", "presented: true"])
  }

  @Test func aProgramThatStartsOfflineShowsItAtOnceAndOtherBannersWait() throws {
    let scene = try ProgramScene()
    try scene.world.pullTheCable()
    try scene.tell("present Deploying", "monitor")
    try scene.wait(forLast: "No connection")
    try scene.tell("again")
    try scene.settle("still")
    #expect(scene.scene.text[9].contains("No connection"))
    try scene.world.plugTheCable()
    try scene.wait(forLast: "Deploying")
  }

  @Test func anotherSizeLaysOutAnew() throws {
    let scene = try ProgramScene()
    try scene.tell("lines 20", "present Deploying")
    try scene.wait(forLast: "line 20", "", "Deploying")
    for (rows, columns) in [(14, 60), (6, 30), (8, 90), (7, 60)] {
      scene.scene.resize(rows: rows, columns: columns)
      try scene.wait("one banner in the last of \(rows) rows") {
        $0.text.filter { $0.contains("Deploying") } == $0.text.suffix(1).filter { $0.contains("Deploying") }
          && $0.text.last!.contains("Deploying")
      }
      try scene.settle("after \(rows)")
    }
    // Too low for a banner, and high enough again.
    scene.scene.resize(rows: 4, columns: 60)
    try scene.scene.waitUntilGone("Deploying")
    try scene.settle("low")
    scene.scene.resize(rows: 12, columns: 60)
    try scene.wait(forLast: "Deploying")
    try scene.settle("high")
    let after = [14, 6, 8, 7].map { "after \($0)" }
    #expect(
      scene.scene.lines.filter { !$0.isEmpty && !$0.contains("Deploying") }
        == (1...20).map { "line \($0)" } + after + ["low", "high"])
  }

  @Test func aToastTakesARowAboveTheBannerAndGoesByItself() throws {
    let scene = try ProgramScene()
    try scene.tell("lines 12", "present Deploying", "insets", "toast Saved")
    try scene.wait(forLast: "inset: 0 2", "", "✓ Saved · with a message", "Deploying")
    try scene.tell("toasted")
    try scene.wait("toasted, above both") { $0.text[6] == "toasted: true" }
    try scene.wait("gone by itself") { $0.text.contains("gone") && $0.text[9].contains("Deploying") }
    try scene.tell("toasted", "rows own content")
    try scene.wait(forLast: "", "first", "second", "Deploying")
    #expect(scene.scene.text.contains("toasted: false"))
    try scene.tell("untoast")
    try scene.scene.waitUntilGone("second")
    try scene.tell("exit 0")
    #expect(try scene.scene.end() == 0)
    let lines = scene.scene.lines.filter { !$0.hasPrefix("inset") }
    #expect(
      lines.filter { !$0.isEmpty }
        == (1...12).map { "line \($0)" } + ["toasted: true", "gone", "toasted: false"])
  }

  @Test func aHighBannerAndItsInset() throws {
    let scene = try ProgramScene(rows: 20)
    try scene.tell("insets")
    try scene.wait(for: "inset: 0 0")
    try scene.tell("high Deploying")
    try scene.wait("the banner's middle row") { $0.text[18].contains("Deploying") }
    try scene.wait(for: "inset: 0 3")
    let rows = scene.scene.look { $0.cells.suffix(4).map { $0[0].background } }
    #expect(rows.map { $0 == .standard } == [true, false, false, false])
    try scene.tell("rect", "dismiss")
    try scene.wait(for: "rect: TerminalRect(row: 1, column: 1, rows: 17, columns: 60)")
    try scene.wait("no inset again") { $0.text.count { $0 == "inset: 0 0" } == 2 }
  }

  /// The program has no handler of SIGWINCH, and no banner shows.
  @Test func theContentFollowsTheTerminalsSize() throws {
    let scene = try ProgramScene(rows: 20)
    try scene.tell("rects")
    try scene.wait(for: "content: 20 60")
    scene.scene.resize(rows: 24, columns: 50)
    try scene.wait(for: "content: 24 50")
    try scene.tell("present Deploying")
    try scene.wait(for: "content: 23 50")
    scene.scene.resize(rows: 5, columns: 50)
    try scene.wait(for: "content: 4 50")
    try scene.tell("dismiss")
    try scene.wait(for: "content: 5 50")
  }

  @Test func aHardSyncSendsTheInsetAgain() throws {
    let scene = try ProgramScene(rows: 20)
    try scene.tell("insets", "high Deploying")
    try scene.wait(for: "inset: 0 3")
    try scene.tell("sync")
    try scene.wait("the inset again") { $0.text.count { $0 == "inset: 0 3" } == 2 }
  }

  /// Another writer's output, which the window cannot see, may erase the banner.
  @Test(arguments: ["inline", "full-screen"])
  func aBannerThatTheProgramErasesComesBack(_ style: String) throws {
    let scene = try ProgramScene(style)
    let place = style == "inline" ? 9 : 0
    try scene.tell("present Deploying")
    try scene.wait("the banner") { $0.text[place].contains("Deploying") }
    for number in 1...3 {
      try scene.tell("part \u{1b}[2J\u{1b}[5Hcleared \(number)", "flush")
      try scene.wait("both") { $0.text[4] == "cleared \(number)" && $0.text[place].contains("Deploying") }
    }
    // After the output the window writes nothing more.
    #expect(
      eventually {
        let count = scene.scene.output.count
        return !eventually(within: .milliseconds(700)) { scene.scene.output.count != count }
      })
  }

  /// A frame is 1/30 s. The window looks at the size four times a second, which would be too late.
  @Test func anErasedBannerIsBackAFrameLater() throws {
    let scene = try ProgramScene()
    try scene.tell("present Deploying")
    try scene.wait(forLast: "Deploying")
    var times: [Duration] = []
    for number in 1...9 {
      try scene.tell("part \u{1b}[2J\u{1b}[5Hcleared \(number)", "flush")
      try scene.wait("the cleared screen") { $0.text[4] == "cleared \(number)" }
      let start = ContinuousClock.now
      try scene.wait("the banner") { $0.text[9].contains("Deploying") }
      times.append(ContinuousClock.now - start)
    }
    // A busy machine may delay some of them.
    #expect(times.sorted()[4] < .milliseconds(Sanitizer.isWatching ? 600 : 100), "\(times)")
  }

  /// The window looks at the size four times a second while a banner shows, and not otherwise.
  @Test func withoutABannerTheProcessSleeps() throws {
    let scene = try ProgramScene()
    let figures = ProcessFigures(pid: scene.scene.pid)
    // The thread sanitizer's own thread never sleeps for long.
    func sleeps() throws -> Bool {
      let before = try figures.wakeUpsByThread()
      return try !eventually(within: .milliseconds(700)) {
        try figures.wakeUpsByThread().count { before[$0.key] != $0.value } > Sanitizer.threads
      }
    }
    try scene.tell("present Deploying")
    try scene.wait(forLast: "Deploying")
    #expect(try !sleeps())
    try scene.tell("dismiss")
    try scene.scene.waitUntilGone("Deploying")
    #expect(try eventually { try sleeps() })
  }

  @Test func twoWindowsOnOneTerminalDoNotEraseEachOther() throws {
    let scene = try ProgramScene()
    try scene.tell("lines 12", "present Deploying")
    try scene.wait(forLast: "Deploying")
    try scene.tell("second Other")
    try scene.wait(forLast: "Other")
    try scene.tell("unother")
    try scene.wait(forLast: "Deploying")
    // The margins are set again.
    try scene.tell("lines 30", "print end of lines")
    try scene.wait(forLast: "end of lines", "", "Deploying")
  }

  @Test func aProgramGetsTheTerminalAndGivesItBack() throws {
    let scene = try ProgramScene()
    try scene.tell("lines 12", "insets", "present Deploying")
    try scene.wait(forLast: "Deploying")
    try scene.tell("suspend done")
    try scene.wait(for: "suspended")
    try scene.wait(for: "inset: 0 0")
    try scene.tell("part \u{1b}[2J\u{1b}[H", "flush")
    try scene.wait("no banner") { terminal in !terminal.text.contains { $0.contains("Deploying") } }
    // All rows scroll; changes meanwhile are not painted.
    try scene.tell("present Changed", "lines 30", "print all rows")
    try scene.wait(forLast: "line 30", "all rows", "")
    try scene.tell("resume")
    try scene.wait("the banner as it is now") { $0.text[9].contains("Changed") && $0.text.contains("resumed: done") }
  }

  @Test func monitoringStopsAndStartsAgain() throws {
    let scene = try ProgramScene()
    try scene.tell("monitor")
    try scene.world.pullTheCable()
    try scene.wait(forLast: "No connection")
    try scene.tell("stop")
    try scene.scene.waitUntilGone("No connection")
    try scene.settle("on it goes")
    #expect(!scene.scene.text.contains { $0.contains("Back online") })
    try scene.tell("monitor")
    try scene.wait(forLast: "No connection")
  }
}
