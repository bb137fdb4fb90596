import Overline
import OverlineShell
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore

/// A toast has a status line of its own, beside the banner's.
@Suite(.ownThread) struct TmuxWindowToastTests {
  /// After one of two lines is removed, panes are as if it had never existed.
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

  /// Each change in the number of lines is one reflow, whatever the number.
  @Test func linesComeAndGoInOneStep() throws {
    let scene = try Scene(["setenv -g COUNT ''", "set-hook -g window-resized \"setenv -gF COUNT '#{COUNT}x'\""])
    func count() throws -> Int { try scene.server.tmux("show-environment", "-g", "COUNT").count { $0 == "x" } }
    let start = try count()
    for (steps, shown) in [Shown.toast, .both, .nothing, .both].enumerated() {
      if shown == .nothing { try scene.hide() } else { try scene.show(shown) }
      #expect(try eventually { try count() == start + steps + 1 })
    }
    #expect(
      eventually {
        scene.insetsSeen == [
          TerminalInsets(bottom: 1), TerminalInsets(bottom: 2), TerminalInsets(), TerminalInsets(bottom: 2),
        ]
      })
    try scene.server.tmux("set-hook", "-gu", "window-resized")
  }

  @Test func whatAPersonChangesMeanwhileStays() throws {
    let scene = try Scene()
    try scene.show(.both)
    try scene.server.source("set -g status-left 'new '", "set -g status-format[3] 'mine'", "set -g status 4")
    // The toast is removed, and the current lines count as the user's: four of theirs, and the banner.
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

  /// A toast's line that was added, but with an error, is removed with the toast, and the banner's stays.
  @Test func aToastThatHalfFailedGoesToo() throws {
    let scene = try Scene()
    try scene.show(.banner)
    try scene.server.source("set-hook -g after-set-environment 'source-file /nonexistent/file'")
    scene.window.show(TmuxContent(banner: .offline, toast: .resting("Saved")))
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

  /// With `reserve = "always"` one line is kept, so that nothing moves; a toast uses it too.
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
    #expect(eventually { scene.insetsSeen == [TerminalInsets(bottom: 1)] })
    // For both at once the panes move.
    try scene.show(.both)
    #expect(try scene.paneHeight() == 21)
    try scene.close()
    #expect(try scene.dump() == dump)
  }

  @Test func neverOnlyFeedsTheUsersOwnLine() throws {
    let scene = try Scene(
      ["set -g status-right-length 60", "set -g status-right '<#{OVERLINE_TOAST}>'"], reserve: .never)
    let before = try scene.server.source("show -g", "show-environment -gh")
    scene.window.show(TmuxContent(banner: nil, toast: .resting("Saved", message: "3 files")))
    try scene.wait(for: "<✓ Saved · 3 files>")
    #expect(try scene.paneHeight() == 23)
    scene.window.update(nil)
    try scene.wait(for: "<>")
    #expect(try scene.server.source("show -g", "show-environment -gh") == before)
    #expect(scene.insetsSeen == [])
  }

  /// Between two toasts the monitor does not read the server.
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
    scene.window.show(TmuxContent(banner: nil, toast: .resting("Sent")))
    try scene.wait(for: "Sent", on: late)
    try scene.hide()
  }

  /// 300 posts: one line at any time, the last 32 of them one after the other, and then everything as before.
  @Test func aBurstIsOneLine() throws {
    let scene = try Scene()
    let dump = try scene.dump()
    var machine = ToastMachine(settings: ToastSettings(motion: .off), window: .tmux(edge: .bottom))
    for number in 0..<300 {
      _ = machine.handle(
        .toastPosted(ToastContent(title: "post \(number)."), id: ToastID(rawValue: number)), at: .zero)
      scene.window.show(TmuxContent(banner: nil, toast: machine.frame))
    }
    try scene.wait(for: "post 0.")
    for number in 268..<300 {
      _ = machine.handle(.deadlineReached, at: machine.nextDeadline!)
      scene.window.show(TmuxContent(banner: nil, toast: machine.frame))
      if number % 8 == 7 || number == 299 {
        try scene.wait(for: "post \(number).")
        #expect(try scene.screen.rows().filter { $0.contains("post") }.count == 1)
        #expect(try scene.server.tmux("show", "-gv", "status") == "2\n")
      }
    }
    _ = machine.handle(.deadlineReached, at: machine.nextDeadline!)
    #expect(machine.isEmpty)
    scene.window.show(TmuxContent(banner: nil, toast: machine.frame))
    #expect(try eventually { try scene.dump() == dump })
    #expect(eventually { scene.insetsSeen == [TerminalInsets(bottom: 1), TerminalInsets()] })
  }
}

extension ToastFrame {
  /// A toast at rest, after its animation.
  static func resting(_ title: String, message: String = "", style: ToastStyle = .success) -> ToastFrame {
    var machine = ToastMachine(settings: ToastSettings(motion: .off), window: .tmux(edge: .bottom))
    let content = ToastContent(title: title, message: message, style: style)
    _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 0)), at: .zero)
    return machine.frame!
  }
}
