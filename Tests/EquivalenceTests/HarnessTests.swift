import OverlineTestSupport
import OverlineReferenceTerminal
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// The harness itself: with a window that shows no banner, both terminals must be equal.
@Suite(.ownThread) struct HarnessTests {
  @Test func aHiddenWindowIsTheProgramAlone() throws {
    let world = try WindowWorld()
    let window = try world.window("sh")
    let bare = try world.bare("sh")
    for scene in [window, bare] {
      try scene.wait(for: "$")
      // The terminal answers: 24 rows of 80 columns, and its cursor's place.
      scene.type("stty size; printf '\\033[6n'; read -r answer\n")
      try scene.wait(for: "24 80")
      // The terminal's answer is echoed. Each prompt is awaited: the terminal echoes at once what is typed before it.
      try scene.wait(for: "^[[")
      scene.type("\n")
      try scene.wait("the prompt") { $0.text.last { !$0.isEmpty } == "$" }
      scene.type("seq 1 100; tty >/dev/null && printf '\\033[41mred\\033[m'\n")
      try scene.wait(for: "red$")
    }
    try window.wait(untilBelow: 0, isAsOn: bare)
    #expect(window.scrollback == bare.scrollback)
    for scene in [window, bare] {
      scene.resize(rows: 30, columns: 100)
      scene.type("stty size\n")
      try scene.wait("the size and the prompt") { $0.text.filter { !$0.isEmpty }.suffix(2) == ["30 100", "$"] }
      scene.type("exit 3\n")
      #expect(try scene.end() == 3)
    }
    #expect(window.picture() == bare.picture())
    // The terminal started the window's process, so the window sets a title first.
    #expect(window.output == Array("\u{1b}]2;sh\u{1b}\\".utf8) + bare.output)
  }
}
