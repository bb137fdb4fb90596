import Overline
import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineShell

/// A server without a session: it reads its configuration, or its last session has ended and `exit-empty` is off. Then there is no current
/// target, and some commands of tmux fail.
@Suite(.ownThread) struct EmptyServerTests {
  private static func dump(_ server: TmuxTestServer) throws -> String {
    try server.source("show -g", "show-hooks -g", "show-environment -gh")
  }

  @Test func itAnswersEveryQuestion() throws {
    let empty = try TmuxTestServer.withoutSession(configuration: ["set -g status-position top"])
    let server = TmuxServer(socket: empty.socket)
    let probe = try TmuxClient(server).probe()
    #expect(probe.sessions.isEmpty && probe.clientCount == 0 && probe.position == .top)
    #expect(try TmuxClient(server).activity() == TmuxActivity(clientCount: 0, last: nil))
    #expect(try TmuxClient(server).restoreSaved() == false)
  }

  @Test func theFirstSessionHasTheLine() throws {
    let empty = try TmuxTestServer.withoutSession()
    let before = try Self.dump(empty)
    let errors = Log<String>()
    let window = TmuxWindow(server: TmuxServer(socket: empty.socket), onError: { errors.append($0) })
    window.update(.offline)
    #expect(try eventually { try empty.tmux("show", "-gv", "status") == "2\n" })
    try empty.tmux("new-session", "-d", "-x", "80", "-y", "24", "sh")
    let screen = try empty.attachedScreen()
    #expect(try eventually { try screen.rows().contains { $0.contains("No connection") } })
    window.update(.titled("next frame"))
    #expect(try eventually { try screen.rows().contains { $0.contains("next frame") } })
    window.update(nil)
    #expect(try eventually { try Self.dump(empty) == before })
    #expect(errors.all == [])
  }

  @Test func afterTheLastSessionTheLineIsRemoved() throws {
    let scene = try Scene(["set -g exit-empty off"])
    let before = try Self.dump(scene.server)
    try scene.show()
    try scene.server.tmux("kill-session")
    #expect(try eventually { try scene.server.tmux("list-sessions") == "" })
    scene.window.update(.titled("next frame"))
    #expect(try eventually { try scene.server.tmux("show-environment", "-gh").contains("next frame") })
    scene.window.update(nil)
    #expect(try eventually { try Self.dump(scene.server) == before })
    #expect(scene.errorsSeen == [])
  }
}
