import Overline
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore

/// For any status lines of the server: banner and toast get a line each, and afterwards everything is restored, cell for cell.
@Suite(.ownThread) struct RestoreTests {
  /// Every order in which a toast and a banner can appear and disappear.
  static let orders: [[Shown]] = [
    [.banner], [.toast], [.toast, .both, .banner], [.toast, .both, .toast], [.banner, .both, .banner],
    [.banner, .both, .toast], [.both, .toast, .banner, .both],
  ]

  @Test(arguments: ["off", "on", "2", "3", "4", "5"], ["top", "bottom"])
  func everyStatusComesBack(status: String, position: String) throws {
    let scene = try Scene(["set -g status-position \(position)", "set -g status \(status)"])
    try scene.screen.type("seq 1 40; echo do''ne\n")
    try scene.wait(for: "done")
    try scene.screen.settle()
    let cells = try scene.screen.cells()
    let dump = try scene.dump()
    let height = try scene.paneHeight()
    let lines = StatusOptions.lines(status)
    for order in Self.orders {
      for shown in order {
        try scene.show(shown)
        let own = shown == .both ? 2 : 1
        let all = min(5, lines + own)
        let first = position == "top" ? 0 : 24 - all
        #expect(try scene.paneHeight() == height - (all - lines), "\(order) \(shown)")
        // The banner is the last line; a toast follows the user's own.
        #expect(try scene.rowOfBanner() == (shown == .toast ? nil : first + all - 1), "\(order) \(shown)")
        #expect(try scene.rowOfBanner("Saved") == (shown == .banner ? nil : first + all - own), "\(order) \(shown)")
        #expect(try scene.server.tmux("show", "-gv", "status") == "\(StatusOptions.status(lines: all))\n")
        let inset = all - lines
        #expect(
          eventually {
            scene.insetsSeen.last ?? TerminalInsets()
              == (position == "top" ? TerminalInsets(top: inset) : TerminalInsets(bottom: inset))
          })
      }
      try scene.hide()
      try expectScreen(scene.screen, cells)
      #expect(try scene.dump() == dump, "\(order)")
    }
    #expect(scene.errorsSeen == [])
  }

  /// The most common server: only tmux's defaults, whose second entry is listed and must be restored.
  @Test func tmuxsOwnDefaultsComeBack() throws {
    let scene = try Scene(["set -g status-right 'x'"])
    try scene.server.source((2...4).map { "set -gu status-format[\($0)]" }.joined(separator: "\n"))
    let dump = try scene.dump()
    try scene.show()
    try scene.hide()
    #expect(try scene.dump() == dump)
    #expect(dump.contains("status-format[1]"))
  }

  /// Values that begin or end with scalars that Swift's characters join to their neighbours. tmux 3.5a prints a carriage return as an escape,
  /// which comes back as the value.
  @Test func valuesThatJoinTheirNeighboursComeBack() throws {
    let scene = try Scene()
    try scene.server.source(#"set -g status-format[1] "one\r""#, #"set -g status-format[2] "\u0301two""#)
    let dump = try scene.dump()
    let printsEscapes = try !scene.server.tmux("show", "-gv", "status-format[1]").utf8.contains(0x0d)
    try scene.show()
    try scene.hide()
    #expect(try scene.dump() == (printsEscapes ? dump.replacing(#"one\r"#, with: #"one\\r"#) : dump))
  }

  @Test(arguments: [
    ["set -t two status 3"], ["set -t two status off"], ["set -t two status 4"], ["set -t two status 5"],
    ["set -t two status-format[0] 'own ;'"],
    ["set -t two status-format[1] \"it's #[bold]own\"", "set -t two status 2"],
    ["set -t two status-position top", "set -t two status on"],
    ["set -t two status-format[3] 'a\nb'"],
  ])
  func sessionsWithTheirOwnComeBack(settings: [String]) throws {
    let scene = try Scene()
    // A window named like the session: targets must still be the session.
    try scene.server.source("new-session -d -s two -x 80 -y 24 sh", "rename-window -t 0: two")
    try scene.server.source(settings.joined(separator: "\n"))
    let other = try scene.server.attachedScreen(session: "two")
    try scene.wait(for: "$ ", on: other)
    let dump = try scene.dump()
    let first = try scene.screen.cells()
    let second = try other.cells()
    for order in Self.orders {
      for shown in order {
        try scene.show(shown)
        let titles = [shown == .banner ? [] : ["Saved"], shown == .toast ? [] : ["No connection"]].joined()
        for title in titles {
          try scene.wait(for: title, on: other)
          #expect(try other.rows().filter { $0.contains(title) }.count == 1)
        }
      }
      try scene.hide()
      try expectScreen(scene.screen, first)
      try expectScreen(other, second)
      #expect(try scene.dump() == dump)
    }
    #expect(scene.errorsSeen == [])
  }

  /// A row that tmux takes from one pane and would return to another, twice.
  @Test(arguments: ["off", "top", "bottom"], [false, true])
  func layoutsComeBack(border: String, isZoomed: Bool) throws {
    let scene = try Scene(["set -g pane-border-status \(border)"])
    try scene.server.source(
      "split-window -v sh", "split-window -v -l 5 sh", "split-window -h sh", "split-window -v -l 1 sh",
      "resize-pane -t 0 -y 1", "new-window sh", "split-window -v -l 3 sh", "last-window")
    if isZoomed { try scene.server.tmux("resize-pane", "-Z") }
    let dump = try scene.dump()
    for order in Self.orders {
      for shown in order { try scene.show(shown) }
      try scene.hide()
      #expect(try eventually { try scene.dump() == dump })
      #expect(try scene.dump() == dump, "\(order)")
    }
    #expect(try scene.server.tmux("display-message", "-p", "#{window_zoomed_flag}") == (isZoomed ? "1\n" : "0\n"))
    #expect(scene.errorsSeen == [])
  }

  /// The other window shrinks only when it is shown.
  @Test func aWindowVisitedDuringTheOutageComesBack() throws {
    let scene = try Scene()
    try scene.server.source("new-window sh", "split-window -v -l 3 sh", "split-window -v -l 1 sh", "last-window")
    let dump = try scene.dump()
    try scene.show()
    try scene.server.tmux("last-window")
    #expect(try eventually { try scene.layouts(in: scene.dump()) != scene.layouts(in: dump) })
    try scene.hide()
    // tmux enlarges the other window only when it is shown again.
    try scene.server.tmux("last-window")
    #expect(try eventually { try scene.layouts(in: scene.dump()) == scene.layouts(in: dump) })
  }

  @Test func aSplitDuringTheOutageStays() throws {
    let scene = try Scene()
    try scene.server.source("split-window -v -l 5 sh")
    try scene.show()
    try scene.server.source("split-window -h sh")
    let panes = try scene.server.tmux("list-panes", "-F", "#{pane_id} #{pane_width}")
    try scene.hide()
    #expect(try scene.server.tmux("list-panes", "-F", "#{pane_id} #{pane_width}") == panes)
  }

  @Test func aProgramThatRepaintsComesBack() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    // Beside many tests vim may see only the second size, paint for neither, and print nothing: it records each size that it notices.
    let note = "autocmd VimResized * call writefile([&lines], '\(folder)/sizes', 'a')"
    let scene = try Scene(
      // Silent: a message about the file may stay after a resize or not.
      command:
        "seq -f 'Line %g' 1000 >\(folder)/lines; vim -u NONE -i NONE -n -N --cmd 'set noruler noshowcmd' "
        + "--cmd \"\(note)\" -c 'silent edit \(folder)/lines'")
    try scene.wait(for: "Line 5")
    try scene.screen.settle()
    let cells = try scene.screen.cells()
    func waitForSize(_ size: Int) -> Bool {
      eventually {
        (try? Files.read("\(folder)/sizes")).map { String(decoding: $0, as: UTF8.self).hasSuffix("\(size)\n") } == true
      }
    }
    try scene.show()
    #expect(waitForSize(22))
    try scene.screen.settle()
    try scene.hide()
    #expect(waitForSize(23))
    try expectScreen(scene.screen, cells)
  }
}

/// Waits until a screen is cell for cell as before; reports the rows that differ.
func expectScreen(_ screen: TmuxTestScreen, _ cells: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  if try eventually({ try screen.cells() == cells }) { return }
  let now = try screen.cells().split(separator: "\n", omittingEmptySubsequences: false)
  let before = cells.split(separator: "\n", omittingEmptySubsequences: false)
  for row in 0..<max(now.count, before.count) {
    let (now, before) = (row < now.count ? now[row] : nil, row < before.count ? before[row] : nil)
    guard now != before else { continue }
    let rows = "\(now?.debugDescription ?? "missing"), was \(before?.debugDescription ?? "missing")"
    Issue.record("row \(row): \(rows)", sourceLocation: sourceLocation)
  }
}

extension Scene {
  func layouts(in dump: String) -> [Substring] {
    dump.split(separator: "\n").filter { $0.hasPrefix("@") && $0.contains(" ") }
  }
}
