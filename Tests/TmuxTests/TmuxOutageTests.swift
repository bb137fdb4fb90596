import Overline
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// Changes in a server while the banner shows.
@Suite(.ownThread) struct TmuxOutageTests {
  @Test func aClientThatAttachesSeesTheBannerAndWhatFollows() throws {
    let scene = try Scene()
    try scene.show()
    let late = try scene.server.attachedScreen(columns: 60, rows: 20)
    try scene.wait(for: "No connection", on: late)
    try scene.show(.restored)
    try scene.wait(for: "Back online", on: late)
    #expect(try scene.rowOfBanner() == nil)
    try scene.hide()
  }

  @Test func aSessionMadeDuringItHasTheBannerAndKeepsNothing() throws {
    let scene = try Scene()
    try scene.show()
    try scene.server.source("new-session -d -s late -x 80 -y 24")
    let late = try scene.server.attachedScreen(session: "late")
    try scene.wait(for: "No connection", on: late)
    try scene.hide()
    #expect(try eventually { try late.rows().last?.hasPrefix("left") == true })
    #expect(try scene.server.source("show -t late: status", "show -t late: status-format") == "")
  }

  @Test func twoServersAreApart() throws {
    let first = try Scene(["set -g status 2"])
    let second = try Scene(["set -g status-position top"])
    let dump = try second.dump()
    try first.show()
    #expect(try second.dump() == dump)
    try second.show()
    try first.hide()
    #expect(try second.rowOfBanner() == 1)
    try second.hide()
    #expect(try second.dump() == dump)
  }

  @Test func nestedServersEachShowIt() throws {
    let inner = try Scene()
    // A server sizes its windows only for a client.
    let terminal = try inner.screen.server.attach()
    defer { withExtendedLifetime(terminal) {} }
    let outer = TmuxWindow(server: TmuxServer(socket: inner.screen.server.socket))
    let cells = try inner.screen.cells()
    try inner.show()
    outer.update(.offline)
    // The inner client has one row less, and the outer one shows its own banner below.
    #expect(try eventually { try inner.screen.rows().count == 23 && inner.rowOfBanner() == 22 })
    inner.window.update(nil)
    outer.update(nil)
    try expectScreen(inner.screen, cells)
  }

  @Test func turningTheStatusOffIsRespected() throws {
    let scene = try Scene()
    let second = try scene.server.tmux("show", "-gv", "status-format[1]")
    try scene.show()
    try scene.server.tmux("set", "-g", "status", "off")
    try scene.hide()
    #expect(try scene.server.tmux("show", "-gv", "status") == "off\n")
    #expect(try scene.server.tmux("show", "-gv", "status-format[1]") == second)
  }

  @Test func aReloadReservesAnewAndIsWhatIsRestored() throws {
    let scene = try Scene()
    try scene.show()
    try scene.server.source("set -g status on", "set -g status-left 'new '", "set -g status-format[1] 'second'")
    scene.window.reload(reserve: .auto)
    try scene.wait(for: "No connection")
    #expect(try eventually { try scene.rowOfBanner() == 23 })
    try scene.hide()
    #expect(try scene.server.tmux("show", "-gv", "status") == "on\n")
    #expect(try scene.server.tmux("show", "-gv", "status-format[1]") == "second\n")
  }

  /// A reload that sets neither option leaves the banner's own values in them.
  @Test func aReloadThatChangesNothingSavesNothingOfOurs() throws {
    let scene = try Scene(["set -g status 3"])
    let dump = try scene.dump()
    try scene.show()
    scene.window.reload(reserve: .auto)
    scene.window.update(.restored)
    try scene.wait(for: "Back online")
    try scene.hide()
    #expect(try scene.dump() == dump)
    #expect(eventually { scene.insetsSeen == [TerminalInsets(bottom: 1), TerminalInsets()] })
  }

  @Test func alwaysKeepsAnEmptyLine() throws {
    let scene = try Scene(reserve: .always)
    let dump = try scene.dump()
    scene.window.update(nil)
    #expect(try eventually { try scene.paneHeight() == 22 })
    #expect(try eventually { try scene.screen.rows()[23].allSatisfy { $0 == " " } })
    try scene.show()
    #expect(try scene.paneHeight() == 22)
    scene.window.update(nil)
    #expect(try eventually { try scene.rowOfBanner() == nil })
    #expect(try scene.screen.rows()[23].allSatisfy { $0 == " " })
    #expect(eventually { scene.insetsSeen == [TerminalInsets(bottom: 1)] })
    try scene.close()
    #expect(try scene.dump() == dump)
  }

  @Test func neverOnlyFeedsTheUsersOwnLine() throws {
    let scene = try Scene(["set -g status-right '<#{OVERLINE_TEXT}>'"], reserve: .never)
    let before = try scene.server.source("show -g", "show-environment -gh")
    try scene.show()
    #expect(try scene.paneHeight() == 23)
    #expect(try scene.screen.rows()[23].contains("<⚠ No connection>"))
    scene.window.update(nil)
    try scene.wait(for: "<>")
    #expect(try scene.server.source("show -g", "show-environment -gh") == before)
    #expect(scene.insetsSeen == [])
  }

