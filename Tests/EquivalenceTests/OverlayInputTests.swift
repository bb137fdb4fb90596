import OverlineSystem
import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The user's keys and mouse on toasts and alerts over real programs, which notice nothing of it.
@Suite(.ownThread) struct OverlayInputTests {
  private static func vim(_ mouse: String) -> [String] {
    ["vim.basic", "-u", "NONE", "-i", "NONE", "-n", "-c", "set ruler ttymouse=sgr mouse=\(mouse)"]
  }

  private static func isToast(_ text: String) -> Bool { text.contains("✓ Saved") }

  private func post(_ world: WindowWorld, _ window: TerminalScene) throws {
    let said = try world.ask(
      window,
      [
        "toast", "Saved", "--style", "success", "--duration", "0", "--message",
        "All of your changes have been stored where all of your changes have always been stored.",
      ])
    #expect(said.status == 0, "\(said.text)")
    try waitForToast(window)
  }

  /// Waits for the toast, which the window takes from the screen for a moment when the program prints below it.
  private func waitForToast(_ window: TerminalScene) throws {
    try window.wait("the toast") { Self.isToast($0.text[1]) }
  }

  /// Waits until both show the same text and cursor.
  private func wait(_ window: TerminalScene, isAs bare: TerminalScene) throws {
    guard eventually({ (window.text, window.picture().cursor) == (bare.text, bare.picture().cursor) }) else {
      throw TestKitError("\(window.picture())\n— and alone:\n\(bare.picture())")
    }
  }

  /// A click, a drag below the threshold and a drag beyond it, over a program that uses the mouse.
  @Test func theMouseOnAToast() throws {
    let world = try WindowWorld()
    let window = try world.scene([WindowWorld.executable, "run", "--"] + Self.vim("a"))
    let bare = try world.scene(Self.vim("a"))
    for scene in [window, bare] {
      try scene.wait(for: "0,0-1")
      scene.type("ione\rtwo\rthree\u{1b}")
      try scene.wait(for: "3,5")
    }
    try post(world, window)
    window.type("\u{1b}[<0;40;1M\u{1b}[<0;40;1m")
    try window.waitUntilGone("✓ Saved")
    try wait(window, isAs: bare)

    try post(world, window)
    // One row is below the threshold: the toast snaps back.
    window.type("\u{1b}[<0;40;2M\u{1b}[<32;40;1M\u{1b}[<0;40;1m")
    // Beside the toast the program gets the mouse.
    for scene in [window, bare] {
      scene.type("\u{1b}[<0;2;2M\u{1b}[<0;2;2m")
      try scene.wait(for: "2,2")
    }
    try waitForToast(window)
    window.type("\u{1b}[<0;40;3M\u{1b}[<32;40;2M\u{1b}[<32;40;1M\u{1b}[<0;40;1m")
    try window.waitUntilGone("✓ Saved")
    try wait(window, isAs: bare)
  }

  /// With `toast.mouse`, a window whose program has no mouse turns it on while a toast shows.
  @Test func theMouseThatAUserWants() throws {
    let world = try WindowWorld(configuration: "[toast]\nmouse = true\n")
    let window = try world.window("sh", "-c", "stty -echo; clear; echo IN; cat -v")
    try window.wait(for: "IN")
    #expect(window.look(\.mouse) == .none)
    try post(world, window)
    try window.wait("the mouse") { $0.mouse == .drag }
    window.type("\u{1b}[<0;2;9M\u{1b}[<0;2;9m")
    window.type("\u{1b}[<0;40;1M\u{1b}[<0;40;1m")
    try window.waitUntilGone("✓ Saved")
    try window.wait("the mouse's end") { $0.mouse == .none }
    window.type("typed\n")
    try window.wait(for: "typed")
    #expect(window.text.filter { !$0.isEmpty } == ["IN", "typed"], "the program did not ask for the mouse")
  }

  @Test func escapeAfterTheChord() throws {
    let world = try WindowWorld(configuration: "[toast]\nfocus-key = \"ctrl-t\"\n")
    let window = try world.window("sh", "-c", "stty -echo -icanon; clear; echo IN; cat -v")
    try window.wait(for: "IN")
    try post(world, window)
    window.type("a\u{1b}")
    try window.wait(for: "a^[")
    try waitForToast(window)
    window.type("\u{14}")
    window.type("\u{1b}")
    try window.waitUntilGone("✓ Saved")
    window.type("\u{14}b")
    try window.wait(for: "a^[^Tb")
  }

  /// An alert over an editor has the keyboard; the editor gets nothing and is unchanged afterwards.
  @Test func aQuestionOverAnEditor() throws {
    let world = try WindowWorld()
    let window = try world.scene([WindowWorld.executable, "run", "--"] + Self.vim(""))
    let bare = try world.scene(Self.vim(""))
    for scene in [window, bare] {
      try scene.wait(for: "0,0-1")
      scene.type("ione\rtwo\u{1b}")
      try scene.wait(for: "2,3")
    }
    for (keys, status) in [(["\u{1b}[C", "\r"], 1), (["\u{1b}[13u"], 0), (["\u{3}"], 130), (["2"], 1)]
      as [([String], Int32)]
    {
      let asking = try world.begin(
        window, ["alert", "Deploy to production?", "--message", "Now.", "--button", "Deploy", "--button", "Cancel"])
      try window.wait(for: "Deploy to production?")
      // A toast above the alert takes none of its keys.
      let owner = try Owner()
      _ = try world.ask(window, ["toast", "Saved", "--style", "success", "--duration", "0", "--while", "\(owner.pid)"])
      try window.wait("the toast") { Self.isToast($0.text[1]) }
      #expect(window.text.contains { $0.contains("[ Deploy ]  [ Cancel ]") })
      // Until the alert has shown long enough to be read, keys are dropped, and each restarts that time.
      for _ in 0..<10 where window.text.contains(where: { $0.contains("Deploy to production?") }) {
        for key in keys { window.type(key) }
        _ = eventually(within: .milliseconds(800)) {
          !window.text.contains { $0.contains("Deploy to production?") }
        }
      }
      try window.waitUntilGone("Deploy to production?")
      #expect(endStatus(of: asking) == status)
      owner.end()
      try window.waitUntilGone("✓ Saved")
      try wait(window, isAs: bare)
    }
    for scene in [window, bare] { scene.type(":q!\r") }
    #expect(try window.end() == 0)
  }

  @Test func anAlertEndsWithItsClient() throws {
    let world = try WindowWorld()
    let window = try world.window("sh", "-c", "clear; echo IN; cat")
    try window.wait(for: "IN")
    let before = window.picture()
    let asking = try world.begin(window, ["alert", "Deploy?", "--button", "Deploy"])
    try window.wait(for: "[ Deploy ]")
    Signal.kill.send(to: asking)
    _ = Subprocess.wait(for: asking)
    try window.waitUntilGone("[ Deploy ]")
    #expect(window.picture() == before)
    window.type("typed\n")
    try window.wait(for: "typed")
  }
}
