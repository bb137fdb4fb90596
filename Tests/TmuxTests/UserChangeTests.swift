import Overline
import OverlineShell
import OverlineTestSupport
import OverlineTestThread
import Synchronization
import Testing
@testable import OverlineCore

/// Changes by the user, or by a reload of the configuration, while lines show.
@Suite(.ownThread) struct UserChangeTests {
  private func status(_ scene: Scene, _ session: String? = nil) throws -> String {
    let scope = session.map { ["-t", "\($0):"] } ?? ["-g"]
    return try scene.server.source("show " + scope.joined(separator: " ") + " -v status").filter { $0 != "\n" }
  }

  /// A reload without the plugin, or before it: the next frame restores the line, on top of the user's new lines.
  @Test(arguments: [
    ["set -g status on"], ["set -g status 3"], ["set -gu status-format"], ["set -g status-format[1] 'second'"],
    ["set -gu status", "set -gu status-format", "set -g status-format[0] 'first'", "set -g status-left 'new '"],
  ])
  func aLineThatAReloadRemovesComesAgain(reload: [String]) throws {
    let scene = try Scene()
    let expected = try Scene()
    try expected.server.source(reload.joined(separator: "\n"))
    let dump = try expected.server.tmux("show", "-g")
    try scene.show()
    try scene.server.source(reload.joined(separator: "\n"))
    try scene.show(.titled("next frame"))
    #expect(try eventually { try scene.rowOfBanner("next frame") == 23 })
    try scene.hide()
    #expect(try scene.server.tmux("show", "-g") == dump)
    #expect(scene.errorsSeen == [])
  }

  /// Even where only one session has its own.
  @Test func aSessionsLineComesAgain() throws {
    let scene = try Scene()
    try scene.server.source("new-session -d -s two -x 80 -y 24 sh", "set -t two: status 2")
    let other = try scene.server.attachedScreen(session: "two")
    try scene.show()
    try scene.server.source("set -t two: status on")
    try scene.show(.titled("next frame"), on: other)
    #expect(try eventually { try status(scene, "two") == "2" })
    try scene.hide()
    #expect(try status(scene, "two") == "on")
  }

