import Overline
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore

/// A pane in copy mode keeps its position.
@Suite(.ownThread) struct CopyModeTests {
  private static let command = "seq -f 'line %g' 1 200; exec cat"

  /// Each pane's position: its mode, the lines below it, and the cursor's line and column.
  private func places(_ scene: Scene) throws -> [Substring] {
    try scene.server.tmux(
      "list-panes", "-F", "#{pane_mode} #{scroll_position} #{copy_cursor_line} #{copy_cursor_x}"
    ).split(separator: "\n")
  }

  private func bottomRow(_ scene: Scene) throws -> [Substring] {
    try scene.screen.rows()[try scene.paneHeight() - 1].split(separator: " ")
  }

  /// Scrolled a little, a lot and to the very top; the cursor in the first row, in the middle and in the last.
  @Test(arguments: [0, 5, 50, 1000], [0, 9, 22])
  func thePlaceStays(scrolled: Int, row: Int) throws {
    let scene = try Scene(command: Self.command)
    try scene.wait(for: "line 200")
    try scene.server.tmux("copy-mode")
    if scrolled > 0 { try scene.server.tmux("send-keys", "-X", "-N", "\(scrolled)", "scroll-up") }
    try scene.server.tmux("send-keys", "-X", "top-line")
    if row > 0 { try scene.server.tmux("send-keys", "-X", "-N", "\(row)", "cursor-down") }
    try scene.server.tmux("send-keys", "-X", "-N", "3", "cursor-right")
    try scene.screen.settle()
    let (cells, before, bottom) = (try scene.screen.cells(), try places(scene), try bottomRow(scene))
    for order in [[Shown.banner], [.toast, .both, .banner]] {
      for shown in order {
        try scene.show(shown)
        // The cursor's line leaves the screen only if it was in the row that the status line occupied.
        #expect(try places(scene)[0].split(separator: " ")[1] == before[0].split(separator: " ")[1])
        #expect(try bottomRow(scene) == bottom)
        if row > 1 { #expect(try places(scene) == before) }
      }
      try scene.hide()
      #expect(try eventually { try row > 1 ? places(scene) == before : places(scene).count == 1 })
      if row > 1 { try expectScreen(scene.screen, cells) }
    }
    #expect(scene.errorsSeen == [])
  }

  /// Several panes, one of which loses rows to the lines, a command's output, and a window that is linked twice.
  @Test func everyPaneStays() throws {
    let scene = try Scene(command: Self.command)
    try scene.wait(for: "line 200")
    try scene.server.source(
      "split-window -v \"\(Self.command)\"", "split-window -h \"\(Self.command)\"", "split-window -h sh",
      "run-shell -t 3 'seq -f \"output %g\" 1 100'", "new-session -d -s two", "link-window -s 0:0 -t two:5")
    let areThere = try eventually {
      try (0..<3).allSatisfy { try scene.server.tmux("capture-pane", "-p", "-t", "\($0)").contains("line 200") }
    }
    #expect(areThere)
    for pane in 0..<3 {
      try scene.server.source(
        "copy-mode -t \(pane)", "send-keys -t \(pane) -X -N \(20 * pane + 10) scroll-up",
        "send-keys -t \(pane) -X middle-line")
    }
    try scene.server.source("send-keys -t 3 -X -N 30 scroll-up", "send-keys -t 3 -X middle-line")
    try scene.screen.settle()
    let (cells, before) = (try scene.screen.cells(), try places(scene))
    #expect(before.map { $0.split(separator: " ")[0] } == ["copy-mode", "copy-mode", "copy-mode", "view-mode"])
    for order in [[Shown.banner], [.banner, .both, .toast]] {
      for shown in order {
        try scene.show(shown)
        #expect(try places(scene) == before)
      }
      try scene.hide()
      #expect(try eventually { try places(scene) == before })
      try expectScreen(scene.screen, cells)
    }
    #expect(scene.errorsSeen == [])
  }

  /// A position that tmux no longer has is no error.
  @Test func aModeThatIsLeftMeanwhileIsNone() throws {
    let scene = try Scene(command: Self.command)
    try scene.wait(for: "line 200")
    try scene.server.source("copy-mode", "send-keys -X -N 50 scroll-up")
    try scene.server.source("set-hook -g after-set-environment 'if -F \"#{pane_in_mode}\" \"send-keys -X cancel\"'")
    try scene.show()
    try scene.server.source("set-hook -gu after-set-environment")
    try scene.hide()
    #expect(scene.errorsSeen == [])
  }

  @Test func aListingIsRead() {
    #expect(ScrolledPane(listed: "%7 23 45 22") == ScrolledPane(id: "%7", height: 23, position: 45, cursorRow: 22))
    for line in ["", "%7", "%7 a b c", "%7 23 45"] { #expect(ScrolledPane(listed: line) == nil) }
    #expect(ScrolledPane.commands([]) == [])
  }
}