  /// The user's own place for banner and toast may be a whole status line.
  @Test(arguments: [0, 1], [TmuxReserve.never, .auto])
  func aLineOfTheUsersThatShowsOurTextIsTheirs(index: Int, reserve: TmuxReserve) throws {
    let line = "mine <#{OVERLINE_TEXT}#{OVERLINE_TOAST}>"
    let scene = try Scene(["set -g status 2", "set -g status-format[\(index)] '\(line)'"], reserve: reserve)
    let dump = try scene.dump()
    // The first update without a banner undoes what a crashed monitor left.
    scene.window.update(nil)
    for frame in [BannerFrame.offline, nil] {
      scene.window.update(frame)
      try scene.wait(for: frame == nil ? "mine <>" : "mine <⚠ No connection>")
    }
    try scene.close()
    #expect(try scene.dump() == dump)
    #expect(scene.errorsSeen == [])
  }

  @Test func aServerThatEndsIsReportedOnce() throws {
    let scene = try Scene()
    try scene.show()
    scene.server.stop()
    scene.window.update(.restored)
    #expect(eventually { scene.isGone })
    #expect(eventually { scene.insetsSeen.last == TerminalInsets() })
    scene.window.update(nil)
    try scene.close()
    #expect(scene.errorsSeen == [])
  }

  @Test func onlyTheNewestFrameOfABurstCounts() throws {
    let scene = try Scene()
    for number in 0..<1000 { scene.window.update(.titled("title \(number).")) }
    try scene.wait(for: "title 999.")
    try scene.hide()
    for number in 0..<100 { scene.window.update(number % 2 == 0 ? .offline : nil) }
    try scene.close()
    #expect(try scene.traces() == [])
  }

  @Test func probingTellsWhatTheOwnerWants() throws {
    var values = Dictionary(uniqueKeysWithValues: TmuxOptions.examples.map { ($0.name, $0.value) })
    values["@overline_offline_title"] = "No net; #(x)"
    values["@overline_offline_style"] = "bg=blue,nobold"
    values["@overline_reserve"] = "never"
    let scene = try Scene(["set -g status-position top"] + values.map { "set -g \($0) '\($1)'" })
    let probe = try TmuxClient(TmuxServer(socket: scene.server.socket)).probe()
    #expect(probe.position == .top)
    #expect(probe.sessions.count == 1)
    #expect(probe.clientCount == 1)
    #expect(TmuxVersion(probe.version)?.isSupported == true)
    #expect(probe.options.reserve == .never)
    #expect(probe.options.offline(.offline).title == "No net; #(x)")
    #expect(probe.options.offline(.offline).backgroundColor == .ansi(.blue))
    #expect(probe.options == TmuxOptions(values: values))
  }

  /// A failed farewell (a stopped server, a machine that slept meanwhile) is repeated: no other frame may come for hours.
  @Test func aFailedFarewellIsTriedAgain() throws {
    let scene = try Scene()
    let cells = try scene.screen.cells()
    try scene.show()
    try scene.server.tmux("set", "-s", "command-alias[90]", "set-environment=no-such-command")
    scene.window.update(nil)
    #expect(eventually { !scene.errorsSeen.isEmpty })
    #expect(try scene.rowOfBanner() != nil)
    try scene.server.tmux("set", "-su", "command-alias[90]")
    #expect(try eventually { try scene.traces().isEmpty })
    try expectScreen(scene.screen, cells)
    #expect(scene.errorsSeen.count == 1)
  }

  /// A line that was reserved, but with an error, is removed like any other.
  @Test func aBannerThatHalfFailedGoesToo() throws {
    let scene = try Scene()
    let dump = try scene.dump()
    try scene.show()
    try scene.hide()
    try scene.server.source("set-hook -g after-set-environment 'source-file /nonexistent/file'")
    scene.window.update(.offline)
    #expect(eventually { !scene.errorsSeen.isEmpty })
    #expect(try !scene.traces().isEmpty)
    scene.window.update(nil)
    #expect(try eventually { try scene.traces().isEmpty })
    try scene.server.source("set-hook -gu after-set-environment")
    #expect(try scene.dump() == dump)
  }

  @Test func aSessionThatEndsMeanwhileIsNoError() throws {
    let scene = try Scene()
    try scene.server.source(
      "new-session -d -s two", "set -t two: status 2", "set-hook -g after-set-environment 'kill-session -t two'")
    try scene.show()
    #expect(try scene.server.tmux("list-sessions").split(separator: "\n").count == 1)
    try scene.hide()
    #expect(scene.errorsSeen == [])
  }

  /// The caller of the farewell receives its error.
  @Test func aFailedCloseSaysSo() throws {
    let scene = try Scene()
    try scene.show()
    try scene.server.tmux("set", "-s", "command-alias[90]", "set-environment=no-such-command")
    let told = Log<TmuxError?>()
    scene.window.close { told.append($0) }
    #expect(eventually { !told.all.isEmpty })
    #expect(told.all.first??.code == .failed)
  }

  @Test func noServerIsAnErrorThatSaysSo() {
    let error = #expect(throws: TmuxError.self) {
      try TmuxClient(TmuxServer(socket: "/tmp/overline-test-none")).probe()
    }
    #expect(error?.code == .serverGone)
  }
}

extension Scene {
  /// Closes the window and waits until it has finished.
  func close() throws {
    let closed = Log<Bool>()
    window.close { _ in closed.append(true) }
    guard eventually({ !closed.all.isEmpty }) else { throw SceneError(text: "not closed: \(errorsSeen)") }
  }
}
