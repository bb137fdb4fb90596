import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// tmux's client writes files for its server, with the rights of its own user: the monitor runs it only for that user's servers.
@Suite(.ownThread) struct ServerOwnerTests {
  @Test(
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a socket away"),
    arguments: [
      ("chown 65534 $0", "it belongs to user 65534, not to you (0)"),
      ("chown 65534 $1", "its folder FOLDER is not safe: it belongs to user 65534, not to you (0)"),
      ("chmod 777 $1", "its folder FOLDER is not safe: it can be written by other users (mode 777)"),
      ("mv $0 $1/away; ln -s away $0", "it is not a socket; symbolic links are not followed here"),
    ])
  func aServerOfAnotherUserWritesNothing(_ change: String, _ reason: String) throws {
    let server = try TmuxTestServer()
    let folder = String(server.socket[..<server.socket.lastIndex(of: "/")!])
    let file = "\(folder)/written"
    try server.source(
      "set-buffer stolen", "set-option -s command-alias[100] 'source-file=save-buffer \(file) ; display-message -p'")
    // Without the check the attack works.
    try server.tmux("source-file", "-")
    #expect(try Files.read(file) == Array("stolen".utf8))
    try Files.remove(file)

    #expect(try Subprocess.run("sh", ["-ec", change, server.socket, folder]).status == 0)
    let error = #expect(throws: TmuxError.self) {
      try TmuxClient(TmuxServer(socket: server.socket)).run([["display-message"]])
    }
    #expect(error?.code == .refused)
    #expect(error?.reason.hasPrefix(reason.replacing("FOLDER", with: folder)) == true)
    #expect(
      error?.description.hasSuffix("Run the monitor as the user who owns the server, with the tmux that started it.")
        == true)
    #expect(!Files.exists(file))
    Signal.kill.send(to: server.pid)
  }
}
