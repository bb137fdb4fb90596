import Banner
import OverlineTestKit
import Testing

@testable import Tmux

/// A toast has a status line of its own, beside the banner's, and afterwards everything is as it was, cell for cell.
@Suite struct ToastTests {
  enum Shown: String, CaseIterable { case nothing, toast, banner, both }

  /// Every order in which a toast and a banner can come and go.
  static let orders: [[Shown]] = [
    [.toast], [.toast, .both, .banner], [.toast, .both, .toast], [.banner, .both, .banner], [.banner, .both, .toast],
    [.both, .toast, .banner, .both],
  ]

  @Test(arguments: ["off", "on", "2", "4", "5"], ["top", "bottom"])
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
        #expect(scene.insetsSeen.last ?? Inset() == (position == "top" ? Inset(top: inset) : Inset(bottom: inset)))
      }
      try scene.hide()
      try expectScreen(scene.screen, cells)
      #expect(try scene.dump() == dump, "\(order)")
    }
    #expect(scene.errorsSeen == [])
  }

  @Test(arguments: [
    ["set -t two status 3"], ["set -t two status off"], ["set -t two status 4"], ["set -t two status 5"],
    ["set -t two status-format[1] \"it's #[bold]own\"", "set -t two status 2"],
    ["set -t two status-position top", "set -t two status on"],
  ])
  func sessionsWithTheirOwnComeBack(settings: [String]) throws {
    let scene = try Scene()
    try scene.server.source("new-session -d -s two -x 80 -y 24 sh")
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

  /// A row that tmux takes from one pane and would give back to another, twice.
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

  /// With one of two lines gone, panes are as they would be had it never been there.
  @Test func aBannerThatAToastLeftHasItsOwnLayout() throws {
    let scene = try Scene()
    try scene.server.source("split-window -v sh", "split-window -v -l 5 sh", "resize-pane -t 0 -y 1")
    try scene.show(.banner)
    let dump = try scene.dump()
    try scene.show(.both)
    #expect(try scene.layouts(in: scene.dump()) != scene.layouts(in: dump))
    try scene.show(.banner)
    #expect(try eventually { try scene.layouts(in: scene.dump()) == scene.layouts(in: dump) })
    try scene.hide()
  }

  /// Each change of the number of lines is one reflow, however many lines.
  @Test func linesComeAndGoInOneStep() throws {
    let scene = try Scene(["setenv -g COUNT ''", "set-hook -g window-resized \"setenv -gF COUNT '#{COUNT}x'\""])
    func count() throws -> Int { try scene.server.tmux("show-environment", "-g", "COUNT").count { $0 == "x" } }
    let start = try count()
    for (steps, shown) in [Shown.toast, .both, .nothing, .both].enumerated() {
      if shown == .nothing { try scene.hide() } else { try scene.show(shown) }
      #expect(try eventually { try count() == start + steps + 1 })
    }
    #expect(scene.insetsSeen == [Inset(bottom: 1), Inset(bottom: 2), Inset(), Inset(bottom: 2)])
    try scene.server.tmux("set-hook", "-gu", "window-resized")
  }

  @Test func whatAPersonChangesMeanwhileStays() throws {
    let scene = try Scene()
    try scene.show(.both)
    try scene.server.source("set -g status-left 'new '", "set -g status-format[3] 'mine'", "set -g status 4")
    // The toast goes, and what there is now counts as the user's: four lines of theirs, and the banner.
    try scene.show(.banner)
    #expect(try eventually { try scene.rowOfBanner() == 23 })
    #expect(try scene.server.tmux("show", "-gv", "status") == "5\n")
    try scene.hide()
    #expect(try scene.server.tmux("show", "-gv", "status") == "4\n")
    #expect(try scene.server.tmux("show", "-gv", "status-format[3]") == "mine\n")
    #expect(try scene.server.tmux("show", "-gv", "status-format[2]") == "line 2\n")
  }

  @Test func turningTheStatusOffIsRespected() throws {
    let scene = try Scene()
    let second = try scene.server.tmux("show", "-gv", "status-format[1]")
    try scene.show(.toast)
    try scene.server.tmux("set", "-g", "status", "off")
    try scene.hide()
    #expect(try scene.server.tmux("show", "-gv", "status") == "off\n")
    #expect(try scene.server.tmux("show", "-gv", "status-format[1]") == second)
  }

  /// A toast's line that was added, but with an error, goes with the toast, and the banner's stays.
  @Test func aToastThatHalfFailedGoesToo() throws {
    let scene = try Scene()
    try scene.show(.banner)
    try scene.server.source("set-hook -g after-set-environment 'source-file /nonexistent/file'")
    scene.window.update(banner: .offline, toast: .resting("Saved"))
    #expect(eventually { !scene.errorsSeen.isEmpty })
    try scene.wait(for: "Saved")
    scene.window.update(.offline)
    #expect(try eventually { try scene.server.tmux("show", "-gv", "status") == "2\n" })
    #expect(try eventually { try scene.rowOfBanner() == 23 && scene.rowOfBanner("Saved") == nil })
    try scene.server.source("set-hook -gu after-set-environment")
    try scene.hide()
  }

  @Test func aReloadKeepsBoth() throws {
    let scene = try Scene(["set -g status 2"])
    let dump = try scene.dump()
    try scene.show(.both)
    try scene.server.source("set -g status 2", "set -gu status-format[2]", "set -g status-format[2] 'line 2'")
    scene.window.reload(reserve: .auto)
    #expect(try eventually { try scene.rowOfBanner() == 23 && scene.rowOfBanner("Saved") == 22 })
    try scene.hide()
    #expect(try scene.dump() == dump)
  }

  /// Who wants nothing to move has one line, which a toast uses too.
  @Test func theLineThatIsKeptHasTheToastToo() throws {
    let scene = try Scene(reserve: .always)
    let dump = try scene.dump()
    scene.window.update(nil)
    #expect(try eventually { try scene.paneHeight() == 22 })
    try scene.show(.toast)
    #expect(try scene.rowOfBanner("Saved") == 23)
    scene.window.update(nil)
    #expect(try eventually { try scene.rowOfBanner("Saved") == nil })
    #expect(try scene.screen.rows()[23].allSatisfy { $0 == " " })
    #expect(try scene.paneHeight() == 22)
    #expect(scene.insetsSeen == [Inset(bottom: 1)])
    // Both at once are worth a move.
    try scene.show(.both)
    #expect(try scene.paneHeight() == 21)
    try scene.close()
    #expect(try scene.dump() == dump)
  }

  @Test func neverOnlyFeedsTheUsersOwnLine() throws {
    let scene = try Scene(
      ["set -g status-right-length 60", "set -g status-right '<#{OVERLINE_TOAST}>'"], reserve: .never)
    let before = try scene.server.source("show -g", "show-environment -gh")
    scene.window.update(banner: nil, toast: .resting("Saved", message: "3 files"))
    try scene.wait(for: "<✓ Saved · 3 files>")
    #expect(try scene.paneHeight() == 23)
    scene.window.update(nil)
    try scene.wait(for: "<>")
    #expect(try scene.server.source("show -g", "show-environment -gh") == before)
    #expect(scene.insetsSeen == [])
  }

  /// Between two toasts nobody looks at the server.
  @Test func sessionsThatCameAndWentSinceTheLastOneAreKnown() throws {
    let scene = try Scene()
    try scene.server.source("new-session -d -s gone", "set -t gone: status 2")
    try scene.show(.toast)
    try scene.hide()
    try scene.server.source("kill-session -t gone", "new-session -d -s two -x 80 -y 24 sh", "set -t two: status 3")
    let other = try scene.server.attachedScreen(session: "two")
    let dump = try scene.dump()
    try scene.show(.toast)
    try scene.wait(for: "Saved", on: other)
    #expect(try other.rows()[23].contains("Saved"))
    #expect(try scene.server.tmux("show", "-v", "-t", "two:", "status") == "4\n")
    try scene.hide()
    #expect(try scene.dump() == dump)
    #expect(scene.errorsSeen == [])
  }

  @Test func aClientThatAttachesMeanwhileSeesIt() throws {
    let scene = try Scene()
    try scene.show(.toast)
    let late = try scene.server.attachedScreen(columns: 60, rows: 20)
    try scene.wait(for: "Saved", on: late)
    scene.window.update(banner: nil, toast: .resting("Sent"))
    try scene.wait(for: "Sent", on: late)
    try scene.hide()
  }

  /// 300 posts: one line at any time, the last 32 of them after each other, and then everything as it was.
  @Test func aBurstIsOneLine() throws {
    let scene = try Scene()
    let dump = try scene.dump()
    var machine = ToastMachine(settings: ToastSettings(motion: .off), window: .tmux(edge: .bottom))
    for number in 0..<300 {
      _ = machine.handle(
        .toastPosted(ToastContent(title: "post \(number)."), id: ToastID(rawValue: number)), at: .zero)
      scene.window.update(banner: nil, toast: machine.frame)
    }
    try scene.wait(for: "post 0.")
    for number in 268..<300 {
      _ = machine.handle(.deadlineReached, at: machine.nextDeadline!)
      scene.window.update(banner: nil, toast: machine.frame)
      if number % 8 == 7 || number == 299 {
        try scene.wait(for: "post \(number).")
        #expect(try scene.screen.rows().filter { $0.contains("post") }.count == 1)
        #expect(try scene.server.tmux("show", "-gv", "status") == "2\n")
      }
    }
    _ = machine.handle(.deadlineReached, at: machine.nextDeadline!)
    #expect(machine.isEmpty)
    scene.window.update(banner: nil, toast: machine.frame)
    #expect(try eventually { try scene.dump() == dump })
    #expect(scene.insetsSeen == [Inset(bottom: 1), Inset()])
  }
}

extension Scene {
  /// Shows the toast *Saved* and the banner *No connection*, or one of them, and waits until the screen has just those.
  func show(_ shown: ToastTests.Shown) throws {
    let hasToast = shown == .toast || shown == .both
    let hasBanner = shown == .banner || shown == .both
    window.update(banner: hasBanner ? .offline : nil, toast: hasToast ? .resting("Saved") : nil)
    let isThere = try eventually {
      let rows = try screen.rows()
      return rows.contains { $0.contains("Saved") } == hasToast
        && rows.contains { $0.contains("No connection") } == hasBanner
    }
    guard isThere else { throw SceneError(text: "not \(shown): \(try screen.rows()), errors: \(errorsSeen)") }
    // Programs repaint, and tmux with them, a little after that.
    try screen.settle()
  }
}

extension ToastFrame {
  /// A toast as it is once it is there.
  static func resting(_ title: String, message: String = "", style: ToastStyle = .success) -> ToastFrame {
    var machine = ToastMachine(settings: ToastSettings(motion: .off), window: .tmux(edge: .bottom))
    let content = ToastContent(title: title, message: message, style: style)
    _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 0)), at: .zero)
    return machine.frame!
  }
}
