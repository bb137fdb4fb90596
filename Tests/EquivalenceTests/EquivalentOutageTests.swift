import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// A real link, the real program and a compared screen at each stage; only the terminal's glass is replaced.
@Suite(.ownThread) struct EquivalentOutageTests {
  /// Two windows of the same size, only one of which has seen an outage, look the same.
  private func expectUntouched(_ window: TerminalScene, _ bare: TerminalScene) throws {
    try window.waitUntilGone("Back online")
    try window.wait(untilBelow: 0, isAsOn: bare)
    #expect(window.scrollback == bare.scrollback)
  }

  @Test(arguments: [1, 3]) func vimThroughAnOutage(_ height: Int) throws {
    let world = try WindowWorld(height: height)
    let text = try world.file("notes.txt", (1...60).map { "line \($0)\n" }.joined())
    let window = try world.window("vim.basic", "-u", "NONE", "-i", "NONE", "-n", "-c", "set ruler", text)
    let bare = try world.bare("vim.basic", "-u", "NONE", "-i", "NONE", "-n", "-c", "set ruler", text)
    for scene in [window, bare] {
      try scene.wait(for: "1,1")
      scene.type("10Goa word")
      try scene.wait(for: "a word")
    }
    try window.wait(untilBelow: 0, isAsOn: bare)

    // Offline: the program has fewer rows, and nothing is covered.
    try world.pullTheCable()
    try window.waitForBanner(height: height)
    bare.resize(rows: 24 - height, columns: 80)
    try window.wait(untilBelow: height, isAsOn: bare)
    for scene in [window, bare] {
      scene.type(" and more\u{1b}\u{4}")
      try scene.wait("the next page") { !$0.text.contains("line 1") }
    }
    try window.wait(untilBelow: height, isAsOn: bare)

    // Online: the banner says so, then disappears.
    try world.plugTheCable()
    try window.waitUntilGone("No connection")
    bare.resize(rows: 24, columns: 80)
    try expectUntouched(window, bare)
    for scene in [window, bare] {
      scene.type(":q!\r")
      #expect(try scene.end() == 0)
    }
    #expect(window.picture() == bare.picture())
  }

  /// When the editor ends, the program's text and the cursor are below the banner. The text from before the window goes to the scrollback,
  /// since the window cannot print it again.
  @Test(arguments: [1, 3]) func anOutageWhileAnEditorRunsAmidOldText(_ height: Int) throws {
    let world = try WindowWorld(height: height)
    let command = [
      "sh", "-c", "seq 1 3; $RUN sh -c 'seq 4 6; vim.basic -u NONE -i NONE -n; printf \"left \"; read -r wait'",
    ]
    let window = try world.scene(command, environment: ["RUN=\(WindowWorld.executable) run --"])
    try window.wait(for: "~")
    try world.pullTheCable()
    try window.waitForBanner(height: height)
    window.type(":q\r")
    try window.wait(for: "left")
    try window.waitForBanner(height: height)
    let expected = (1...6).map { "\($0)" } + ["left"]
    try window.wait("the old text") { Array(($0.scrollbackText + $0.text[height...]).prefix(7)) == expected }
    #expect(window.look { $0.text[$0.cursor.row] } == "left")
  }

  /// Each line appears once, in order, and nothing else.
  @Test(arguments: [1, 3]) func tenThousandLinesAcrossThreeOutages(_ height: Int) throws {
    let world = try WindowWorld(height: height)
    let window = try world.window("sh")
    try window.wait(for: "$")
    window.type("stty -echo; PS1=\n")
    window.type("for part in 1 2 3 4 5 6; do seq -f \"$part line %g\" 1 1667; read -r wait; done; echo done\n")
    for part in 1...6 {
      try window.wait("part \(part)") { $0.text.contains("\(part) line 1667") }
      // While it shows the next part is printed, and the one after while it does not.
      if part.isMultiple(of: 2) {
        try world.plugTheCable()
        try window.waitUntilGone("No connection")
        try window.waitUntilGone("Back online")
      } else {
        try world.pullTheCable()
        try window.waitForBanner(height: height)
      }
      window.type("\n")
    }
    try window.wait(for: "done")
    window.type("exit\n")
    #expect(try window.end() == 0)
    let lines = (window.scrollback + window.text).drop { !$0.hasPrefix("1 line") }.prefix { $0 != "done" }
    #expect(Array(lines) == (1...6).flatMap { part in (1...1667).map { "\(part) line \($0)" } })
    #expect(!window.scrollback.contains { $0.contains("No connection") || $0.contains("Back online") })
  }

  /// The link goes up and down while lines are flooding: the banner shows and hides at any byte. The first outage begins before the
  /// flood, which on a busy machine may end before another one.
  @Test(arguments: [1, 3]) func aFloodThroughOutages(_ height: Int) throws {
    let world = try WindowWorld(height: height)
    let window = try world.window("sh", "-c", "read -r go; seq 1 60000; read -r wait", rows: 24)
    try world.pullTheCable()
    try window.waitForBanner(height: height)
    window.type("\n")
    while true {
      try world.plugTheCable()
      try window.waitUntilGone("No connection")
      if window.text.contains("60000") { break }
      try world.pullTheCable()
      try window.waitForBanner(height: height)
    }
    try window.waitUntilGone("Back online")
    window.type("\n")
    #expect(try window.end() == 0)
    let lines = (window.scrollback + window.text).filter { !$0.isEmpty }
    #expect(lines.count == 60_000)
    let wrong = zip(lines, 1...).first { $0 != "\($1)" }
    #expect(wrong == nil, "\(wrong.map { lines[max(0, $1 - 3)..<min(lines.count, $1 + 30)] } ?? [])")
  }
}
