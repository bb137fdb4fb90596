import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// Toasts over real programs: beside the toast the screen is the program's, and after it all of it.
@Suite(.ownThread) struct EquivalentToastTests {
  private static let vim = ["vim.basic", "-u", "NONE", "-i", "NONE", "-n", "-c", "set ruler mouse="]

  private static func isToast(_ text: String) -> Bool { text.contains("✓ Saved") }

  /// Posts a toast that lasts as long as its owner, and waits until it shows in a row.
  private func post(
    _ world: WindowWorld, _ window: TerminalScene, row: Int = 1, edge: String = "top"
  ) throws -> Owner {
    let owner = try Owner()
    let said = try world.ask(
      window,
      [
        "toast", "Saved", "--message", "Your changes have been stored.", "--style", "success", "--duration", "0",
        "--edge", edge, "--while", "\(owner.pid)",
      ])
    #expect(said.status == 0, "\(said.text)")
    try window.wait("the toast") { Self.isToast($0.text[row]) }
    return owner
  }

  private func end(_ owner: Owner, _ window: TerminalScene) throws {
    owner.end()
    try window.waitUntilGone("✓ Saved")
  }

  /// Waits until all rows but the toast's equal the other terminal's.
  private func wait(
    _ window: TerminalScene, beside rows: Range<Int> = 0..<0, below offset: Int = 0, isAs bare: TerminalScene
  ) throws {
    func beside(_ scene: TerminalScene, below offset: Int = 0) -> Picture {
      var picture = scene.picture(below: offset)
      for row in rows { picture.rows[row] = [] }
      // The text colour of a space is invisible.
      picture.rows = picture.rows.map { row in
        row.map { cell in
          guard cell.text == " ", !cell.isReverse, cell.underline == 0, !cell.isStruck else { return cell }
          var blank = TerminalCell()
          blank.background = cell.background
          return blank
        }
      }
      return picture
    }
    guard eventually({ beside(window, below: offset) == beside(bare) }) else {
      let (found, wanted) = (beside(window, below: offset), beside(bare))
      throw TestKitError("not as alone: \(found.difference(from: wanted))")
    }
  }

  @Test(arguments: ["top", "bottom"])
  func vimGoesOnBelowIt(_ edge: String) throws {
    let world = try WindowWorld()
    let text = try world.file(
      "notes.txt", (1...60).map { "line \($0) 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字\n" }.joined())
    let window = try world.scene([WindowWorld.executable, "run", "--"] + Self.vim + [text])
    let bare = try world.scene(Self.vim + [text])
    for scene in [window, bare] { try scene.wait(for: "1,1") }
    let rows = edge == "top" ? 0..<4 : 20..<24
    let owner = try post(world, window, row: rows.lowerBound + 1, edge: edge)
    for scene in [window, bare] { scene.type("ione\u{1b}5Gitwo\u{1b}\u{4}") }
    try wait(window, beside: rows, isAs: bare)
    try window.wait("the toast") { Self.isToast($0.text[rows.lowerBound + 1]) }
    // The program drew underneath meanwhile: its output shows.
    try end(owner, window)
    try wait(window, isAs: bare)
    for scene in [window, bare] { scene.type("dd:q!\r") }
    #expect(try window.end() == 0)
    #expect(try bare.end() == 0)
    try wait(window, isAs: bare)
  }

  /// Every line of a flood reaches the scrollback once, and no part of the toast does.
  @Test func aFloodBelowIt() throws {
    let world = try WindowWorld()
    let script = "clear; echo ready; read x; seq 1 60000; echo done; read x"
    let window = try world.window("sh", "-c", script)
    let bare = try world.bare("sh", "-c", script)
    for scene in [window, bare] { try scene.wait(for: "ready") }
    let owner = try post(world, window)
    for scene in [window, bare] {
      scene.type("\n")
      try scene.wait("the end", within: .seconds(30)) { $0.text.contains("done") }
    }
    try window.wait("the toast") { Self.isToast($0.text[1]) }
    #expect(window.scrollback == bare.scrollback)
    try end(owner, window)
    try wait(window, isAs: bare)
  }

  /// Over rows of unknown content a toast gets rows of its own. The program gets one new size for them.
  @Test func overUnknownRowsAToastGetsRowsOfItsOwn() throws {
    let world = try WindowWorld()
    let watcher = "trap 'echo SIZE $(stty size).' WINCH; echo READY; while :; do sleep 0.02; done"
    let command = ["sh", "-c", "seq 1 10; exec $RUN bash -c \"$WATCHER\""]
    let window = try world.scene(
      command, environment: ["RUN=\(WindowWorld.executable) run --", "WATCHER=\(watcher)"])
    try window.wait(for: "READY")
    let owner = try post(world, window, row: 0)
    #expect(window.text[1].contains("Your changes have been stored."))
    try window.wait(for: "SIZE 22 80.")
    try end(owner, window)
    try window.wait(for: "SIZE 24 80.")
    #expect(window.text.filter { $0.hasPrefix("SIZE") } == ["SIZE 22 80.", "SIZE 24 80."])
    let lines = (window.scrollback + window.text).filter { !$0.isEmpty }
    let printed = (1...10).map { "\($0)" } + ["READY"]
    #expect(Array(lines.prefix(11)) == printed)
  }