  /// A status that the user turns off stays off, whatever happens while these lines show.
  @Test func aStatusThatWasTurnedOffStaysOff() throws {
    let scene = try Scene()
    try scene.show()
    try scene.server.tmux("set", "-g", "status", "off")
    for title in ["one", "two"] {
      scene.window.update(.titled(title))
      #expect(
        try eventually {
          try scene.server.tmux("show-environment", "-gh", "OVERLINE_TEXT") == "OVERLINE_TEXT=\(title)\n"
        })
      #expect(try status(scene) == "off")
    }
    // When the user turns the status on again, the banner's line is restored too.
    try scene.server.tmux("set", "-g", "status", "on")
    try scene.show(.titled("three"))
    try scene.hide()
    #expect(try status(scene) == "on")
    #expect(scene.errorsSeen == [])
  }

  /// A status that was already off before the banner: a reload turns it off again, and the banner's line comes back.
  @Test func aStatusThatWasOffBeforeHasItsLineAgain() throws {
    let scene = try Scene(["set -g status off"])
    try scene.show()
    try scene.server.tmux("set", "-g", "status", "off")
    try scene.show(.titled("next frame"))
    #expect(try eventually { try status(scene) == "on" })
    try scene.hide()
    #expect(try status(scene) == "off")
  }

  /// The monitor reads the server, the user sets an option, and then the monitor changes the options.
  @Test(
    "a change between the monitor's reading and its writing is not lost",
    arguments: [[], ["set -g status 2"]], ["set -g status 3", "set -g status-format[1] 'mine'", "set -g status off"])
  func aChangeMeanwhile(first: [String], change: String) throws {
    let scene = try Scene()
    let expected = try Scene()
    try expected.server.source(([change] + first).joined(separator: "\n"))
    let port = MeanwhilePort(client: TmuxClient(TmuxServer(socket: scene.server.socket)))
    var presenter = TmuxPresenter(port, sessions: [], reserve: .auto)
    func present(_ content: TmuxContent) throws {
      try presenter.present(content, reserve: .auto, anew: false, warn: { Issue.record("\($0)") })
    }
    port.changes.withLock { $0 = [change] }
    try present(TmuxContent(banner: .offline))
    port.changes.withLock { $0 = first }
    try present(TmuxContent())
    #expect(port.changes.withLock { $0 } == [])
    #expect(try scene.dump() == expected.dump())
  }

  /// The user sets the same value that the banner has set: only the hook can tell the two apart.
  @Test(arguments: [false, true]) func aNumberOfLinesThatEqualsOursIsTheUsers(isFrameAfterwards: Bool) throws {
    let scene = try Scene()
    let second = try scene.server.tmux("show", "-gv", "status-format[1]")
    try scene.show()
    #expect(try status(scene) == "2")
    try scene.server.tmux("set", "-g", "status", "2")
    if isFrameAfterwards {
      try scene.show(.titled("next frame"))
      // The user's second line, and the banner below it.
      #expect(try eventually { try status(scene) == "3" && scene.rowOfBanner("next frame") == 23 })
      #expect(try scene.server.tmux("show", "-gv", "status-format[1]") == second)
    }
    try scene.hide()
    #expect(try status(scene) == "2")
    #expect(try scene.server.tmux("show", "-gv", "status-format[1]") == second)
    #expect(scene.errorsSeen == [])
  }

  /// `bind b set status`: while the banner shows, tmux leaves the number of lines as it is.
  @Test("a toggle of the status while the banner shows sets no number of lines") func aToggle() throws {
    let scene = try Scene()
    try scene.show()
    try scene.server.source("set -g status", "set -g status")
    #expect(try status(scene) == "2")
    try scene.hide()
    #expect(try status(scene) == "on")
    try scene.server.tmux("set", "-g", "status")
    #expect(try status(scene) == "off")
  }

  @Test func aSessionsNumberOfLinesThatEqualsOursIsItsOwn() throws {
    let scene = try Scene()
    try scene.server.source(
      "new-session -d -s two", "set -t two: status 2", "new-session -d -s three", "set -t three: status 3")
    try scene.show()
    try scene.server.source("set -t two: status 3", "set -t three: status 4", "set -t three: status-left x")
    try scene.hide()
    #expect(try [status(scene), status(scene, "two"), status(scene, "three")] == ["on", "3", "4"])
  }

  /// A value that the user did not set is restored, whatever else was set: options, names that only begin like ours, and
  /// our own changes.
  @Test func nothingElseCountsAsSet() throws {
    let scene = try Scene()
    try scene.show(.toast)
    try scene.server.source("set -g status-left 'new '", "set -g status-interval 5", "setw -g mode-keys vi")
    try scene.show(.both)
    try scene.show(.banner)
    scene.window.reload(reserve: .auto)
    try scene.show(.titled("next frame"))
    try scene.hide()
    #expect(try status(scene) == "on")
  }

  /// The user's own hooks stay, even at the index that we use.
  @Test(arguments: ["after-set-option", "after-set-option[3]", "after-set-option[7041]"])
  func theUsersHooksStay(name: String) throws {
    let scene = try Scene(["set-hook -g \(name) 'setenv -g COUNTED 1'"])
    try scene.server.tmux("setenv", "-g", "COUNTED", "1")
    let dump = try scene.dump()
    try scene.show()
    try scene.show(.titled("next frame"))
    try scene.hide()
    #expect(try scene.dump() == dump)
    #expect(scene.errorsSeen == [])
  }

  /// A frame sets no option, not even to restore one: that would be 21 KB for each client.
  @Test(arguments: [
    [], ["set -t two: status 3"], ["set -t two: status off"], ["set -t two: status-format[0] 'own'"],
    ["set -t two: status 2", "set -t two: status-format[1] '<#{OVERLINE_TEXT}#{OVERLINE_TOAST}>'"], ["set -g status 5"],
    ["set -g status off"], ["set -g status-format[0] '#{OVERLINE_TEXT} and #{OVERLINE_TOAST}'"],
  ])
  func aFrameSetsNoOption(settings: [String]) throws {
    let scene = try Scene(["setenv -g COUNT ''"])
    try scene.server.source((["new-session -d -s two -x 80 -y 24 sh"] + settings).joined(separator: "\n"))
    let dump = try scene.dump()
    for shown in [Shown.toast, .both, .banner] {
      try scene.show(shown)
      try scene.server.source("set-hook -g after-set-option[1] \"setenv -gF COUNT '#{COUNT}x'\"", "setenv -g COUNT ''")
      for title in ["one", "two", "three"] {
        scene.window.show(
          TmuxContent(banner: shown == .toast ? nil : .titled(title), toast: shown == .banner ? nil : .resting(title)))
        try scene.wait(for: title)
      }
      #expect(try scene.server.tmux("show-environment", "-g", "COUNT") == "COUNT=\n", "\(shown)")
      try scene.server.source("set-hook -gu after-set-option[1]", "setenv -g COUNT ''")
    }
    try scene.close()
    #expect(try scene.dump() == dump)
  }

  @Test func whatWasSetIsRead() {
    #expect(UserSettings(variable: " ") == UserSettings())
    let settings = UserSettings(variable: " g $1 $12 ")
    #expect(settings.isGlobal && settings.sessions == ["$1", "$12"])
  }
}

/// A way to a server whose user makes changes right after the next reading.
private final class MeanwhilePort: TmuxPort, Sendable {
  let client: TmuxClient
  let changes = Mutex<[String]>([])

  init(client: TmuxClient) { self.client = client }

  var server: TmuxServer { client.server }

  func source(_ lines: [String], changes isChange: Bool, timeout: Duration?) throws(TmuxError) -> TmuxReply {
    let reply = try client.source(lines, changes: isChange, timeout: timeout)
    let due = isChange ? [] : changes.withLock { Self.taken(from: &$0) }
    if !due.isEmpty { _ = try client.source(due, changes: false, timeout: nil) }
    return reply
  }

  private static func taken(from changes: inout [String]) -> [String] {
    defer { changes = [] }
    return changes
  }

  func watch() -> String? { nil }
  func release() {}
}