  /// The window waits half a second only for a program whose size or screen has just changed. This program's has not.
  @Test func overUnknownRowsAToastShowsAtOnce() throws {
    let world = try WindowWorld()
    var least = Duration.seconds(10)
    // The fastest of five rounds counts, since a busy machine may delay some.
    for _ in 0..<5 where least >= .milliseconds(400) {
      // Each round needs a new window: after its first toast a window knows its screen.
      let window = try world.scene(
        ["sh", "-c", "seq 1 10; exec $RUN sh -c 'echo READY; cat'"],
        environment: ["RUN=\(WindowWorld.executable) run --"])
      try window.wait(for: "READY")
      let connection = try UnixSocket.connect(to: "\(world.folder)/overline/window-\(window.pid).sock")
      let start = BootClock.now
      try connection.writeAll(
        Array(#"{"do":"toast","title":"Saved","style":"success","duration":0,"owned":true}"#.utf8) + [0x0a])
      try window.wait("the toast") { Self.isToast($0.text[0]) }
      least = min(least, BootClock.now - start)
      _ = consume connection
    }
    #expect(least < .milliseconds(400))
  }

  @Test func belowTheBannerAndBackAgain() throws {
    let world = try WindowWorld()
    let text = try world.file("notes.txt", (1...60).map { "line \($0)\n" }.joined())
    let window = try world.scene([WindowWorld.executable, "run", "--"] + Self.vim + [text])
    let bare = try world.scene(Self.vim + [text])
    for scene in [window, bare] { try scene.wait(for: "1,1") }
    let owner = try post(world, window)
    try world.pullTheCable()
    try window.waitForBanner()
    try window.wait("the toast below it") { Self.isToast($0.text[2]) }
    bare.resize(rows: 23, columns: 80)
    try end(owner, window)
    try wait(window, below: 1, isAs: bare)
    let second = try post(world, window, row: 2)
    defer { second.end() }
    try world.plugTheCable()
    try window.wait("the toast above") { Self.isToast($0.text[1]) }
    bare.resize(rows: 24, columns: 80)
    try wait(window, beside: 0..<4, isAs: bare)
  }

  @Test func anotherSizeMeanwhile() throws {
    let world = try WindowWorld()
    let window = try world.scene([WindowWorld.executable, "run", "--"] + Self.vim)
    let bare = try world.scene(Self.vim)
    for scene in [window, bare] { try scene.wait(for: "0,0-1") }
    let owner = try post(world, window)
    for (rows, columns) in [(30, 100), (12, 60), (24, 80)] {
      for scene in [window, bare] { scene.resize(rows: rows, columns: columns) }
      // The rows beside the toast are not compared: if the program has not drawn within half a second, as on a busy machine, the toast gets
      // rows of its own, without a frame.
      try window.wait("the toast") { $0.text.prefix(2).contains(where: Self.isToast) }
    }
    try end(owner, window)
    try wait(window, isAs: bare)
  }

  @Test func aStoppedProgramLeavesNothingOfIt() throws {
    let world = try WindowWorld()
    let shell = try world.scene(["bash", "--norc", "--noprofile", "--noediting", "-i"])
    shell.type("clear; exec 3>&1; \(WindowWorld.executable) run sh -c 'clear; echo IN $OVERLINE_WINDOW.; cat'\n")
    try shell.wait("the window") { $0.text.first?.hasPrefix("IN ") == true }
    let inside = shell.text[0].dropFirst(3).dropLast()
    let posted = try Subprocess.run(
      WindowWorld.executable, ["toast", "Saved", "--style", "success", "--duration", "0"],
      environment: world.environment + ["OVERLINE_SOCKET=\(world.folder)/overline/window-\(inside).sock"])
    #expect(posted.status == 0)
    try shell.wait("the toast") { Self.isToast($0.text[1]) }
    shell.type("\u{1a}")
    try shell.wait(for: "Stopped")
    #expect(!shell.text.contains(where: Self.isToast))
    shell.type("fg\n")
    try shell.wait("the toast again") { $0.text.contains(where: Self.isToast) }
    shell.type("\u{4}")
    try shell.waitUntilGone("✓ Saved")
    shell.type("stty size\n")
    try shell.wait(for: "24 80")
  }

  @Test func theProgramsEndTakesItAlong() throws {
    let world = try WindowWorld()
    let window = try world.scene(
      ["sh", "-c", "exec $RUN sh -c 'clear; seq 1 3; read x'"], environment: ["RUN=\(WindowWorld.executable) run --"])
    try window.wait(for: "3")
    let owner = try post(world, window)
    defer { owner.end() }
    window.type("\n")
    #expect(try window.end() == 0)
    #expect(window.text.prefix(4) == ["1", "2", "3", ""])
  }

  /// The program keeps the keyboard while toasts are posted, and one of them is left.
  @Test func aBurstFromManyProcesses() throws {
    let world = try WindowWorld()
    let window = try world.window("sh", "-c", "clear; echo IN; cat")
    try window.wait(for: "IN")
    let pids = try (1...60).map {
      try world.begin(window, ["toast", "Number \($0)", "--duration", "0", "--edge", "bottom"])
    }
    window.type("typed\n")
    try window.wait("what was typed") { $0.text.filter { $0 == "typed" }.count == 2 }
    for pid in pids { #expect(endStatus(of: pid) == 0) }
    #expect(window.text.filter { $0.contains("Number ") }.count == 1)
  }
}
